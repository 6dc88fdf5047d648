import { TenantSide } from './tenant-side';
import { Exposure } from '../model/exposure';

/** The management cluster that need not be named. */
export const DEFAULT_MANAGEMENT_CLUSTER = 'management';

/**
 * Names a tenant cluster among all clusters of an app, for claims and errors: by its control plane, as
 * `<namespace>/<name>`, with the management cluster before it where that has a name of its own.
 */
export function tenantClusterOf(exposure: Exposure): string {
  const { managementCluster = DEFAULT_MANAGEMENT_CLUSTER } = TenantSide.of(exposure) ?? {};
  const tenant = `${exposure.namespace}/${exposure.name}`;
  return managementCluster === DEFAULT_MANAGEMENT_CLUSTER ? tenant : `${managementCluster}/${tenant}`;
}
