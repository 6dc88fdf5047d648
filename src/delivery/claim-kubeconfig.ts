import { DeliveredTenant } from './delivered-tenant';
import { Claims } from '../synthesis/claims';

/** Records that a tenant is reached by its kubeconfig: two with the same would remove each other's objects in one cluster. */
export function claimKubeconfig({ adminKubeconfig: { secretName, keys }, exposure, managementCluster, managementScope }: DeliveredTenant): void {
  Claims.of(managementScope).claim('admin kubeconfig', `${exposure.namespace}/${secretName}`, managementScope,
    'A kubeconfig leads to one cluster: name that of each control plane with "adminKubeconfig" in TenantCharts.of()',
    { within: `${managementCluster}\n${keys.join('\n')}`, inCluster: true });
}
