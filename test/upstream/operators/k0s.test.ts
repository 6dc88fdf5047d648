import { X509Certificate } from 'crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect } from 'tls';
import { App, Chart } from 'cdk8s';
import { k0sProgram, serveExec } from './support/exec-server';
import { k0smotronOperator } from './support/k0smotron';
import { ownNetwork } from './support/network';
import { Operator } from './support/operator';
import { StatefulPod } from './support/stateful-pod';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery } from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { startIngress } from '../../data-path/support/ingress';
import { stopParts } from '../../data-path/support/parts';
import { Cluster, EXPOSURE } from '../../e2e/support/cluster';
import { CORE_GROUPS } from '../../e2e/support/delivery';

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
const KONNECTIVITY_HOST = 'tenant-01.konnectivity.example.com';
const VERSION = readFileSync(k0sProgram('version'), 'utf8').trim();

let cluster: Cluster;
let operator: Operator;
let k0s: StatefulPod;

function manifests(tcpProxy: boolean): any[] {
  const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) }), 'management');
  const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() });
  const controlPlane = new IngressExposedControlPlane(chart, NAME, {
    namespace: NAMESPACE,
    kubernetesVersion: VERSION,
    hostname: HOST,
    konnectivity: { hostname: KONNECTIVITY_HOST },
    platform: ControlPlanePlatform.k0smotron(),
    controller: IngressController.haproxy(),
  });
  const charts = tenants.of(controlPlane);
  if (tcpProxy) {
    new TcpProxyAddon(charts, 'tcp-proxy', { controlPlane });
  }
  return chart.toJson().filter(({ apiVersion }: any) => CORE_GROUPS.includes(apiVersion) || apiVersion.startsWith('k0smotron.io/'));
}

/** With the kubeconfig that k0smotron made. */
async function kubectl(...args: string[]): Promise<string> {
  const { data } = await cluster.get('secret', NAMESPACE, `${NAME}-kubeconfig`);
  writeFileSync(cluster.file('tenant.conf'), Buffer.from(data.value, 'base64'));
  return cluster.kubectl(args, { as: [`--kubeconfig=${cluster.file('tenant.conf')}`] });
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  cluster = await Cluster.start({ behindIngress: false, apiServerArgs: ['--service-cluster-ip-range=10.200.0.0/16'] });
  operator = await Operator.start(cluster, () => k0smotronOperator(process.env.K0SMOTRON_FOLDER!));
  await cluster.kubectl(['create', 'namespace', NAMESPACE]);
  await cluster.apply(manifests(false));
  const network = ownNetwork(cluster, 3);
  const etcd = await StatefulPod.start(cluster, network, NAMESPACE, `kmc-${NAME}-etcd`, [process.env.KUBEBUILDER_ASSETS!]);
  await etcd.report();
  k0s = await StatefulPod.start(cluster, network, NAMESPACE, `kmc-${NAME}`, [process.env.K0S_FOLDER!, k0sProgram('bin')]);
  const service = await cluster.get('service', NAMESPACE, `kmc-${NAME}`);
  network.serve(service.spec.clusterIP, `kmc-${NAME}.${NAMESPACE}.svc`);
  await startIngress(cluster.folder, { [HOST]: `${service.spec.clusterIP}:30443`, [KONNECTIVITY_HOST]: `${service.spec.clusterIP}:30132` }, 443);
  await serveExec(cluster, k0s, k0sProgram('exec-server'));
  await eventually(() => k0s.execute('k0s', 'status'), 180_000);
  await k0s.report();
}, 900_000);

afterAll(async () => {
  await stopParts();
  jest.restoreAllMocks();
});

test('k0s', async () => {
  console.log(k0s.process.output);
  await eventually(() => kubectl('get', '--raw=/readyz'), 60_000);
  console.log(await kubectl('get', 'all,endpoints,endpointslices', '-A'));
}, 300_000);
