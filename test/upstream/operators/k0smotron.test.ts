import { clusterApiObjects, k0smotronOperator, playSurroundings } from './support/k0smotron';
import { describeLifecycle } from './support/lifecycle';
import { Operator } from './support/operator';
import { OperatorCase } from '../../conformance/operators/cases';
import { Cluster } from '../../e2e/support/cluster';

/** In the folder of scripts/operator.sh. */
const start = (cluster: Cluster) => Operator.start(cluster, () => k0smotronOperator(process.env.K0SMOTRON_FOLDER!));
/** k0s runs for single tenants, in k0s.test.ts. */
const notRun = 'k0s itself was not run, so k0smotron made no kubeconfig';
/** It deletes no Ingress when it is told to make none. Node ports are those of the case that has them, in the namespace of that. */
const cannotBecome = (from: OperatorCase, to: OperatorCase) =>
  from.resource.spec.ingress?.deploy && !to.resource.spec.ingress?.deploy || from !== to && to.resource.spec.service?.type === 'NodePort';

describeLifecycle({
  system: 'k0smotron',
  platformType: 'k0smotron',
  resource: 'clusters.k0smotron.io',
  // It adds its own names to ours; pods that see this certificate need theirs.
  writesInto: ({ resource }) => resource.spec.k0sConfig?.spec?.api?.sans !== undefined,
  cannotBecome,
  play: playSurroundings,
  start,
  notRun,
});

describeLifecycle({
  system: 'k0smotron',
  platformType: 'k0smotron-control-plane',
  resource: 'k0smotroncontrolplanes.controlplane.cluster.x-k8s.io',
  kinds: ['clusters.k0smotron.io'],
  beside: clusterApiObjects,
  cannotBecome,
  play: playSurroundings,
  start,
  notRun,
});
