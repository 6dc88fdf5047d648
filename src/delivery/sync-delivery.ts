import { Bundle } from './bundle';
import { claimKubeconfig } from './claim-kubeconfig';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { SYNC_DELIVERY_DEFAULTS } from './sync-pod';
import { SyncProgram } from './sync-program';
import { SyncDeliveryProps } from './sync-props';
import { tenantName } from './tenant-name';
import { warnOfNetworkPolicy } from './warn-of-network-policy';
import { STATUS_SUFFIX } from '../agent/contract/bundle';
import { SYNC_DEFAULTS } from '../agent/contract/commands';
import { claimObjectName } from '../synthesis/object-claims';
import { required } from '../validation/required';

/** `sync` of the image and the bundles that it delivers. */
export class SyncDelivery implements DeliveryEngine {
  public readonly type = 'sync';
  public readonly syncs = true;
  public readonly writesFiles = false;
  public readonly besideControlPlanes = true;
  private readonly program: SyncProgram;

  public constructor(props: SyncDeliveryProps) {
    required('props', props, 'Give {} for the defaults');
    this.program = new SyncProgram(props, {
      defaults: { name: SYNC_DEFAULTS.name, namespace: SYNC_DELIVERY_DEFAULTS.namespace },
      certificatesOnly: false,
      remedy: 'Two would deliver every tenant of the namespace: give each TenantCharts a namespace, or all tenants one TenantCharts',
    });
  }

  public start(scope: DeliveryScope): AddTenant {
    const { program } = this;
    const { holder, managementCluster } = scope;
    const readSecretsOf = program.install(holder, managementCluster);
    return delivery => {
      const { controlPlane, tenant } = delivery;
      // First, as it throws where there is none that is known.
      claimKubeconfig(tenant);
      readSecretsOf(tenant);
      warnOfNetworkPolicy(controlPlane, tenant, program.namespace, 'sync');
      const bundle = new Bundle(scope, delivery, program.namespace);
      // Where sync keeps what it knows of the tenant.
      const status = `${tenantName(tenant.exposure)}${STATUS_SUFFIX}`;
      claimObjectName(tenant.managementScope, { kind: 'ConfigMap', group: '', namespace: program.namespace, name: status }, managementCluster);
      return () => bundle.prepare();
    };
  }
}
