import { mkdirSync } from 'fs';
import { checkCompetitors, ingressFor } from './support/competitors';
import { startContained } from './support/contained';
import { Haproxy } from './support/haproxy';
import { listening } from './support/listening';
import { describeController } from './support/suite';
import { IngressController } from '../../../src';
import { Cluster } from '../../e2e/support/cluster';
import { freePorts } from '../../support/ports';
import { provided } from '../support/provided';

const [CONTROLLER, DEFINITIONS] = provided('haproxy-technologies');
const haproxy = new Haproxy(provided('haproxy')[0]);
/** Where the pods of its chart listen for 443. */
const HTTPS_PORT = 8443;
/** Common name of the certificate that its chart makes for everybody else. */
const OWN_NAME = 'HAProxy default';
const PASSTHROUGH = { 'haproxy.org/ssl-passthrough': 'true' };

/** Runs the controller as its chart does, out of the cluster. */
async function startController(cluster: Cluster, controller: IngressController): Promise<void> {
  const { controller: { ingressClass, ingressClassResource: { name } } } = controller.helmValues();
  const own = await cluster.ca.issue({ commonName: OWN_NAME, sans: ['haproxy.local'], keyType: 'ecdsa' });
  await cluster.apply([
    { apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name }, spec: { controller: `haproxy.org/ingress-controller/${ingressClass}` } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'haproxy', namespace: 'default' } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'haproxy-default-cert', namespace: 'default' },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': own.certificate, 'tls.key': own.key },
    },
  ]);
  const folders = ['haproxy-etc', 'haproxy-run'].map(folder => cluster.file(folder));
  folders.forEach(path => mkdirSync(path));
  const [http, peers, stats, metrics, health, fallback] = await freePorts(6);
  const program = startContained(CONTROLLER, [
    '--external', `--kubeconfig=${cluster.file('admin.conf')}`, `--program=${haproxy.program}`, `--config-dir=${folders[0]}`, `--runtime-dir=${folders[1]}`,
    `--ingress.class=${ingressClass}`, '--configmap=default/haproxy', '--default-ssl-certificate=default/haproxy-default-cert', '--log=info',
    `--http-bind-port=${http}`, `--https-bind-port=${HTTPS_PORT}`, `--localpeer-port=${peers}`, `--stats-bind-port=${stats}`,
    `--controller-port=${metrics}`, `--healthz-bind-port=${health}`, `--default-backend-port=${fallback}`, '--disable-ingress-status-update',
  ], { cwd: cluster.folder, env: { ...process.env, POD_NAME: 'haproxy-0-0', POD_NAMESPACE: 'default' } });
  await listening(program, HTTPS_PORT);
}

describeController({
  system: 'HAProxy Technologies',
  version: '3.2.11',
  with: [`HAProxy ${haproxy.version}`],
  controller: () => IngressController.haproxy(),
  definitions: [DEFINITIONS],
  start: startController,
  listensAt: () => HTTPS_PORT,
  comparesCase: true,
  filtersSources: true,
  shownToStrangers: OWN_NAME,
}, (check, fleet) => checkCompetitors(check, fleet, ({ hostname }) => ({
  // Of two it serves that whose Service comes first in the alphabet, whatever their age.
  'an Ingress that is passed through': { object: ingressFor(hostname, PASSTHROUGH, 'haproxy') },
  'a wildcard Ingress that is passed through': { object: ingressFor(hostname.replace(/^[^.]*/, '*'), PASSTHROUGH, 'haproxy') },
})));
