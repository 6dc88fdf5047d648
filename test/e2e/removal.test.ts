import { Agent } from './support/agent';
import { Cluster } from './support/cluster';
import { controlPlaneSpec, Delivered, Management } from './support/delivery';
import { deliveredProxy, Proxy } from './support/proxy';
import { TcpProxyEndpoints } from '../../src';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { ApiServer, applyByClient, create, KAMAJI, reconcile } from '../platforms/operator-rules';

/*
 * A tcp-proxy comes and goes. The API server is a real one, and has the flags that its operator would give it by its rules:
 * those that it once had stay while `extraArgs` is absent in the custom resource.
 */
const NODE = '10.77.0.2';
const API_SERVER = '10.77.0.1';
const WITHOUT: Delivered = { tcpProxy: false, configMaps: ['further'] };
const OWNED: Delivered = { endpoints: TcpProxyEndpoints.owned(), configMaps: ['further'] };
const FIXED: Delivered = { endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['100.64.30.10'] }), configMaps: ['further'] };

/** The operator of the tenant: its custom resource, and the Deployment that it makes of it. */
class Operator {
  private last: any;
  private live: any;
  private apiServer?: ApiServer;

  public constructor(private readonly tenant: Cluster) {}

  /** `kubectl apply` of a custom resource, and what the operator does then; the API server restarts when its flags change. */
  public async apply(spec: any): Promise<void> {
    this.live = this.live ? applyByClient(this.last, spec, this.live) : create(spec);
    this.last = spec;
    this.apiServer = reconcile(this.live, this.apiServer, KAMAJI);
    const reconciler = this.apiServer.args.includes('--endpoint-reconciler-type=none') ? 'none' : 'lease';
    if (reconciler !== this.tenant.endpointReconciler) {
      this.tenant.endpointReconciler = reconciler;
      await this.tenant.apiServer.kill('SIGTERM');
      await this.tenant.startApiServer();
    }
  }
}

let management: Management;
let tenant: Cluster;
let operator: Operator;
let sync: Agent;

/** The addresses that pods are led to. */
async function published(): Promise<string[]> {
  const { items } = JSON.parse(await tenant.kubectl(['get', 'endpointslices', '--namespace=default', '--selector=kubernetes.io/service-name=kubernetes', '--output=json']));
  return items.flatMap((slice: any) => (slice.endpoints ?? []).flatMap((endpoint: any) => endpoint.addresses));
}

async function legacy(): Promise<string[]> {
  const endpoints = await tenant.get('endpoints', 'default', 'kubernetes');
  return (endpoints?.subsets ?? []).flatMap((subset: any) => subset.addresses.map(({ ip }: any) => ip));
}

/** A pod of the tcp-proxy that owns the endpoints, once it is ready and published. */
async function proxy(name: string): Promise<Proxy> {
  const started = await deliveredProxy(tenant, name, NODE);
  await eventually(async () => (await published()).join() === NODE, 30_000);
  return started;
}

/** Waits until sync says that nobody publishes the endpoints, and why. */
async function awaited(): Promise<void> {
  await eventually(async () => {
    const { phase, message } = await management.status();
    return phase === 'Pruning' && message.includes('default/kubernetes has no endpoints') && message.includes('--endpoint-reconciler-type=none');
  }, 60_000);
}

async function takenByTheApiServer(): Promise<void> {
  await management.synced(sync);
  expect(await published()).toEqual([API_SERVER]);
  expect(await legacy()).toEqual([API_SERVER]);
}

beforeAll(async () => {
  [management, tenant] = await Promise.all([Management.start(), Cluster.start()]);
  operator = new Operator(tenant);
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': tenant.ca.certificate } }]);
}, 180_000);

afterAll(stopParts);

test('a tenant is created without a tcp-proxy, and its API server publishes itself', async () => {
  await operator.apply(controlPlaneSpec(WITHOUT));
  await management.apply(WITHOUT);
  await management.writeSecrets(tenant);
  sync = await management.startSync('sync-a', 8411);
  await management.synced(sync);
  expect(await published()).toEqual([API_SERVER]);
}, 120_000);

test.each([
  ['is taken out', WITHOUT],
  ['leaves the endpoints to the API server', FIXED],
])('a tcp-proxy comes and owns the endpoints, and then %s: sync says so once the API server has them', async (_what, then) => {
  await operator.apply(controlPlaneSpec(OWNED));
  await management.apply(OWNED);
  await management.synced(sync);
  const pod = await proxy('tcp-proxy-a');

  await management.apply(then);
  await pod.delete();
  await awaited();
  expect(await published()).toEqual([]);
  // The custom resource of an older release of this library: the flag stays, and so does what sync says.
  const { deployment: _none, ...controlPlane } = controlPlaneSpec(then).controlPlane;
  await operator.apply({ ...controlPlaneSpec(then), controlPlane: { ...controlPlane, deployment: { replicas: 2 } } });
  await awaited();
  expect(await published()).toEqual([]);

  await operator.apply(controlPlaneSpec(then));
  await takenByTheApiServer();
  expect(await tenant.get('role', 'default', 'tcp-proxy-endpoints')).toBeUndefined();
}, 300_000);

test('a bundle that is removed keeps its status until the API server has the endpoints', async () => {
  await operator.apply(controlPlaneSpec(OWNED));
  await management.apply(OWNED);
  await management.synced(sync);
  const pod = await proxy('tcp-proxy-b');

  await management.removeBundle();
  await pod.delete();
  await eventually(async () => {
    const { phase, message } = await management.status();
    return phase === 'Removing' && message.includes('--endpoint-reconciler-type=none');
  }, 60_000);
  await operator.apply(controlPlaneSpec(WITHOUT));
  await eventually(async () => (await management.status()) === undefined, 60_000);
  expect(await published()).toEqual([API_SERVER]);
}, 300_000);
