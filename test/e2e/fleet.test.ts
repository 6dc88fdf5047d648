import { execFileSync } from 'child_process';
import { mkdtempSync } from 'fs';
import { request } from 'https';
import { connect as connectTcp } from 'net';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect as connectTls } from 'tls';
import { App, Chart } from 'cdk8s';
import { Cluster } from './support/cluster';
import { Gateway, ready, startTenantProxy } from './support/gateway';
import { eventually } from '../../images/tcp-proxy/test/support/eventually';
import { Exposure, ExposureProps, FleetExport, FleetRoutes, GatewayRegistration, SharedIngressGateway } from '../../src';
import { mapFile, ROUTING_TABLES } from '../../src/agent/contract/routing-tables';
import { CONTAINER } from '../../src/shared-gateway/gateway-pod';
import { clusterIdHeader } from '../data-path/support/gateway';
import { stopParts } from '../data-path/support/parts';
import { proxyHeader } from '../data-path/support/proxy-header';

/*
 * A fleet: an edge and the gateways of two management clusters, each from an app of its own, and a real API server behind each. Clients
 * come from addresses of their own.
 */

jest.setTimeout(240_000);
afterAll(stopParts);

const EDGE = '10.77.0.2';
const [CLIENT, OTHER_CLIENT, PROXY] = ['10.77.0.21', '10.77.0.22', '10.77.0.23'];
const { sniPort: SNI_PORT, edgePort: EDGE_PORT } = CONTAINER;
const PORT_RANGE = { first: 20_000, last: 20_009 };

/** A management cluster. */
interface Site {
  readonly name: string;
  /** Of its gateway. On loopback, the edge's connections to it have it as their source too. */
  readonly address: string;
  readonly ports: { readonly first: number; readonly last: number };
  readonly healthPort: number;
  readonly tenant: { readonly name: string; readonly host: string; readonly clusterId: string; readonly port: number };
}

const site = (name: string, address: string, first: number, healthPort: number, tenant: string): Site => ({
  name,
  address,
  ports: { first, last: first + 4 },
  healthPort,
  tenant: { name: tenant, host: `${tenant}.${name}.example.com`, clusterId: `id-of-${tenant}`, port: first + 1 },
});
const EU = site('eu', '10.77.0.5', 20_000, 8406, 'tenant-01');
const US = site('us', '10.77.0.6', 20_005, 8407, 'tenant-02');
const SITES = [EU, US];

const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
const clusters = new Map<Site, Cluster>();
const gateways = new Map<Site, Gateway>();
let edge: Gateway;

const clusterOf = (of: Site) => clusters.get(of)!;

function gatewayOf(chart: Chart, props: object): SharedIngressGateway {
  return new SharedIngressGateway(chart, 'gateway', { namespace: 'shared-ingress', routeShards: 1, portRange: PORT_RANGE, ...props });
}

/** The tables of a chart's gateway. */
function tablesOf(chart: Chart): { [table: string]: string } {
  const { data } = chart.toJson().find(({ metadata }) => metadata.name.endsWith('-routes-0-of-1'));
  return Object.fromEntries(ROUTING_TABLES.map(table => [table, data[mapFile(table)] ?? '']));
}

/** Deploys the app of a cluster, with what else it has beside its tenant: that by host and cluster ID, and by port. */
function deploy(of: Site, ...more: [Pick<ExposureProps, 'name' | 'hostname'> & Partial<ExposureProps>, GatewayRegistration?][]): string {
  const { name, address, tenant } = of;
  const backend = { serviceName: tenant.name, apiPort: clusterOf(of).port };
  const app = new App({ outdir: mkdtempSync(join(folder, 'dist-')) });
  const chart = new Chart(app, name);
  const gateway = gatewayOf(chart, { edge: { trustedCidrs: [`${address}/32`], port: EDGE_PORT } });
  const { file } = new FleetExport(chart, 'fleet', { gateway, cluster: name, address, folder: join(folder, 'fleet') });
  gateway.register(new Exposure({ name: tenant.name, namespace: 'tenants', hostname: tenant.host, clusterId: tenant.clusterId, backend }));
  gateway.register(new Exposure({ name: `${tenant.name}-port`, namespace: 'tenants', hostname: `port.${tenant.host}`, port: tenant.port, backend }));
  more.forEach(([exposure, options]) => gateway.register(new Exposure({ namespace: 'tenants', backend, ...exposure }), options));
  app.synth();
  gateways.get(of)?.mountTables(tablesOf(chart));
  return file;
}

