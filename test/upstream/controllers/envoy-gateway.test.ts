import { mkdirSync, readdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import { listening } from './support/listening';
import { describeController } from './support/suite';
import { DOMAIN, NAMESPACE_LABELS, PORT_RANGE } from './support/tenants';
import { PassthroughGateway } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { Cluster } from '../../e2e/support/cluster';
import { Process } from '../../e2e/support/process';
import { provided } from '../support/provided';

const [ENVOY_GATEWAY, DEFINITIONS] = provided('envoy-gateway');
const [GATEWAY_API] = provided('gateway-api');
const [ENVOY] = provided('envoy');
const NAMESPACE = 'envoy-gateway-system';
const CONTROLLER = 'gateway.envoyproxy.io/gatewayclass-controller';
const GATEWAY_API_VERSION = '1.6.3';
const XDS_PORT = 18_000;

/** Runs Envoy Gateway, and the Envoy of the Deployment that it makes, as the kubelet would. */
async function startEnvoyGateway(cluster: Cluster): Promise<void> {
  await cluster.apply([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'GatewayClass', metadata: { name: 'envoy' }, spec: { controllerName: CONTROLLER } },
  ]);
  writeFileSync(cluster.file('envoy-gateway.json'), JSON.stringify({
    apiVersion: 'gateway.envoyproxy.io/v1alpha1',
    kind: 'EnvoyGateway',
    gateway: { controllerName: CONTROLLER },
    provider: { type: 'Kubernetes', kubernetes: { leaderElection: { disable: true }, topologyInjector: { disable: true } } },
  }));
  const options = { cwd: cluster.folder, env: { KUBECONFIG: cluster.file('admin.conf'), ENVOY_GATEWAY_NAMESPACE: NAMESPACE } };
  const certificates = new Process(ENVOY_GATEWAY, ['certgen', '--disable-topology-injector'], options);
  if ((await certificates.exited).code !== 0) throw new Error(certificates.output);
  await mountSecret(cluster, 'envoy-gateway', 'certs');
  await mountSecret(cluster, 'envoy', 'envoy-certs');
  const gateway = new Process(ENVOY_GATEWAY, ['server', '--config-path', cluster.file('envoy-gateway.json')], options);
  await listening(gateway, XDS_PORT);
  await startEnvoy(cluster);
}

async function startEnvoy(cluster: Cluster): Promise<void> {
  const selector = ['--selector', 'gateway.envoyproxy.io/owning-gateway-name=edge', '--namespace', NAMESPACE, '--output', 'json'];
  const deployment = await eventually(async () => JSON.parse(await cluster.kubectl(['get', 'deployment', ...selector])).items[0], 60_000);
  const { args } = deployment.spec.template.spec.containers.find(({ name }: any) => name === 'envoy');
  const placed = (text: string) => text
    .replaceAll('/certs/', `${cluster.file('envoy-certs')}/`)
    .replaceAll('/sds/', `${cluster.file('sds')}/`)
    .replaceAll('$(ENVOY_POD_NAME)', 'envoy-1')
    .replaceAll(`address: envoy-gateway.${NAMESPACE}.svc.cluster.local.`, 'address: 127.0.0.1');
  const sds = await cluster.get('configmap', NAMESPACE, deployment.metadata.name);
  writeFiles(cluster.file('sds'), Object.entries<string>(sds.data).map(([name, text]) => [name, placed(text)]));
  const envoy = new Process(ENVOY, args.map(placed), { env: { ENVOY_POD_NAMESPACE: NAMESPACE } });
  await listening(envoy, portOfPods(443));
}

/** A Secret as the files that pods see. */
async function mountSecret(cluster: Cluster, name: string, folder: string): Promise<void> {
  const { data } = await cluster.get('secret', NAMESPACE, name);
  writeFiles(cluster.file(folder), Object.entries<string>(data).map(([file, text]) => [file, Buffer.from(text, 'base64')]));
}

function writeFiles(folder: string, files: [name: string, content: string | Buffer][]): void {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
}

/** Its pods listen without privileges. */
function portOfPods(port: number): number {
  return port < 1024 ? port + 10_000 : port;
}

describeController({
  system: 'Envoy Gateway',
  version: '1.9.1',
  with: ['Envoy 1.40.0', `Gateway API ${GATEWAY_API_VERSION}`],
  controller: chart => new PassthroughGateway(chart, 'edge', {
    namespace: 'gateways',
    gatewayClassName: 'envoy',
    routeNamespaceLabels: NAMESPACE_LABELS,
    portRange: PORT_RANGE,
    listeners: [
      { name: 'k8s', hostname: `*.k8s.${DOMAIN}` },
      { name: 'oauth', hostname: `*.oauth.${DOMAIN}` },
      { name: 'konnectivity', hostname: `*.konnectivity.${DOMAIN}`, port: 8132 },
    ],
  }).asController(),
  definitions: [DEFINITIONS, join(GATEWAY_API, GATEWAY_API_VERSION, 'standard')].flatMap(folder => readdirSync(folder).map(file => join(folder, file))),
  start: startEnvoyGateway,
  listensAt: portOfPods,
  filtersSources: false,
  servesPorts: true,
  konnectivityPort: 8132,
});
