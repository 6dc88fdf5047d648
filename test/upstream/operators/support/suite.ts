import { Datastore, startDatastore } from './datastore';
import { attachRoutes, gatewaysOf } from './gateway';
import { describeLifecycle } from './lifecycle';
import { describeMove } from './move';
import { Network } from './network';
import { Operator } from './operator';
import { describeTenant } from './tenant';
import { tenantControlPlaneOperator, TenantControlPlaneOperatorProps } from './tenant-control-planes';
import { describeVersions } from './versions';
import { ControlPlanePlatform, TenantControlPlaneProps } from '../../../../src';
import { Cluster } from '../../../e2e/support/cluster';

export interface TenantControlPlanesTestProps extends Omit<TenantControlPlaneOperatorProps, 'datastore'> {
  /** As its makers write it. */
  readonly system: string;
  /** Type of the platform of this library. */
  readonly platformType: string;
  /** A platform for one tenant. */
  platform(props?: TenantControlPlaneProps): ControlPlanePlatform;
}

/** All that a real operator of TenantControlPlanes is asked. */
export function describeTenantControlPlanes({ system, platformType, platform, ...operator }: TenantControlPlanesTestProps): void {
  const start = (cluster: Cluster, datastore: Datastore, network?: Network) =>
    Operator.start(cluster, webhookCa => tenantControlPlaneOperator({ ...operator, datastore }, webhookCa), network);
  const startAlone = async (cluster: Cluster) => start(cluster, await startDatastore(cluster));
  const resource = `tenantcontrolplanes.${operator.group}`;
  describeLifecycle({
    system,
    platformType,
    resource,
    kinds: ['tlsroutes.gateway.networking.k8s.io'],
    before: gatewaysOf,
    play: attachRoutes,
    start: startAlone,
  });
  describeVersions({ system, platform, start: startAlone });
  describeTenant({ system, platform, start: startAlone });
  describeMove({ system, platform, group: operator.group, start });
}
