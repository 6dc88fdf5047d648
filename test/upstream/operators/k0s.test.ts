import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect } from 'tls';
import { gunzipSync } from 'zlib';
import { App, Chart } from 'cdk8s';
import { serveExec } from './support/exec-server';
import { HostedK0s, K0S_API_SERVER_VERSION, K0S_VERSION, KONNECTIVITY_HOST } from './support/hosted-k0s';
import { startKonnectivityAgent } from './support/konnectivity-agent';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, K0smotronJoinToken, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../../src';
import { eventually } from '../../data-path/support/eventually';
import { stopParts } from '../../data-path/support/parts';
import { EXPOSURE } from '../../e2e/support/cluster';
import { CORE_GROUPS, Management } from '../../e2e/support/delivery';
import { Mounts, Proxy } from '../../e2e/support/proxy';

/*
 * One tenant of k0smotron from the manifests to what runs in it, with k0s itself. It begins without a tcp-proxy of this library, and gets
 * one as "Added to a cluster that runs" of docs/k0smotron.md says.
 */

const { name: NAME, namespace: NAMESPACE, api: { host: HOST } } = EXPOSURE;
/** Of nodes of the tenant; scripts/e2e.sh gives both to the tests. */
const [NODE_ADDRESS, WORKER_ADDRESS] = ['10.77.0.2', '10.77.0.3'];
/** Of a tenant. */
const TESTS = 11;

let tenant: HostedK0s;
let passed = 0;

function controlPlaneIn(chart: Chart): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, NAME, {
    namespace: NAMESPACE,
    kubernetesVersion: K0S_VERSION,
    hostname: HOST,
    konnectivity: { hostname: KONNECTIVITY_HOST },
    platform: ControlPlanePlatform.k0smotron(),
    controller: IngressController.haproxy(),
  });
}

/** The objects of the management cluster, with what is added later. */
function manifests(...added: ('token' | 'tcp-proxy')[]): any[] {
  const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'dist-')) }), 'management');
  const tenants = new TenantCharts(chart, 'tenants', { delivery: TenantDelivery.sync() });
  const controlPlane = controlPlaneIn(chart);
  const charts = tenants.of(controlPlane);
  if (added.includes('token')) {
    new K0smotronJoinToken(chart, 'token', { controlPlane });
  }
  if (added.includes('tcp-proxy')) {
    new TcpProxyAddon(charts, 'tcp-proxy', { controlPlane });
  }
  return chart.toJson().filter(({ apiVersion }: any) => CORE_GROUPS.includes(apiVersion) || apiVersion.startsWith('k0smotron.io/'));
}

/** Names in the certificate that somebody is shown at the public host. */
function namesShown(): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: 443, servername: HOST, rejectUnauthorized: false }, () => {
      const { subjectaltname = '' } = socket.getPeerCertificate();
      socket.end();
      resolve(subjectaltname.split(', ').map(name => name.replace(/^(DNS|IP Address):/, '')));
    }).on('error', reject);
  });
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  tenant = await HostedK0s.start(manifests());
}, 900_000);

afterAll(async () => {
  await tenant?.record(
    'a tenant: k0s with the commands, configuration and Secrets of the operator, kubectl at the public host, names of the certificate, '
    + 'commands in a pod through a konnectivity agent that dials its public host, a join token, a tcp-proxy added to a cluster that runs, its endpoints and their life after k0s restarts, sync, removal',
    passed === TESTS,
  );
  await stopParts();
  jest.restoreAllMocks();
});

test('k0smotron makes a kubeconfig with k0s, and it leads to the public host', async () => {
  expect(await tenant.kubectl('config', 'view', '--output=jsonpath={.clusters[0].cluster.server}')).toBe(`https://${HOST}:443`);
  expect(await tenant.kubectl('get', '--raw=/version')).toContain(`v${K0S_API_SERVER_VERSION}`);
  expect(await tenant.kubectl('auth', 'can-i', '*', '*')).toContain('yes');
  passed++;
});

test('the certificate has the names that this library says', async () => {
  const { exposure } = controlPlaneIn(new Chart(new App(), 'management'));
  expect(await namesShown()).toEqual(expect.arrayContaining([...exposure.certSans, ...exposure.inClusterNames, HOST, KONNECTIVITY_HOST]));
  passed++;
});

test('no API server writes endpoints, and k0s leaves them as well', async () => {
  expect(await tenant.apiServerFlag('endpoint-reconciler-type')).toBe('none');
  expect(await tenant.apiServerFlag('anonymous-auth')).toBe('false');
  // k0smotron's placeholder, or nothing when the controller manager has seen that no pod is behind the Service.
  const { subsets = [] } = await tenant.get('endpoints', 'default', 'kubernetes');
  expect(subsets.filter(({ addresses }: any) => addresses.some(({ ip }: any) => ip !== '1.2.3.4'))).toEqual([]);
  passed++;
});

test('konnectivity agents dial the shared address', async () => {
  const agent = await eventually(() => tenant.get('daemonset', 'kube-system', 'konnectivity-agent'), 120_000);
  expect(agent.spec.template.spec.containers[0].args).toEqual(expect.arrayContaining([`--proxy-server-host=${KONNECTIVITY_HOST}`, '--proxy-server-port=443']));
  passed++;
}, 150_000);

