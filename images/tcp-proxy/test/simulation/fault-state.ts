import { X509Certificate } from 'crypto';
import type { Pod } from './pod';
import { SYNC_NAMESPACE, TENANT, World } from './world';
import { AnyObject } from '../support/fake-api/object-store';

const TLS = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';

/** What the processes have made of their surroundings, without what differs from run to run. */
export function stateOf(world: World): string[] {
  const { management, tenant, machines } = world;
  const objects = [management, tenant].flatMap((cluster, i) => cluster.store.all().map(([path, object]) => `${i === 0 ? 'management' : 'tenant'} ${path} ${text(object)}`));
  const maps = machines.gateways.flatMap(({ haproxy }) => (['hosts', 'addresses'] as const).map(name => `map ${name} ${JSON.stringify([...haproxy?.map(name) ?? []].sort())}`));
  const configurations = machines.gateways.map(({ haproxy }) => `gateway configuration ${haproxy?.configuration}`);
  const authorities = machines.proxies.map(({ haproxy }) => `proxy authorities ${haproxy?.authorityCount}`);
  return [...objects, ...maps, ...configurations, ...authorities].map(withoutChance).sort();
}

/** What is not as it should be, whatever else there is. */
export function whatIsWrong(world: World): string[] {
  const { management, tenant, machines } = world;
  const secret = tenant.object(TLS)?.data;
  const published = secret && new X509Certificate(Buffer.from(secret['tls.crt'], 'base64')).fingerprint;
  const wrongOf = (pod: Pod): string[] => [
    ...pod.ready ? [] : [`${pod.name} is not ready: ${pod.process?.log.slice(-1).join('')}`],
    ...pod.haproxy && pod.haproxy.certificate && pod.haproxy.certificate.fingerprint !== published ? [`${pod.name} serves another certificate than the one that is published`] : [],
  ];
  const wanted = machines.nodes.map(({ address }) => address).join();
  const addresses = world.clients.addresses().join();
  const status = management.object(`/api/v1/namespaces/${SYNC_NAMESPACE}/configmaps/tenants-${TENANT}-status`)?.data;
  return [
    ...machines.all.flatMap(wrongOf),
    ...machines.proxies.length === machines.nodes.length ? [] : ['a node has no proxy'],
    ...addresses === wanted ? [] : [`${addresses} are published, not ${wanted}`],
    ...machines.gateways.flatMap(pod => world.whyNotRouted(pod) ?? []),
    ...published ? [] : ['no certificate is published'],
    ...status?.phase === 'Synced' ? [] : [`sync says ${status?.phase} ${status?.message}`],
  ];
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
    .replace(/[0-9a-f]{32,}/g, '<hash>')
    .replace(/"leaseTransitions":\d+/, '"leaseTransitions":<number>')
    .replace(/(tcp-proxy-node-\d|sync-\d|gateway-\d)-\d+/g, '$1');
}