/** Deploys the app of the edge with the files of both clusters. @throws what synthesis says */
function deployEdge(): { [table: string]: string } {
  const app = new App({ outdir: mkdtempSync(join(folder, 'dist-')) });
  const chart = new Chart(app, 'edge');
  gatewayOf(chart, {
    clusters: SITES.map(({ name, address, ports }) => ({
      name, address, port: EDGE_PORT, domains: [`${name}.example.com`], portRange: ports, routes: FleetRoutes.fromFile(join(folder, 'fleet', `${name}.json`)),
    })),
  });
  app.synth();
  const tables = tablesOf(chart);
  edge?.mountTables(tables);
  return tables;
}

/** kubectl as the administrator of a cluster, at an address and by a name. */
function kubectl(of: Site, server: string, servername: string, ...args: string[]): Promise<string> {
  const cluster = clusterOf(of);
  return cluster.kubectl(args, {
    as: [
      `--server=https://${server}`, `--tls-server-name=${servername}`, `--certificate-authority=${cluster.caFile}`,
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`, '--kubeconfig=/dev/null',
    ],
  });
}

const UID = ['get', 'namespace', 'kube-system', '--output=jsonpath={.metadata.uid}'];

/** Status of `/version` for a client at an address, without credentials; the error when there is none. */
function version(of: Site, host: string, source: string, port: number = SNI_PORT): Promise<number | string> {
  return new Promise(resolve => {
    const { ca: { certificate: ca } } = clusterOf(of);
    // Names that the certificate does not have are none of the gateway's business.
    const tls = { ca, servername: host, checkServerIdentity: () => undefined };
    const sent = request({ host: EDGE, port, localAddress: source, path: '/version', agent: false, ...tls }, response => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', ({ message }) => resolve(message)).end();
  });
}

/** Whether TLS with the tenant comes about at the port for the edge, for whoever sends this header from an address. */
function answersAtEdgePort({ address }: Site, header: Buffer, source: string, servername: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connectTcp({ host: address, port: EDGE_PORT, localAddress: source }, () => {
      socket.write(header);
      connectTls({ socket, servername, rejectUnauthorized: false }, () => resolve(true)).on('error', () => resolve(false)).on('close', () => resolve(false));
    });
    socket.on('error', () => resolve(false));
  });
}

/** The lines of connections that a gateway has logged for a tenant. */
const linesOf = (of: Site, key: string) => gateways.get(of)!.agent.output.split('\n').filter(line => line.includes('frontend=edge') && line.includes(`tenant=${key} `));

beforeAll(async () => {
  [CLIENT, OTHER_CLIENT, PROXY, ...SITES.map(({ address }) => address)].forEach(address => execFileSync('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo']));
  for (const of of SITES) {
    const { name, address, healthPort, tenant: { host } } = of;
    const cluster = await Cluster.start({ behindIngress: false, exposure: new Exposure({ name: of.tenant.name, namespace: 'tenants', hostname: host }) });
    clusters.set(of, cluster);
    const gateway = await Gateway.start([], [], { listenAddresses: [address], portRange: PORT_RANGE, edge: { port: EDGE_PORT, cidrs: [`${address}/32`] } }, undefined, healthPort);
    gateway.dns.records.set(`${of.tenant.name}.tenants.svc.cluster.local`, ['127.0.0.1']);
    gateways.set(of, gateway);
    deploy(of, [{ name: 'limited', hostname: `limited.${name}.example.com` }, { allowedCidrs: [`${CLIENT}/32`] }]);
  }
  const tables = deployEdge();
  edge = await Gateway.start([], [], { listenAddresses: ['127.0.0.1', EDGE], portRange: PORT_RANGE, clusters: true });
  edge.mountTables(tables);
  await eventually(async () => expect(await Promise.all(SITES.map(of => version(of, of.tenant.host, CLIENT)))).toEqual([200, 200]), 30_000);
}, 240_000);

test('kubectl reaches the API server of each tenant through the edge: by host, by port, and by cluster ID through its tcp-proxy', async () => {
  const uids = new Set<string>();
  for (const of of SITES) {
    const { tenant: { host, port, clusterId } } = of;
    const uid = await clusterOf(of).kubectl(UID);
    expect(await kubectl(of, `${EDGE}:${SNI_PORT}`, host, ...UID)).toBe(uid);
    expect(await kubectl(of, `${EDGE}:${port}`, 'kubernetes.default.svc', ...UID)).toBe(uid);
    const proxy = await startTenantProxy(clusterOf(of), clusterId, PROXY);
    await ready(proxy, PROXY);
    expect(await kubectl(of, `${PROXY}:6443`, 'kubernetes.default.svc', ...UID)).toBe(uid);
    await proxy.stop();
    uids.add(uid);
  }
  expect(uids.size).toBe(2);
});

test('what is written through the edge is in the tenant that was asked for, and in no other', async () => {
  const { tenant: { host } } = EU;
  await kubectl(EU, `${EDGE}:${SNI_PORT}`, host, 'create', 'configmap', 'by-the-edge', '--namespace=default');
  expect(await Promise.all(SITES.map(of => clusterOf(of).get('configmap', 'default', 'by-the-edge').then(found => found !== undefined)))).toEqual([true, false]);
  // Credentials of one are nothing to the other, at whose host they are shown.
  const stranger = clusterOf(EU);
  await expect(clusterOf(US).kubectl(UID, {
    as: [
      `--server=https://${EDGE}:${SNI_PORT}`, `--tls-server-name=${US.tenant.host}`, `--certificate-authority=${clusterOf(US).caFile}`,
      `--client-certificate=${stranger.file('admin.crt')}`, `--client-key=${stranger.file('admin.key')}`, '--kubeconfig=/dev/null',
    ],
  })).rejects.toThrow(/credentials|Unauthorized/);
});

