import { execFile, execFileSync } from 'child_process';
import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { Agent } from './support/agent';
import { Cluster, EXPOSURE } from './support/cluster';
import { Delivered, Management } from './support/delivery';
import { Gateway } from './support/gateway';
import { Caller, Target, Watcher } from './support/moving-clients';
import { Following, published } from './support/pod-view';
import { deliveredProxy, Proxy } from './support/proxy';
import { Exposure, KubernetesServicePath } from '../../src';
import { CONTAINER } from '../../src/shared-gateway/gateway-pod';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CertificateAuthority } from '../support/certificates';

/*
 * A tenant moves from one management cluster to another and back, by the steps of docs/moving.md. Real are its API servers on one etcd,
 * those of the management clusters, sync in both, the gateways of both and the edge before them, and the tcp-proxy.
 */

jest.setTimeout(300_000);
afterAll(stopParts);

const [EDGE, NODE] = ['10.77.0.2', '10.77.0.3'];
const PORT = 20001;
const portRange = { first: 20000, last: 20999 };
const { host: HOST, port: SNI_PORT } = EXPOSURE.api;
/** TENANT_MOVE_FIGURES has the test say how each move went. */
const WATCHES = 50;

/** A management cluster, as far as it has to do with the tenant. */
interface Site {
  readonly name: string;
  readonly address: string;
  readonly management: Management;
  readonly gateway: Gateway;
  sync: Agent;
  /** The tenant's API server there. */
  tenant: Cluster;
}

interface Way {
  readonly delivered: Delivered;
  /** What `default/kubernetes` holds. */
  readonly endpoint: string;
  readonly pods: Omit<Target, 'token'>;
}

const WAYS = {
  'a tcp-proxy': { delivered: {}, endpoint: `${NODE}:6443`, pods: { host: NODE, port: 6443, servername: 'kubernetes.default.svc' } },
  'a port of the shared address': {
    delivered: { port: { addresses: [EDGE], port: PORT } }, endpoint: `${EDGE}:${PORT}`, pods: { host: EDGE, port: PORT, servername: 'kubernetes.default.svc' },
  },
} satisfies { [name: string]: Way };
type WayName = keyof typeof WAYS;

/** Kubelets and people dial the name. */
const BY_NAME: Target = { host: EDGE, port: SNI_PORT, servername: HOST };

let edge: Gateway;
let first: Site;
let second: Site;
let token: string;
let proxy: Proxy | undefined;
let doctorProgram: string;

/** A tenant at a gateway, by host and by port, on a Service with these ports. */
function atGateway(serviceName: string, apiPort: number, servicePort: number): GatewayTenant[] {
  const named = (name: string, hostname: string, backendPort: number, port?: number) => new Exposure({
    name,
    namespace: 'tenants',
    hostname,
    backend: { serviceName, apiPort: backendPort },
    ...port !== undefined && { kubernetesService: KubernetesServicePath.port({ addresses: [EDGE], port }) },
  });
  const [byHost, byPort] = [named('tenant-01', HOST, apiPort), named('by-port', 'by-port.k8s.example.com', servicePort, PORT)];
  return [{ exposure: byHost, routes: byHost.routes }, { exposure: byPort, routes: byPort.routes, portRoutes: [byPort.portRoute!] }];
}

/** The edge's lines of the tenant. */
function lead({ name, address }: Site): void {
  edge.mount(atGateway(name, CONTAINER.sniPort, PORT));
  edge.dns.records.set(`${name}.tenants.svc.cluster.local`, [address]);
}

async function site(name: string, address: string, tenant: Cluster, healthPort: number): Promise<Site> {
  execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']);
  const management = await Management.start();
  const gateway = await Gateway.start(atGateway(HOST.split('.')[0], tenant.port, tenant.port), [], { listenAddresses: [address], portRange }, undefined, healthPort);
  return { name, address, management, gateway, tenant, sync: undefined as unknown as Agent };
}

async function bring(of: Site, way: WayName, healthPort: number): Promise<void> {
  await of.management.apply(WAYS[way].delivered);
  await of.management.writeSecrets(of.tenant);
  of.sync = await of.management.startSync(`sync-${of.name}`, healthPort);
  await of.management.synced(of.sync);
}

async function leadsTo(endpoint: string): Promise<void> {
  await eventually(async () => (await published(second.tenant.apiServer?.alive ? second.tenant : first.tenant)).join() === endpoint, 60_000);
}

