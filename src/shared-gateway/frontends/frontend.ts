import { lookup } from './lookup';
import { CLUSTER_MARK, GATEWAY_FIELDS } from '../../agent/contract/clusters';
import { CONNECTION_END, TLS_CONNECTION_END } from '../../agent/contract/connection-log';
import { GATEWAY_SERVER, TENANT_SERVER } from '../../agent/contract/haproxy-names';
import { ADDRESS_TABLE, TARGET_FIELDS } from '../../agent/contract/routing-tables';
import { HaproxyConfig } from '../../haproxy/config';
import { addTenantLimit } from '../../haproxy/connection-limits';
import { Section, Word } from '../../haproxy/section';
import { deadPeerWords } from '../../haproxy/timeouts';
import { FoundBy, foundByFormat } from '../found-by';
import { GatewayHaproxyOptions, limitsOf } from '../haproxy-options';

const LOG_FORMAT = `%[fc_src]:%[fc_src_port] source=%[var(txn.source)] frontend=%f tenant=%[var(txn.tenant)] ${CONNECTION_END}`;
const ERROR_LOG_FORMAT = '%[fc_src]:%[fc_src_port] frontend=%f error="%[fc_err_str]"';
/** What follows where TLS is opened. */
const TLS_LOG_FORMAT = { log: TLS_CONNECTION_END, error: ' tls="%[ssl_fc_err_str]"' };

/** @param ports one, or a range as `first-last` */
export function addFrontend(
  config: HaproxyConfig, options: GatewayHaproxyOptions, name: string, ports: number | string, ...bindWords: Word[]
): Section {
  const frontend = config.section('frontend', name);
  for (const address of options.listenAddresses) {
    // One socket for both families would show IPv4 sources as IPv6 addresses.
    const ipv6 = address.includes(':');
    frontend.add('bind', `${ipv6 ? `[${address}]` : address}:${ports}`, ...(ipv6 ? ['v6only'] : []), ...deadPeerWords(), ...bindWords);
  }
  const more = bindWords.includes('ssl') ? TLS_LOG_FORMAT : { log: '', error: '' };
  return frontend
    .add('log-format', `${LOG_FORMAT}${more.log}`)
    .comment('Not the usual one: that names the source which a broken PROXY header claims.')
    .add('error-log-format', `${ERROR_LOG_FORMAT}${more.error}`);
}

/** A load balancer that sends a PROXY header. */
export function addLoadBalancer(frontend: Section, cidrs?: string[]): void {
  if (cidrs) {
    frontend.comment('Only these may say where a connection comes from.');
    cidrs.forEach(cidr => frontend.add('acl', 'load-balancer', 'src', cidr));
    frontend.add('tcp-request', 'connection', 'expect-proxy', 'layer4', 'if', 'load-balancer');
  }
}

export function addTlsAlone(frontend: Section): void {
  frontend
    .comment('Waits for the first byte of TLS: silence or another protocol never reaches an API server.')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'req.payload(0,1)', '-m', 'bin', '16', '}');
}

/**
 * The last rules of a frontend. They cannot stand once in the backend: HAProxy 3.0 runs no `do-resolve` there.
 *
 * @param foundBy what the tenant was found by, where that may be in another cluster
 */
export function addDestination(frontend: Section, options: GatewayHaproxyOptions, foundBy?: FoundBy): void {
  const clusters = options.clusters && foundBy;
  frontend
    .comment('The agent keeps the addresses that it knows, so DNS is asked for new services alone and may fail for the others.')
    .add('tcp-request', 'content', 'set-var(txn.service)', `var(txn.target),${TARGET_FIELDS.service}`);
  if (clusters) {
    addGateway(frontend, options, clusters);
  }
  addTenantLimit(frontend, limitsOf(options), clusters ? 'txn.counted' : 'txn.service');
  frontend
    .add('tcp-request', 'content', 'set-var(txn.address)', `var(txn.service),${lookup(options, ADDRESS_TABLE)}`)
    .add('tcp-request', 'content', 'do-resolve(txn.address,cluster)', 'var(txn.service)', 'if', '!{', 'var(txn.address)', '-m', 'found', '}')
    .add('tcp-request', 'content', 'reject', 'if', '!{', 'var(txn.address)', '-m', 'found', '}')
    .comment('Without these the server would connect to the destination that the PROXY header names.')
    .add('tcp-request', 'content', 'set-dst', 'var(txn.address)')
    .add('tcp-request', 'content', 'set-dst-port', clusters ? 'var(txn.port)' : `var(txn.target),${TARGET_FIELDS.port}`);
  if (clusters) {
    frontend.add('use_backend', GATEWAY_SERVER.backend, 'if', ...IN_CLUSTER);
  }
  frontend.add('default_backend', TENANT_SERVER.backend);
}

const IN_CLUSTER = ['{', 'var(txn.found_by)', '-m', 'found', '}'];

/** The address of a target that is another cluster: that of its gateway. */
function addGateway(frontend: Section, options: GatewayHaproxyOptions, foundBy: FoundBy): void {
  frontend
    .comment('Another cluster: its gateway has the tenant. Connections to it are those of many, so the name that was asked for is what is counted.')
    .add('tcp-request', 'content', 'set-var-fmt(txn.found_by)', foundByFormat(foundBy), 'if', '{', 'var(txn.target)', '-m', 'beg', CLUSTER_MARK, '}')
    .add('tcp-request', 'content', 'set-var(txn.gateway)', `var(txn.target),${lookup(options, 'gateways')}`, 'if', ...IN_CLUSTER)
    .add('tcp-request', 'content', 'reject', 'if', ...IN_CLUSTER, '!{', 'var(txn.gateway)', '-m', 'found', '}')
    .add('tcp-request', 'content', 'set-var(txn.port)', `var(txn.target),${TARGET_FIELDS.port}`, 'if', '!{', 'var(txn.found_by)', '-m', 'found', '}')
    .add('tcp-request', 'content', 'set-var(txn.counted)', 'var(txn.service)', 'if', '!{', 'var(txn.found_by)', '-m', 'found', '}')
    .add('tcp-request', 'content', 'set-var(txn.counted)', 'var(txn.tenant)', 'if', ...IN_CLUSTER)
    .add('tcp-request', 'content', 'set-var(txn.service)', `var(txn.gateway),${GATEWAY_FIELDS.address}`, 'if', ...IN_CLUSTER)
    .add('tcp-request', 'content', 'set-var(txn.port)', `var(txn.gateway),${GATEWAY_FIELDS.port}`, 'if', ...IN_CLUSTER);
}
