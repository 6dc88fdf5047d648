import { createHash, randomBytes } from 'crypto';
import { readFileSync } from 'fs';
import { createServer, IncomingMessage } from 'http';
import { request } from 'https';
import { AddressInfo, Socket } from 'net';
import { connect } from 'tls';
import { Agent } from './support/agent';
import { Cluster, EXPOSURE } from './support/cluster';
import { Delivered, Management } from './support/delivery';
import { Gateway } from './support/gateway';
import { CLUSTER_IP, Following, published, ServiceProxy } from './support/pod-view';
import { deliveredProxy, Proxy } from './support/proxy';
import { Exposure, KubernetesServicePath } from '../../src';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { freePorts } from '../support/ports';

/*
 * Pods reach the API server at a port of the shared address, and no pod of ours is in the tenant. Real are the API servers, sync, the
 * gateway and its HAProxy; the test plays kube-proxy, by the EndpointSlices of the API server.
 */

/** Addresses of the edge; both are of the network namespace, see scripts/e2e.sh. */
const EDGE = ['10.77.0.2', '10.77.0.3'];
const NODE = '10.77.0.3';
const RANGE = { first: 20000, last: 20999 };
const PORT = 20001;
const AT_PORT: Delivered = { port: { addresses: EDGE, port: PORT } };
/** How often a wrong port or address is tried; the figure that is claimed takes 20,000. */
const TRIES = Number(process.env.TENANT_PORT_TRIES ?? 400);

let management: Management;
let tenant: Cluster;
let other: Cluster;
let gateway: Gateway;
let sync: Agent;

/** A tenant at the gateway, with the port of the Service that leads to its API server. */
function atGateway(cluster: Cluster, name: string, port: number): GatewayTenant {
  const exposure = new Exposure({
    name,
    namespace: 'tenants',
    hostname: `${name}.k8s.example.com`,
    backend: { serviceName: name, apiPort: cluster.port },
    kubernetesService: KubernetesServicePath.port({ addresses: EDGE, port }),
  });
  return { exposure, routes: exposure.routes, portRoutes: [exposure.portRoute!] };
}

function tenants(port = PORT): GatewayTenant[] {
  return [atGateway(tenant, 'tenant-01', port), atGateway(other, 'tenant-02', 20002)];
}

async function leadsTo(...targets: string[]): Promise<void> {
  await eventually(async () => {
    const found = (await published(tenant)).sort().join();
    if (found !== targets.sort().join()) {
      throw new Error(`leads to ${found}\n${sync.output.slice(-2_000)}`);
    }
    return true;
  }, 60_000);
}

const edgeAt = (port: number, addresses = EDGE) => addresses.map(address => `${address}:${port}`);

/** kubectl in a pod: at the ClusterIP, without a server name in its TLS. */
function inPod(identity: string[], ...args: string[]): Promise<string> {
  return tenant.kubectl(args, { as: [`--server=https://${CLUSTER_IP}`, `--certificate-authority=${tenant.caFile}`, '--kubeconfig=/dev/null', ...identity] });
}

const byCertificate = () => [`--client-certificate=${tenant.file('admin.crt')}`, `--client-key=${tenant.file('admin.key')}`];

beforeAll(async () => {
  const exposure = (name: string) => new Exposure({ name, namespace: 'tenants', hostname: `${name}.k8s.example.com`, certSans: [CLUSTER_IP] });
  [management, tenant, other] = await Promise.all([
    Management.start(), Cluster.start({ behindIngress: true, exposure: exposure(EXPOSURE.name) }), Cluster.start({ behindIngress: false, exposure: exposure('tenant-02') }),
  ]);
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': tenant.ca.certificate } }]);
  gateway = await Gateway.start(tenants(), [], { portRange: RANGE, listenAddresses: ['127.0.0.1', ...EDGE] });
  await management.apply(AT_PORT);
  await management.writeSecrets(tenant);
  sync = await management.startSync('sync-a', 8411);
  await management.synced(sync);
  await leadsTo(...edgeAt(PORT));
  await ServiceProxy.start(tenant);
}, 300_000);

afterAll(stopParts);

