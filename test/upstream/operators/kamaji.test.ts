import { startDatastore } from './support/datastore';
import { attachRoutes, GATEWAY_OBJECTS } from './support/gateway';
import { describeLifecycle } from './support/lifecycle';
import { Operator } from './support/operator';
import { describeTenant } from './support/tenant';
import { tenantControlPlaneOperator } from './support/tenant-control-planes';
import { ControlPlanePlatform } from '../../../src';
import { Cluster } from '../../e2e/support/cluster';

/** Of scripts/operator.sh. */
const { KAMAJI_FOLDER: folder = '' } = process.env;

async function start(cluster: Cluster): Promise<Operator> {
  const datastore = await startDatastore(cluster);
  return Operator.start(cluster, webhookCa => tenantControlPlaneOperator(
    { name: 'kamaji', group: 'kamaji.clastix.io', folder, datastore, args: ['--disable-telemetry'] }, webhookCa));
}

describeLifecycle({
  system: 'Kamaji',
  platformType: 'kamaji',
  resource: 'tenantcontrolplanes.kamaji.clastix.io',
  kinds: ['tlsroutes.gateway.networking.k8s.io'],
  before: GATEWAY_OBJECTS,
  play: attachRoutes,
  start,
});

describeTenant({
  system: 'Kamaji',
  platform: () => ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
  start,
});
