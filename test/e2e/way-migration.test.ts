import { execFileSync } from 'child_process';
import { Agent } from './support/agent';
import { Cluster } from './support/cluster';
import { Delivered, Management } from './support/delivery';
import { Gateway } from './support/gateway';
import { Following, published } from './support/pod-view';
import { deliveredProxy, Proxy } from './support/proxy';
import { Exposure, KubernetesServicePath } from '../../src';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';

/*
 * A tenant whose Services are IPv6 has each of the three ways for some time: an address of its own, a port of its own, a tcp-proxy. Real are
 * its API server, sync, the gateway and the tcp-proxy, each with its HAProxy.
 */

jest.setTimeout(300_000);
afterAll(stopParts);

const PREFIX = '2001:db8:1::/64';
const [EDGE, NODE, ADDRESS] = ['2001:db8:99::10', '2001:db8:99::3', '2001:db8:1::10'];
const PORT = 20001;
const ADDRESS_PORT = 7443;
const network = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };

interface Way {
  readonly delivered: Delivered;
  /** What `default/kubernetes` holds. */
  readonly endpoint: { readonly address: string; readonly port: number };
}

const WAYS = {
  'an address': { delivered: { address: { address: ADDRESS }, network }, endpoint: { address: ADDRESS, port: ADDRESS_PORT } },
  'a port': { delivered: { port: { addresses: [EDGE], port: PORT }, network }, endpoint: { address: EDGE, port: PORT } },
  'a tcp-proxy': { delivered: { network }, endpoint: { address: NODE, port: 6443 } },
} satisfies { [name: string]: Way };
type WayName = keyof typeof WAYS;

let management: Management;
let tenant: Cluster;
let sync: Agent;
let token: string;
let proxy: Proxy | undefined;

beforeAll(async () => {
  [EDGE, NODE].forEach(address => execFileSync('ip', ['address', 'replace', `${address}/128`, 'dev', 'lo', 'nodad']));
  expect((await new Agent(['address', `--local-network=${PREFIX}`, '--once']).exited).code).toBe(0);
  [management, tenant] = await Promise.all([
    Management.start(), Cluster.start({ apiServerArgs: [`--service-cluster-ip-range=${network.serviceCidrs[0]}`, '--advertise-address=2001:db8:99::1'] }),
  ]);
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': tenant.ca.certificate } }]);
  await tenant.kubectl(['create', 'serviceaccount', 'app', '--namespace=default']);
  token = await tenant.token('default', 'app');
  // A gateway has the routes of both ways at the same time, and so has a tenant that moves.
  await Gateway.start([atGateway('by-address', true), atGateway('by-port', false)], [], {
    addressPort: ADDRESS_PORT, portRange: { first: 20000, last: 20999 }, listenAddresses: ['127.0.0.1', EDGE],
  });
  await management.apply(WAYS['an address'].delivered);
  await management.writeSecrets(tenant);
  sync = await management.startSync('sync-a', 8411);
  await management.synced(sync);
  await leadsBy('an address');
}, 300_000);

function atGateway(name: string, byAddress: boolean): GatewayTenant {
  const exposure = new Exposure({
    name,
    namespace: 'tenants',
    hostname: `${name}.k8s.example.com`,
    backend: { serviceName: name, apiPort: tenant.port },
    network,
    kubernetesService: byAddress
      ? KubernetesServicePath.ipv6Address({ address: ADDRESS })
      : KubernetesServicePath.port({ addresses: [EDGE], port: PORT }),
  });
  return byAddress
    ? { exposure, routes: exposure.routes, address: { address: ADDRESS, route: exposure.addressRoute! } }
    : { exposure, routes: exposure.routes, portRoutes: [exposure.portRoute!] };
}

const textOf = (way: WayName) => `${WAYS[way].endpoint.address}:${WAYS[way].endpoint.port}`;

/** Waits until the endpoints are those of the way alone, and asks there as a pod does. */
async function leadsBy(way: WayName): Promise<void> {
  await eventually(async () => {
    const found = (await published(tenant)).join();
    if (found !== textOf(way)) throw new Error(`leads to ${found}\n${sync.output.slice(-2_000)}`);
    return true;
  }, 60_000);
  const { address, port } = WAYS[way].endpoint;
  await eventually(async () => await tenant.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], {
    as: [
      `--server=https://[${address}]:${port}`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${tenant.caFile}`, '--kubeconfig=/dev/null',
      `--token=${token}`,
    ],
  }) === 'system:serviceaccount:default:app', 30_000);
}

/** Applies the manifests of a way, as a commit does, and goes on as the tenant's cluster does. */
async function moveTo(way: WayName): Promise<void> {
  await management.apply(WAYS[way].delivered);
  if (way === 'a tcp-proxy') {
    await management.synced(sync);
    proxy = await deliveredProxy(tenant, 'tcp-proxy-a', NODE);
    await leadsBy(way);
    return;
  }
  await leadsBy(way);
  await proxy?.delete();
  proxy = undefined;
  await management.synced(sync);
  await leadsBy(way);
}

test.each<[WayName, WayName]>([
  ['an address', 'a port'],
  ['a port', 'an address'],
  ['an address', 'a tcp-proxy'],
  ['a tcp-proxy', 'an address'],
])('a tenant moves from %s to %s, and its endpoints are never empty', async (from, to) => {
  await leadsBy(from);
  const following = await Following.start(tenant);
  await moveTo(to);
  // Both may be there for a moment.
  expect(following.states[0]).toBe(textOf(from));
  expect(following.states[following.states.length - 1]).toBe(textOf(to));
  expect(following.states).not.toContain('');
  expect(following.ended).toBe(false);
});
