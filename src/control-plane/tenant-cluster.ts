import { TenantSide } from './tenant-side';
import { Exposure } from '../model/exposure';

/**
 * Names a tenant cluster among all clusters of an app, for claims and errors: by its control plane, as
 * `<namespace>/<name>`, with the management cluster before it where that has a name of its own.
 */
export function tenantClusterOf(exposure: Exposure): string {
  return [TenantSide.of(exposure)?.managementCluster._part, exposure.namespace, exposure.name].filter(part => part !== undefined).join('/');
}
