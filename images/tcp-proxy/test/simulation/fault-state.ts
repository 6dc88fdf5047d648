import { X509Certificate } from 'crypto';
import { TENANT_STATUS, World } from './world';
import { ROUTING_TABLES } from '../../../../src/agent/contract/routing-tables';
import { AnyObject } from '../support/fake-api/object-store';

const TLS = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';

/** What the processes have made of their surroundings, without what differs from run to run. */
export function stateOf(world: World): string[] {
  const { management, tenant, machines } = world;
  const objects = [management, tenant].flatMap((cluster, i) => cluster.store.all().map(([path, object]) => `${i === 0 ? 'management' : 'tenant'} ${path} ${text(object)}`));
  const proxies = machines.all.flatMap(({ name, haproxy }) => haproxy ? [
    ...[...ROUTING_TABLES, 'addresses' as const].map(table => `${name} map ${table} ${JSON.stringify([...haproxy.map(table)].sort())}`),
    `${name} configuration ${haproxy.configuration}`,
    `${name} authorities ${haproxy.authorityCount}`,
    `${name} tunnel ${haproxy.tunnelCertificate?.serialNumber} ${haproxy.tunnelAuthorities} ${haproxy.ticketKeys}`,
    `${name} connections ${[...haproxy.sessions.values()]}`,
  ] : []);
  return [...objects, ...proxies].map(withoutChance).sort();
}

/** Pods that do not serve. */
export function notReady({ machines }: World): string[] {
  return machines.all.filter(({ ready }) => !ready).map(({ name, process }) => `${name} is not ready: ${process?.log.slice(-1).join('')}`);
}

/** In place of a phase: there is no status. */
export const GONE = 'gone';

/** @param phase in which the tenant is to be */
export function notSynced({ management }: World, phase = 'Synced'): string[] {
  const object = management.object(TENANT_STATUS);
  const status = object?.data;
  return (object ? status?.phase : GONE) === phase ? [] : [`sync says ${status?.phase} ${status?.message}, not ${phase}`];
}

/** The certificate that `sync` has delivered. */
export function publishedCertificate({ tenant }: World): X509Certificate | undefined {
  const data = tenant.object(TLS)?.data;
  return data && new X509Certificate(Buffer.from(data['tls.crt'], 'base64'));
}

/** Both ways. */
export function differencesOf(expected: readonly string[], state: readonly string[]): string[] {
  const [known, present] = [new Set(expected), new Set(state)];
  const shown = (prefix: string) => (line: string) => `${prefix} ${line.slice(0, 600)}`;
  return [...expected.filter(line => !present.has(line)).map(shown('missing:')), ...state.filter(line => !known.has(line)).map(shown('unexpected:'))];
}

function text({ metadata: { resourceVersion: _, uid: __, ...metadata }, ...rest }: AnyObject): string {
  return JSON.stringify(sorted({ ...rest, metadata }));
}

/** Objects are compared by what is in them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, sorted(inner)]));
}

/** Without times, certificates, fingerprints and the numbers of pods. */
function withoutChance(line: string): string {
  return line
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/[A-Za-z0-9+/=]{200,}/g, '<base64>')
    .replace(/\b[0-9a-f]{32,}/g, '<hash>')
    .replace(/"leaseTransitions":\d+/, '"leaseTransitions":<number>')
    .replace(/"holderIdentity":"sync-[^"]+"/, '"holderIdentity":"<any>"')
    .replace(/(tcp-proxy-node-\d|sync-\d|gateway-\d)-\d+/g, '$1');
}
