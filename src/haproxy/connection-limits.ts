import { HaproxyConfig } from './config';
import { Section } from './section';
import { ConnectionLimit, HEALTH_SOCKET_PATHS, refusedLine } from '../agent/contract/haproxy-names';

/** Who may have how many connections at a time. */
export interface ConnectionLimits {
  /** Names of all frontends that the limits are for. */
  readonly frontends: string[];
  /** All frontends together. */
  readonly total: number;
  /** One source: an IPv4 address, or an IPv6 network of 64 bits, which one host can have as a whole; undefined for no limit. */
  readonly perSource?: number;
  /** One tenant; undefined for no limit. */
  readonly perTenant?: number;
  /** Networks of sources that may have twice as many, and for which a part of the total and of each tenant's is kept. */
  readonly trustedSources?: string[];
}

/**
 * Whose address counts: that of the TCP peer, or the one in the PROXY header of a load balancer, where there is one.
 * It decides when: a header is read after the connection was accepted.
 */
export type CountedSource = 'peer' | 'header';
const SOURCES: { [source in CountedSource]: { readonly phase: 'connection' | 'session'; readonly address: string } } = {
  // Later on `src` is what a PROXY header says, whoever sent it.
  peer: { phase: 'connection', address: 'fc_src' },
  header: { phase: 'session', address: 'src' },
};

/** What others than trusted sources leave free. */
const KEPT_FOR_TRUSTED = 1 / 4;
/** Connections above the limit, for the agent. A flood cannot take them: what is refused is gone before it is counted. */
const RESERVE = 64;
/** Longest name of a Service with its namespace: 63 + 1 + 63 characters, and what HAProxy ends it with. */
const TENANT_BYTES = 128;

/** The limit of the process. */
export function processLimit({ total }: ConnectionLimits): number {
  return total + RESERVE;
}

/**
 * The tables that connections are counted in. An entry that counts an open connection is never dropped, and there is
 * room for one of each connection: nobody can fill them or put others out.
 */
export function addLimitTables(config: HaproxyConfig, limits: ConnectionLimits): void {
  const size = processLimit(limits);
  if (limits.perSource !== undefined) {
    config.section('backend', 'sources')
      .add('stick-table', 'type', 'ipv6', 'size', size, 'expire', '10s', 'store', 'conn_cur');
  }
  if (limits.perTenant !== undefined) {
    config.section('backend', 'tenant-connections')
      .add('stick-table', 'type', 'string', 'len', TENANT_BYTES, 'size', size, 'expire', '10s', 'store', 'conn_cur');
  }
  config.section('backend', 'refused')
    .add('stick-table', 'type', 'string', 'len', 16, 'size', 64, 'store', 'conn_cnt');
}

/**
 * Refuses connections of a frontend above the total and above what one source may have.
 *
 * @param concealing networks of load balancers that do not tell whose connections they pass on: each of their addresses
 *   stands for many sources, so it is none
 */
export function addSourceLimits(frontend: Section, limits: ConnectionLimits, source: CountedSource, concealing: string[] = []): void {
  const { frontends, total, perSource, trustedSources = [] } = limits;
  const { phase, address } = SOURCES[source];
  const refuseSource = (...condition: string[]) => refuse(frontend, { limit: 'source', phase, who: address }, condition);
  frontend.comment('A refused client tries again or elsewhere; a queued one would wait. The agent tells how many there were.');
  const open = addSum(frontend, frontends);
  refuse(frontend, { limit: 'total', phase: 'connection' }, [`${open} gt ${total}`]);
  if (trustedSources.length > 0) {
    trustedSources.forEach(cidr => frontend.add('acl', 'trusted', address, cidr));
    refuse(frontend, { limit: 'total', phase }, [`${open} gt ${withoutKept(total)}`, '!trusted']);
  }
  if (perSource === undefined) {
    return;
  }
  frontend.comment('Of IPv6 a whole /64 is one source.');
  concealing.forEach(cidr => frontend.add('acl', 'concealing', address, cidr));
  frontend.add('tcp-request', phase, 'track-sc0', `${address},ipmask(32,64)`, 'table', 'sources', ...(concealing.length > 0 ? ['if', '!concealing'] : []));
  if (trustedSources.length > 0) {
    refuseSource(`sc0_conn_cur gt ${perSource}`, '!trusted');
    refuseSource(`sc0_conn_cur gt ${Math.min(total, 2 * perSource)}`);
  } else {
    refuseSource(`sc0_conn_cur gt ${perSource}`);
  }
}

/** Refuses connections above what this frontend may have of the total, so that the others have the rest. */
export function addFrontendLimit(frontend: Section, most: number): void {
  refuse(frontend, { limit: 'total', phase: 'connection' }, [`fe_conn gt ${most}`]);
}

/**
 * Refuses connections above what the tenant may have, on all frontends together.
 *
 * @param tenant the variable that tells it from others
 */
export function addTenantLimit(frontend: Section, { perTenant, trustedSources = [] }: ConnectionLimits, tenant = 'txn.service'): void {
  if (perTenant === undefined) {
    return;
  }
  const refuseTenant = (...condition: string[]) => refuse(frontend, { limit: 'tenant', phase: 'content', who: `var(${tenant})` }, condition);
  frontend.add('tcp-request', 'content', 'track-sc1', `var(${tenant})`, 'table', 'tenant-connections');
  if (trustedSources.length > 0) {
    refuseTenant(`sc1_conn_cur gt ${withoutKept(perTenant)}`, '!trusted');
  }
  refuseTenant(`sc1_conn_cur gt ${perTenant}`);
}

/** For the agent: how many connections each limit refused, and whom the last time. Limits are keys of the table that counts. */
export function addRefusalCounters(health: Section): void {
  const line = refusedLine(limit => `%[str(${limit}),table_conn_cnt(refused)]`, limit => `%[var(proc.refused_${limit})]`);
  health.add('http-request', 'return', 'status', 200, 'content-type', 'text/plain', 'lf-string', line, 'if', '{', 'path', HEALTH_SOCKET_PATHS.refused, '}');
}

/** @returns what to compare: the open connections of the frontends */
function addSum(frontend: Section, frontends: string[]): string {
  const [first, ...others] = frontends;
  if (others.length === 0) {
    return 'fe_conn';
  }
  frontend.add('tcp-request', 'connection', 'set-var(sess.open)', `fe_conn(${first})`);
  others.forEach(name => frontend.add('tcp-request', 'connection', 'set-var(sess.open)', `fe_conn(${name}),add(sess.open)`));
  return 'var(sess.open) -m int';
}

interface Refusal {
  readonly limit: ConnectionLimit;
  readonly phase: 'connection' | 'session' | 'content';
  /** Whom the refusal is about. */
  readonly who?: string;
}

function refuse(frontend: Section, { limit, phase, who }: Refusal, conditions: string[]): void {
  const condition = ['if', ...conditions.flatMap(text => text.startsWith('!') ? [text] : ['{', ...text.split(' '), '}'])];
  frontend.add('tcp-request', phase, 'track-sc2', `str(${limit})`, 'table', 'refused', ...condition);
  if (who !== undefined) {
    frontend.add('tcp-request', phase, `set-var(proc.refused_${limit})`, who, ...condition);
  }
  if (phase === 'content') {
    // A flood would be one of lines as well. In the other phases nothing is logged.
    frontend.add('tcp-request', phase, 'set-log-level', 'silent', ...condition);
  }
  frontend.add('tcp-request', phase, 'reject', ...condition);
}

function withoutKept(limit: number): number {
  return Math.max(1, Math.floor(limit * (1 - KEPT_FOR_TRUSTED)));
}