test('commands run in pods of the tenant through an agent that dials the shared address, and not without one', async () => {
  const worker = { name: 'worker', address: WORKER_ADDRESS };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'app', namespace: 'default' }, spec: { nodeName: worker.name, containers: [{ name: 'app', image: 'app' }] } };
  await eventually(() => tenant.get('serviceaccount', 'default', 'default'), 120_000);
  await serveExec(tenant.asCluster, { ...worker, authority: await tenant.authority(), pod, enter: ['env', 'NODE=worker'] });
  const execute = (input: string, ...command: string[]) => tenant.asCluster.kubectl(['exec', '--namespace=default', '--stdin', 'app', '--', ...command], { input });
  const hello = () => execute('hello', 'sh', '-c', 'cat; echo " from the $NODE"');
  await expect(hello()).rejects.toThrow('No agent available');
  const agent = await startKonnectivityAgent(tenant.asCluster, join(process.env.K0S_FOLDER!, 'bin', 'konnectivity-agent'), worker.address);
  expect(await eventually(hello, 120_000).catch(error => {
    throw new Error(`${error}\n${agent.output.slice(-8000)}`);
  })).toBe('hello from the worker\n');
  expect((await execute('', 'head', '--bytes=20000000', '/dev/zero')).length).toBe(20_000_000);
  // At SIGTERM it asks for no new connections, and goes on with those that are open until the kubelet kills it.
  await agent.kill('SIGKILL');
  await eventually(() => expect(hello()).rejects.toThrow('No agent available').then(() => true), 60_000);
  passed++;
}, 400_000);

test('a join token leads to the public host', async () => {
  await tenant.management.apply(manifests('token'));
  const secret = await eventually(() => tenant.management.get('secret', NAMESPACE, `${NAME}-worker-token`), 120_000);
  const token = Buffer.from(secret.data.token, 'base64').toString();
  expect(gunzipSync(Buffer.from(token, 'base64')).toString()).toContain(`server: https://${HOST}:443`);
  passed++;
}, 150_000);

test('a tcp-proxy that is added takes the proxy of k0smotron out, and the Service comes back with its address', async () => {
  await eventually(() => tenant.get('daemonset', 'default', 'k0smotron-haproxy'), 120_000);
  const before = await eventually(async () => {
    const service = await tenant.get('service', 'default', 'kubernetes');
    return service.spec.selector && service;
  }, 60_000);
  await tenant.management.apply(manifests('token', 'tcp-proxy'));
  await eventually(async () => (await tenant.management.get('configmap', NAMESPACE, `kmc-${NAME}-ingress`)).data['2_haproxy-ds.yaml'] === undefined, 120_000);
  await tenant.k0s.updateVolumes();
  const after = await eventually(async () => {
    const [proxy, service] = [await tenant.get('daemonset', 'default', 'k0smotron-haproxy'), await tenant.get('service', 'default', 'kubernetes')];
    return proxy === undefined && service !== undefined && service.metadata.uid !== before.metadata.uid && service;
  }, 180_000);
  expect(after.spec.selector).toBeUndefined();
  expect(after.spec.clusterIPs).toEqual(before.spec.clusterIPs);
  passed++;
}, 400_000);

test('anonymous requests for health are allowed by a restart of the rollout, not before', async () => {
  expect(await tenant.apiServerFlag('anonymous-auth')).toBe('false');
  await tenant.replace();
  expect(await tenant.apiServerFlag('anonymous-auth')).toBe('true');
  expect(await tenant.apiServerFlag('endpoint-reconciler-type')).toBe('none');
  passed++;
}, 300_000);

test('sync brings the tcp-proxy and its certificate, by the Secrets that k0smotron made', async () => {
  const management = Management.of(tenant.management, 'tenant-sync');
  await management.synced(await management.startSync('sync-k0s', 8412), 120_000);
  expect(await tenant.get('deployment', 'kube-system', 'tcp-proxy')).toBeDefined();
  expect(await tenant.get('secret', 'kube-system', 'tcp-proxy-tls')).toMatchObject({ type: 'kubernetes.io/tls' });
  passed++;
}, 180_000);

test('the endpoints are those of the tcp-proxy, in one slice, and stay so when k0s starts again', async () => {
  const { data } = await tenant.get('secret', 'kube-system', 'tcp-proxy-tls');
  const { data: ca } = await tenant.management.get('secret', NAMESPACE, `${NAME}-ca`);
  const text = (base64: string) => Buffer.from(base64, 'base64').toString();
  const caFile = tenant.management.file('tenant-ca.crt');
  writeFileSync(caFile, text(ca['tls.crt']));
  const mounts: Mounts = { caFile, certificate: { certificate: text(data['tls.crt']), key: text(data['tls.key']) } };
  await tenant.kubectl('create', 'node', `node-${NODE_ADDRESS}`).catch(() => undefined);
  const proxy = await Proxy.start(tenant.asCluster, 'tcp-proxy-a', NODE_ADDRESS, mounts);
  await proxy.ready(60_000);
  const ours = [`endpoints ${NODE_ADDRESS}:6443`, `kubernetes ${NODE_ADDRESS}:6443`];
  await tenant.publishes(ours, 60_000);
  await tenant.restart();
  await tenant.publishes(ours, 60_000);
  passed++;
}, 400_000);

test('the control plane goes with all that is its', async () => {
  await tenant.management.kubectl(['delete', 'clusters.k0smotron.io', NAME, '--namespace', NAMESPACE, '--timeout=120s']);
  expect(await tenant.management.get('clusters.k0smotron.io', NAMESPACE, NAME)).toBeUndefined();
  passed++;
}, 150_000);
