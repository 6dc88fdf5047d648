import { isNotFound } from './errors';
import { TenantCluster } from './tenant-cluster';
import { MANAGED_BY, MANAGED_BY_LABEL, SERVICE_NAME } from '../endpoints/objects';
import { PATHS } from '../endpoints/writer';
import { KubernetesObject } from '../kubernetes/objects';

/**
 * Gives `default/kubernetes` back to the API server, after the proxies that owned it are gone: the API server writes
 * its own endpoints once `--endpoint-reconciler-type=none` is gone, but never removes the slices of others.
 *
 * The Endpoints go first, because the slices tell whose they are: the API server's own carry no such label.
 *
 * @returns whether there was something to give back
 */
export async function handBackKubernetesEndpoints(tenant: TenantCluster): Promise<boolean> {
  const query = { labelSelector: `${MANAGED_BY_LABEL}=${MANAGED_BY}` };
  const { items } = await tenant.api.call<{ readonly items: readonly KubernetesObject[] }>('GET', PATHS.EndpointSlice, { query });
  if (items.some(({ metadata }) => metadata.name === SERVICE_NAME)) await remove(tenant, `${PATHS.Endpoints}/${SERVICE_NAME}`);
  for (const { metadata: { name, uid, resourceVersion } } of items) {
    await remove(tenant, `${PATHS.EndpointSlice}/${encodeURIComponent(name)}`, { uid, resourceVersion });
  }
  return items.length > 0;
}

async function remove(tenant: TenantCluster, path: string, preconditions?: object): Promise<void> {
  try {
    await tenant.api.call('DELETE', path, { body: preconditions && { preconditions } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
