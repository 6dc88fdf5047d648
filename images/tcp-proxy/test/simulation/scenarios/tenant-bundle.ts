import { createHash } from 'crypto';
import { BUNDLE_VERSION, TenantRecord } from '../../../../../src/agent/contract/bundle';
import { kubernetesEndpoints } from '../../../../../src/agent/contract/kubernetes-endpoints';
import { SYNC_NAMESPACE, TENANT, World } from '../world';

/** What a bundle may say besides its objects. */
export interface BundleOptions {
  readonly settings?: object;
  /** The objects are in two ConfigMaps, of which so many are there. */
  readonly partsThere?: 1 | 2;
}

/** Puts the bundle of the tenant, in two parts. */
export function putBundle({ management }: World, objects: readonly object[], { settings = {}, partsThere = 2 }: BundleOptions = {}): void {
  const checksum = createHash('sha256').update(JSON.stringify([objects, settings])).digest('hex');
  const half = Math.ceil(objects.length / 2);
  const common = { ...recordOf(TENANT), parts: 2, checksum };
  management.byOthers(() => [objects.slice(0, half), objects.slice(half)].slice(0, partsThere).forEach((part, i) => management.put(nameOf(i), {
    metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': `tenants.${TENANT}` } },
    data: { 'tenant.json': JSON.stringify({ ...common, part: i + 1, ...settings }), 'objects.yaml': part.map(object => JSON.stringify(object)).join('\n---\n') },
  })));
}

/** How a tenant is reached. */
export function recordOf(name: string): TenantRecord {
  return { version: BUNDLE_VERSION, tenant: { namespace: 'tenants', name }, kubeconfig: { secretName: `${name}-admin-kubeconfig`, keys: ['admin.svc'] } };
}

/** Puts one that nobody can read. */
export function putGarbage({ management }: World): void {
  management.byOthers(() => management.put(nameOf(0), {
    metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': `tenants.${TENANT}` } }, data: { 'tenant.json': '{' },
  }));
}

/** Takes all of it away. */
export function removeBundle({ management }: World): void {
  management.byOthers(() => [0, 1].map(nameOf).forEach(path => management.object(path) && management.remove(path)));
}

/** The first has the name of a bundle in one part. */
function nameOf(part: number): string {
  return `/api/v1/namespaces/${SYNC_NAMESPACE}/configmaps/tenants-${TENANT}${part === 0 ? '' : `-${part}`}`;
}

/** A namespace, a kind of its own with an object, and what runs pods. */
export const WORKLOAD = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'apps' } },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'widgets', kind: 'Widget' }, versions: [{ name: 'v1', served: true, storage: true }] },
  },
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'apps' }, spec: {} },
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'app', namespace: 'apps' }, spec: { selector: { matchLabels: { app: 'app' } } } },
] as const;

export const SETTINGS = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' }, data: { a: 'b' } };

/** What `default/kubernetes` is to hold. */
export function endpoints(address = '203.0.113.10'): object[] {
  const written = kubernetesEndpoints([address], 20001, 'IPv4');
  return [written.endpoints, ...written.slices];
}