test('the gateway of the cluster knows the address of the client, whatever the tenant was found by', async () => {
  const { tenant: { host, port, clusterId } } = US;
  expect([await version(US, host, CLIENT), await version(US, 'kubernetes.default.svc', OTHER_CLIENT, port)]).toEqual([200, 200]);
  await eventually(() => {
    expect(linesOf(US, host).some(line => line.includes(`source=${CLIENT} `))).toBe(true);
    expect(linesOf(US, String(port)).some(line => line.includes(`source=${OTHER_CLIENT} `))).toBe(true);
    expect(linesOf(US, clusterId).length).toBeGreaterThan(0);
  }, 30_000);
});

test('a tenant that admits some sources admits those of clients, not that of the edge', async () => {
  for (const of of SITES) {
    const host = `limited.${of.name}.example.com`;
    expect(await version(of, host, CLIENT)).toBe(200);
    // The last is where the edge itself comes from.
    for (const source of [OTHER_CLIENT, EDGE, of.address]) expect(await version(of, host, source)).toMatch(/hang up|ECONNRESET|disconnected/);
  }
});

test('nobody but the edge says at a gateway where a connection comes from: not a client, and not the gateway of another cluster', async () => {
  const header = proxyHeader({ source: CLIENT, tlvs: [[0xe2, 'hosts:']] });
  const asked = (source: string) => answersAtEdgePort(EU, header, source, EU.tenant.host);
  expect([await asked(EU.address), await asked(CLIENT), await asked(US.address)]).toEqual([true, false, false]);
  // A cluster ID in a header that a proxy sends by itself.
  const byId = clusterIdHeader(EU.tenant.clusterId, { source: CLIENT });
  expect(await answersAtEdgePort(EU, byId, OTHER_CLIENT, 'kubernetes')).toBe(false);
});

test('a cluster cannot take the host, the cluster ID or the port of another one\'s tenant: the app of the edge says who wanted what, and the edge stays as it is', async () => {
  const { tenant } = EU;
  const stolen = { name: 'thief', hostname: tenant.host, clusterId: tenant.clusterId, port: tenant.port };
  for (const [field, message] of [
    [{ hostname: stolen.hostname }, 'is in eu.example.com, a domain of cluster eu'],
    [{ clusterId: stolen.clusterId }, 'is claimed at edge/gateway by both tenants/tenant-01 of cluster eu and tenants/thief of cluster us'],
    [{ port: stolen.port }, 'does not have the port 20001 of tenants/thief of cluster us'],
  ] as const) {
    deploy(US, [{ name: 'thief', hostname: 'thief.us.example.com', ...field }]);
    expect(deployEdge).toThrow(message);
    expect(await version(EU, tenant.host, CLIENT)).toBe(200);
    expect(await kubectl(EU, `${EDGE}:${tenant.port}`, 'kubernetes.default.svc', ...UID)).toBe(await clusterOf(EU).kubectl(UID));
  }
  deploy(US);
  deployEdge();
});

test('a gateway that dies takes its own tenants along, and they come back with it', async () => {
  await gateways.get(US)!.agent.stop();
  expect(await version(EU, EU.tenant.host, CLIENT)).toBe(200);
  gateways.get(US)!.run();
  await eventually(async () => expect(await version(US, US.tenant.host, CLIENT)).toBe(200), 60_000);
});
