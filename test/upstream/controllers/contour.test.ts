import { execFileSync } from 'child_process';
import { startEnvoy } from './support/envoy';
import { listening } from './support/listening';
import { describeController } from './support/suite';
import { IngressController } from '../../../src';
import { Cluster } from '../../e2e/support/cluster';
import { Process } from '../../e2e/support/process';
import { freePorts } from '../../support/ports';
import { provided } from '../support/provided';

const [CONTOUR, DEFINITIONS] = provided('contour');
const [ENVOY] = provided('envoy');

/** Runs Contour as its own manifests do but for the TLS between it and Envoy, and one Envoy. */
async function startContour(cluster: Cluster): Promise<void> {
  const [xds, health, metrics, debug] = await freePorts(4);
  const contour = new Process(CONTOUR, [
    'serve', `--kubeconfig=${cluster.file('admin.conf')}`, '--disable-leader-election', '--insecure',
    '--xds-address=127.0.0.1', `--xds-port=${xds}`, `--health-port=${health}`, `--http-port=${metrics}`, `--debug-http-port=${debug}`,
    '--envoy-service-https-port=443', '--envoy-service-http-port=80',
  ], { cwd: cluster.folder });
  await listening(contour, xds);
  const bootstrap = cluster.file('envoy.json');
  execFileSync(CONTOUR, ['bootstrap', '--xds-address=127.0.0.1', `--xds-port=${xds}`, `--admin-address=${cluster.file('admin.sock')}`, bootstrap]);
  const envoy = startEnvoy(ENVOY, cluster, ['-c', bootstrap, '--service-cluster', 'projectcontour', '--service-node', 'envoy', '--concurrency', '1']);
  await listening(envoy, 443);
}

describeController({
  system: 'Contour',
  version: '1.33.8',
  with: ['Envoy 1.40.0'],
  controller: () => IngressController.contour(),
  definitions: [DEFINITIONS],
  start: startContour,
  filtersSources: false,
});