describe('a pod at the ClusterIP', () => {
  test('is who its client certificate says', async () => {
    expect(JSON.parse(await inPod(byCertificate(), 'auth', 'whoami', '--output=json')).status.userInfo)
      .toMatchObject({ username: 'admin', groups: expect.arrayContaining(['system:masters']) });
  });

  test('is who its token says', async () => {
    await tenant.kubectl(['create', 'serviceaccount', 'app', '--namespace=default']);
    const token = await tenant.token('default', 'app');
    expect(JSON.parse(await inPod([`--token=${token}`], 'auth', 'whoami', '--output=json')).status.userInfo.username).toBe('system:serviceaccount:default:app');
  });

  test('reaches it by its name as well', async () => {
    expect(await inPod([...byCertificate(), '--tls-server-name=kubernetes.default.svc'], 'get', '--raw=/readyz')).toBe('ok');
  });

  test('watches', async () => {
    const response = await asPod('/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=60');
    let events = '';
    response.setEncoding('utf8').on('data', text => events += text);
    await tenant.kubectl(['create', 'configmap', 'seen', '--namespace=default']);
    await eventually(async () => events.includes('"name":"seen"'), 20_000);
    response.destroy();
  });

  test('keeps a connection that is upgraded, as exec does: here to a server in a pod', async () => {
    const echo = createServer().on('upgrade', (incoming, socket: Socket) => {
      const accept = createHash('sha1').update(`${incoming.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
      socket.pipe(socket);
    });
    await new Promise<void>(resolve => echo.listen(0, NODE, resolve));
    const { port } = echo.address() as AddressInfo;
    // The API server leads requests to pods that it knows at this address.
    await tenant.apply([{
      apiVersion: 'v1', kind: 'Pod', metadata: { name: 'echo', namespace: 'default' }, spec: { nodeName: 'node', containers: [{ name: 'echo', image: 'echo' }] },
    }]);
    await tenant.kubectl(['patch', 'pod', '--namespace=default', 'echo', '--subresource=status', '--patch', JSON.stringify({
      status: { phase: 'Running', podIP: NODE, podIPs: [{ ip: NODE }] },
    })]);
    try {
      const socket = await upgraded(`/api/v1/namespaces/default/pods/http:echo:${port}/proxy/`);
      const sent = randomBytes(64 * 1024);
      const received: Buffer[] = [];
      socket.on('data', chunk => received.push(chunk));
      socket.write(sent);
      await eventually(async () => Buffer.concat(received).equals(sent), 20_000);
      socket.destroy();
    } finally {
      echo.close();
    }
  });
});

test('no pod of ours is in the tenant, and no certificate', async () => {
  expect(await tenant.kubectl(['get', 'pods,deployments,daemonsets,secrets', '--all-namespaces', '--output=name'])).not.toContain('tcp-proxy');
});

test('two API servers on one etcd, and one restarts: the endpoints are never empty', async () => {
  const [port] = await freePorts(1);
  const second = await tenant.startReplica(port);
  const following = await Following.start(tenant);
  await second.kill('SIGTERM');
  const again = await tenant.startReplica(port);
  await again.kill('SIGTERM');
  expect(following.states).toEqual([edgeAt(PORT).join()]);
  expect(following.ended).toBe(false);
}, 180_000);

test('the last API server that leases erases the endpoints while it stops: sync writes them again at once', async () => {
  const [port] = await freePorts(1);
  const following = await Following.start(tenant);
  tenant.endpointReconciler = 'lease';
  const leasing = await tenant.startReplica(port);
  tenant.endpointReconciler = 'none';
  await eventually(async () => following.states.some(state => state.startsWith('10.77.0.1:')), 30_000);
  await leadsTo(...edgeAt(PORT));
  await leasing.kill('SIGTERM');
  await eventually(async () => following.states.includes(''), 30_000);
  await leadsTo(...edgeAt(PORT));
  await eventually(async () => following.states[following.states.length - 1] === edgeAt(PORT).join(), 10_000);
}, 180_000);

test('the address and the port change without a moment without endpoints', async () => {
  const following = await Following.start(tenant);
  gateway.mount([...tenants(), atGateway(tenant, 'moved', 20777)]);
  await management.apply({ port: { addresses: [EDGE[1]], port: 20777 } });
  await management.synced(sync);
  await leadsTo(...edgeAt(20777, [EDGE[1]]));
  await eventually(async () => (await inPod(byCertificate(), 'get', '--raw=/readyz')) === 'ok', 30_000);
  await management.apply(AT_PORT);
  await leadsTo(...edgeAt(PORT));
  gateway.mount(tenants());
  expect(following.states).toEqual([edgeAt(PORT), edgeAt(20777, [EDGE[1]]), edgeAt(PORT)].map(targets => targets.join()));
}, 180_000);

test('a tenant goes to a tcp-proxy and comes back, without a moment without endpoints', async () => {
  const following = await Following.start(tenant);
  await management.apply({});
  await management.synced(sync);
  const pod = await proxy('tcp-proxy-a');
  await leadsTo(`${NODE}:6443`);

  await management.apply(AT_PORT);
  await leadsTo(...edgeAt(PORT));
  await pod.delete();
  await management.synced(sync);
  await leadsTo(...edgeAt(PORT));
  expect(await inPod(byCertificate(), 'get', '--raw=/readyz')).toBe('ok');
  expect(following.states).not.toContain('');
  expect(following.ended).toBe(false);
}, 300_000);

test(`wrong ports and addresses never meet the certificate of another tenant (${TRIES} tries)`, async () => {
  const seen = { own: 0, other: 0, closed: 0 };
  const ports = Array.from({ length: RANGE.last - RANGE.first + 1 }, (_, i) => RANGE.first + i);
  for (let i = 0; i < TRIES; i += 20) {
    await Promise.all(Array.from({ length: 20 }, async (_, j) => {
      const port = (i + j) % 4 === 0 ? [PORT, 20002][(i + j) / 4 % 2] : ports[Math.floor(Math.random() * ports.length)];
      const issuer = await issuerAt(EDGE[(i + j) % 2], port);
      const expected = { [PORT]: tenant.ca.certificate, 20002: other.ca.certificate }[port];
      expect({ port, issuer }).toEqual({ port, issuer: expected });
      seen[issuer === undefined ? 'closed' : issuer === tenant.ca.certificate ? 'own' : 'other']++;
    }));
  }
  process.stdout.write(`tenant-port: ${JSON.stringify(seen)} of ${TRIES} tries\n`);
  expect(seen.own).toBeGreaterThan(0);
  expect(seen.other).toBeGreaterThan(0);
  // With the CA of its own tenant, a pod refuses the other's port.
  await expect(tenant.kubectl(['get', '--raw=/readyz'], {
    as: [`--server=https://${EDGE[0]}:20002`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${tenant.caFile}`, '--kubeconfig=/dev/null', ...byCertificate()],
  })).rejects.toThrow('certificate signed by unknown authority');
}, 600_000);

/** A request at the ClusterIP with the administrator's certificate. */
function asPod(path: string, headers: { [name: string]: string } = {}, onUpgrade?: (socket: Socket) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({
      host: CLUSTER_IP,
      path,
      headers,
      ca: readFileSync(tenant.caFile),
      cert: readFileSync(tenant.file('admin.crt')),
      key: readFileSync(tenant.file('admin.key')),
      agent: false,
    }, resolve).on('upgrade', (_, socket) => onUpgrade?.(socket)).on('error', reject).end();
  });
}