/** kubectl by the edge, as whoever these flags say. */
function whoami(flags: string[], at: Target = BY_NAME): Promise<string> {
  return first.tenant.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], {
    as: [`--server=https://${at.host}:${at.port}`, `--tls-server-name=${at.servername}`, `--certificate-authority=${first.tenant.caFile}`, '--kubeconfig=/dev/null', ...flags],
  });
}

/** What the doctor says of the tenant's host at an address, with the CA that nodes trust. */
function doctor(address: string, port: number): Promise<{ healthy: boolean; hops: { hop: string; status: string }[] }> {
  const args = [doctorProgram, 'doctor', 'live', HOST, '--connect-to', address, '--port', String(port), '--ca-file', first.tenant.caFile, '--output', 'json'];
  return new Promise((resolve, reject) => execFile(process.execPath, args, (_error, stdout, stderr) => {
    if (stdout === '') return reject(new Error(stderr));
    const { healthy, tenants: [{ hops }] } = JSON.parse(stdout);
    return resolve({ healthy, hops });
  }));
}

const failedHops = async (address: string, port = CONTAINER.sniPort) => (await doctor(address, port)).hops.filter(({ status }) => status === 'failed').map(({ hop }) => hop);

beforeAll(async () => {
  doctorProgram = join(mkdtempSync(join(tmpdir(), 'doctor-')), 'doctor.js');
  buildSync({ entryPoints: [join(__dirname, '..', '..', 'program', 'src', 'main.ts')], outfile: doctorProgram, bundle: true, platform: 'node', logLevel: 'warning' });
  const tenant = await Cluster.start({ behindIngress: false });
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': tenant.ca.certificate } }]);
  await tenant.kubectl(['create', 'serviceaccount', 'app', '--namespace=default']);
  await tenant.kubectl(['create', 'clusterrolebinding', 'app', '--clusterrole=cluster-admin', '--serviceaccount=default:app']);
  token = await tenant.token('default', 'app');
  first = await site('eu-1', '10.77.0.5', tenant, 8406);
  second = await site('eu-2', '10.77.0.6', tenant, 8407);
  edge = await Gateway.start([], [], { sniPort: SNI_PORT, portRange, listenAddresses: ['127.0.0.1', EDGE] });
  lead(first);
  second.gateway.mount([]);
  await bring(first, 'a tcp-proxy', 8411);
  proxy = await deliveredProxy(tenant, 'tcp-proxy-a', NODE);
  await leadsTo(WAYS['a tcp-proxy'].endpoint);
}, 300_000);

/** The steps of docs/moving.md, while clients come and go. */
async function move(from: Site, to: Site, way: WayName, healthPort: number): Promise<{ callers: Caller[]; watchers: Watcher[]; states: string[] }> {
  const targets: Target[] = [BY_NAME, { ...WAYS[way].pods, token }];
  const callers = targets.map(target => new Caller(from.tenant, target));
  const watchers: Watcher[] = [];
  while (watchers.length < WATCHES) watchers.push(await Watcher.start(from.tenant, targets[watchers.length % 2]));
  // 1. The control plane, with the Secrets and the datastore that it has.
  to.tenant = await from.tenant.elsewhere();
  to.gateway.mount(atGateway(HOST.split('.')[0], to.tenant.port, to.tenant.port));
  await eventually(async () => (await failedHops(to.address)).length === 0, 30_000);
  const following = await Following.start(to.tenant);
  // 2. What is delivered to the tenant.
  await bring(to, way, healthPort);
  await eventually(async () => (await from.management.status())?.phase === 'Moved', 60_000);
  // 3. The edge's lines.
  lead(to);
  const through = callers.map(({ calls }) => calls);
  await eventually(() => callers.every(({ calls }, i) => calls > through[i] + 20), 30_000);
  expect(watchers.filter(({ ends }) => ends > 0)).toEqual([]);
  // 4. The old API server ends, and with it what is still connected to it.
  await from.tenant.apiServer.kill('SIGTERM');
  await to.tenant.kubectl(['create', 'configmap', `seen-in-${to.name}`, '--namespace=default']);
  await eventually(() => watchers.every(({ events }) => events.includes(`"name":"seen-in-${to.name}"`)), 60_000);
  // 5. The old cluster forgets it.
  await from.management.removeBundle();
  await eventually(async () => (await from.management.status()) === undefined, 60_000);
  from.gateway.mount([]);
  await Promise.all([...callers, ...watchers].map(part => part.stop()));
  return { callers, watchers, states: following.states };
}

