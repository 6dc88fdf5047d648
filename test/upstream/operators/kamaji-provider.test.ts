import { startDatastore } from './support/datastore';
import { gatewaysOf } from './support/gateway';
import { endpointsOf, infrastructure, kamajiProvider, playClouds } from './support/kamaji-provider';
import { describeLifecycle } from './support/lifecycle';
import { Operator, versionOf } from './support/operator';
import { tenantControlPlaneOperator } from './support/tenant-control-planes';
import { Cluster } from '../../e2e/support/cluster';
import { startClusterApi } from '../support/cluster-api';
import { provided } from '../support/provided';

/** Of scripts/operator.sh. */
const [PROVIDER, KAMAJI] = [process.env.KAMAJI_PROVIDER_FOLDER!, process.env.KAMAJI_FOLDER!];
/** Cluster API's core, of scripts/cluster-api.sh. */
const [CLUSTER_API] = provided('cluster-api');

/** Kamaji, Cluster API and the provider between them. */
async function start(cluster: Cluster): Promise<Operator> {
  const datastore = await startDatastore(cluster);
  const kamaji = { name: 'kamaji', group: 'kamaji.clastix.io', folder: KAMAJI, args: ['--disable-telemetry'], datastore };
  await Operator.start(cluster, webhookCa => tenantControlPlaneOperator(kamaji, webhookCa));
  await startClusterApi(cluster, CLUSTER_API, 9444);
  return Operator.start(cluster, () => kamajiProvider(PROVIDER));
}

describeLifecycle({
  system: 'Cluster API provider Kamaji',
  with: [`Kamaji ${versionOf(KAMAJI)}`, `Cluster API ${versionOf(CLUSTER_API)}`],
  notRun: 'Hetzner\'s provider and the pods of control planes were played',
  platformType: 'kamaji-control-plane',
  resource: 'kamajicontrolplanes.controlplane.cluster.x-k8s.io',
  kinds: ['tenantcontrolplanes.kamaji.clastix.io', 'tlsroutes.gateway.networking.k8s.io'],
  before: gatewaysOf,
  beside: infrastructure,
  alsoHolds: endpointsOf,
  play: playClouds,
  start,
});