function upgraded(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    asPod(path, { 'Connection': 'Upgrade', 'Upgrade': 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64') }, resolve)
      .then(response => response.setEncoding('utf8').on('data', text => reject(new Error(`not upgraded: ${response.statusCode} ${text}`))), reject);
  });
}

/** The certificate of the tenant CA by which a server at an address and port shows itself; undefined when there is none. */
async function issuerAt(host: string, port: number): Promise<string | undefined> {
  for (const cluster of [tenant, other]) {
    const verified = await new Promise<boolean | undefined>(resolve => {
      const socket = connect({ host, port, ca: cluster.ca.certificate, servername: 'kubernetes.default.svc' }, () => {
        resolve(true);
        socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(/CERT|SIGNATURE|SELF_SIGNED|VERIFY/.test(error.code ?? '') ? false : undefined));
      socket.on('close', () => resolve(undefined));
    });
    if (verified === undefined) {
      return undefined;
    }
    if (verified) {
      return cluster.ca.certificate;
    }
  }
  throw new Error(`${host}:${port} shows a certificate of nobody`);
}

/** A pod of the tcp-proxy that owns the endpoints, once it is ready and published. */
async function proxy(name: string): Promise<Proxy> {
  const started = await deliveredProxy(tenant, name, NODE);
  return started;
}