/** What a move must not do, and how it went. */
async function wentWell(way: WayName, { callers, watchers, states }: { callers: Caller[]; watchers: Watcher[]; states: string[] }): Promise<void> {
  if (process.env.TENANT_MOVE_FIGURES) {
    const calls = callers.map(({ calls: all, failures, refusedMs }) => `${failures.length} of ${all} calls failed, ${Math.round(refusedMs)} ms`).join('; ');
    const ends = watchers.map(watcher => watcher.ends);
    process.stdout.write(`${way}: ${calls}; watches ended ${ends.reduce((sum, count) => sum + count, 0)} times, at most ${Math.max(...ends)} each\n`);
  }
  expect(callers.map(({ refusedMs }) => refusedMs < 5_000)).toEqual([true, true]);
  expect(Math.max(...watchers.map(({ ends }) => ends))).toBeLessThanOrEqual(1);
  expect(states).toEqual([WAYS[way].endpoint]);
}

test('a tenant with a tcp-proxy moves', async () => {
  const went = await move(first, second, 'a tcp-proxy', 8412);
  await wentWell('a tcp-proxy', went);
  expect(await second.tenant.get('deployment', 'kube-system', 'tcp-proxy')).toBeDefined();
  expect(await second.tenant.get('secret', 'kube-system', 'tcp-proxy-tls')).toBeDefined();
});

test('nodes and pods are who they were', async () => {
  const { certificate, key } = await first.tenant.ca.issue({ commonName: 'system:node:node-1', organization: 'system:nodes', keyType: 'ecdsa' });
  first.tenant.writePair('kubelet', { certificate, key });
  expect(await whoami([`--client-certificate=${first.tenant.file('kubelet.crt')}`, `--client-key=${first.tenant.file('kubelet.key')}`])).toBe('system:node:node-1');
  expect(await whoami([`--token=${token}`])).toBe('system:serviceaccount:default:app');
  expect(await whoami([`--token=${token}`], WAYS['a tcp-proxy'].pods)).toBe('system:serviceaccount:default:app');
});

test('it takes a port of the shared address in its new place, and moves back', async () => {
  await second.management.apply(WAYS['a port of the shared address'].delivered);
  await leadsTo(WAYS['a port of the shared address'].endpoint);
  await second.tenant.kubectl(['delete', 'pod', '--namespace=kube-system', proxy!.name, '--force', '--grace-period=0']);
  await proxy!.stop();
  await second.management.synced(second.sync);
  await first.sync.stop();
  const went = await move(second, first, 'a port of the shared address', 8411);
  await wentWell('a port of the shared address', went);
  expect(await whoami([`--token=${token}`], WAYS['a port of the shared address'].pods)).toBe('system:serviceaccount:default:app');
});

describe('in the wrong order', () => {
  test('the edge leads to a place where no API server is yet: the doctor says so there', async () => {
    second.gateway.mount([]);
    expect((await doctor(second.address, CONTAINER.sniPort)).healthy).toBe(false);
  });

  test('an API server with another CA: the doctor says so', async () => {
    const wrong = await first.tenant.elsewhere({ ca: await CertificateAuthority.create('kubernetes', 'ecdsa') });
    second.gateway.mount(atGateway(HOST.split('.')[0], wrong.port, wrong.port));
    await eventually(async () => (await failedHops(second.address)).join() === 'chain', 30_000);
    await wrong.apiServer.kill('SIGTERM');
  });

  test('an API server with other keys of service accounts, or an empty datastore, looks healthy from outside', async () => {
    for (const options of [{ ownServiceAccountKeys: true }, { etcdPrefix: '/elsewhere' }]) {
      const wrong = await first.tenant.elsewhere(options);
      second.gateway.mount(atGateway(HOST.split('.')[0], wrong.port, wrong.port));
      await eventually(async () => (await failedHops(second.address)).length === 0, 30_000);
      const seen = async (of: Cluster) => [
        await of.kubectl(['get', '--raw=/openid/v1/jwks']), await of.kubectl(['get', 'namespace', 'kube-system', '--output=jsonpath={.metadata.uid}']),
      ];
      const [right, found] = [await seen(first.tenant), await seen(wrong)];
      expect(found.map((text, i) => text === right[i])).toEqual(options.ownServiceAccountKeys ? [false, true] : [true, false]);
      await wrong.apiServer.kill('SIGTERM');
    }
  });
});
