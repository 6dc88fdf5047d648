import { X509Certificate } from 'crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { IncomingMessage } from 'http';
import { request } from 'https';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect } from 'tls';
import { App, Chart } from 'cdk8s';
import { Cluster } from './support/cluster';
import { Gateway } from './support/gateway';
import { LISTEN_PORT, Proxy } from './support/proxy';
import { MountedFolder } from '../../images/tcp-proxy/test/support/mounted-folder';
import { ControlPlaneEntry, ControlPlanePlatform, Exposure, IngressExposedControlPlane, ServingCertificate, SharedIngressGateway } from '../../src';
import { mapFile, ROUTING_TABLES, RoutingTable } from '../../src/agent/contract/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { apiServerCertificatesOf } from '../support/api-server-certificates';
import { CertificateAuthority } from '../support/certificates';

/*
 * One API server behind two gateways: a private one, which limits sources, and a public one. Everything between is what the library
 * writes for Kamaji, and real: kube-apiserver, the gateways' HAProxy and agent. The test plays the kubelet, by the swap of links, and Kamaji,
 * which issues the API server's certificate for the names in its resource.
 */

jest.setTimeout(120_000);

/** Addresses of the network namespace, see scripts/e2e.sh. Who connects to one of them has it as the source too. */
const [INSIDE, OUTSIDE] = ['10.77.0.2', '127.0.0.1'];
const [PRIVATE_PORT, PUBLIC_PORT] = [8443, 9443];
const MAIN = 'tenant-01.k8s.example.com';
const PUBLIC: ControlPlaneEntry = { name: 'public', hostname: 'tenant-01.example.net' };
const BROWSERS: ControlPlaneEntry = { name: 'browsers', hostname: 'clusters.customer.example', certificate: ServingCertificate.existingSecret('customer') };
const LATER: ControlPlaneEntry = { name: 'later', hostname: 'later.example.net' };
const SECRETS = '/etc/serving-certificates';

let cluster: Cluster;
let privateGateway: Gateway;
let publicGateway: Gateway;
let publicCa: CertificateAuthority;
let secret: MountedFolder;

interface Manifests {
  readonly exposure: Exposure;
  readonly resource: any;
  readonly tables: { [gateway: string]: { [table in RoutingTable]: string } };
}

/** What the library writes for the control plane with these entries at the public gateway. */
function synthesize(entries: ControlPlaneEntry[], apiPort?: number): Manifests {
  const chart = new Chart(new App(), 'management');
  const [inner, outer] = ['private', 'public'].map(name => new SharedIngressGateway(chart, name, { namespace: 'edge', routeShards: 1, clusterIdRouting: false }));
  const { exposure, platformObject } = new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    hostname: MAIN,
    kubernetesVersion: '1.32.0',
    nodesReachable: true,
    platform: ControlPlanePlatform.kamaji({ apiPort }),
    controller: inner.asController(),
    allowedCidrs: [`${INSIDE}/32`],
    furtherEntries: entries.map(entry => ({ ...entry, controller: outer.asController() })),
  });
  const objects = chart.toJson();
  const tablesOf = (gateway: string) => {
    const { data } = objects.find(({ metadata }) => metadata.name === `${gateway}-routes-0-of-1`);
    return Object.fromEntries(ROUTING_TABLES.map(table => [table, data[mapFile(table)] ?? ''])) as { [table in RoutingTable]: string };
  };
  return { exposure, resource: platformObject.toJson(), tables: { private: tablesOf('private'), public: tablesOf('public') } };
}

/** As Kamaji does once the names change: a new certificate of the tenant's CA. */
async function issueApiServerCertificate(names: string[]): Promise<void> {
  cluster.writePair('apiserver', await cluster.ca.issue({ commonName: 'kube-apiserver', sans: [...names, '127.0.0.1'], keyType: 'ecdsa' }));
}

/** Has the gateways and Kamaji know these entries. */
async function apply(entries: ControlPlaneEntry[]): Promise<void> {
  const { exposure, tables } = synthesize(entries, cluster.port);
  await issueApiServerCertificate(exposure.certSans);
  [privateGateway, publicGateway].forEach(gateway => gateway.makeServices([{ exposure, routes: exposure.routes }]));
  privateGateway.mountTables(tables.private);
  publicGateway.mountTables(tables.public);
}

/** kubectl with the administrator's client certificate, by a host at an address. */
function kubectl(host: string, address: string, port: number, ...args: string[]): Promise<string> {
  return cluster.kubectl(args, {
    as: [
      `--server=https://${address}:${port}`, `--tls-server-name=${host}`, `--certificate-authority=${host === BROWSERS.hostname ? cluster.file('public-ca.crt') : cluster.caFile}`,
      `--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`, '--kubeconfig=/dev/null', '--request-timeout=10s',
    ],
  });
}

const ready = (host: string, address: string, port: number) => kubectl(host, address, port, 'get', '--raw=/readyz');

/** The certificate that the API server shows to a client that asks for a name. */
function shown(port: number, servername?: string, address = OUTSIDE): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    }).on('error', reject);
  });
}

const isOf = (certificate: X509Certificate, ca: CertificateAuthority) => certificate.verify(new X509Certificate(ca.certificate).publicKey);

class Watch {
  public events = '';
  public ended = false;

  public constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8').on('data', text => this.events += text).on('close', () => this.ended = true).on('error', () => undefined);
  }

  public close(): void {
    this.response.destroy();
  }

  /** That it goes on is seen by what it sees. */
  public async goesOn(name: string): Promise<void> {
    await cluster.kubectl(['create', 'configmap', name, '--namespace=default']);
    await eventually(() => this.events.includes(`"name":"${name}"`), 20_000);
    expect(this.ended).toBe(false);
  }
}

/** A watch by the main entry, on a connection of its own. */
function watchByMain(): Promise<Watch> {
  return new Promise((resolve, reject) => {
    request({
      host: INSIDE,
      port: PRIVATE_PORT,
      servername: MAIN,
      path: '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=3600',
      ca: readFileSync(cluster.caFile),
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
      agent: false,
    }, response => response.statusCode === 200 ? resolve(new Watch(response)) : reject(new Error(`a watch got ${response.statusCode}`))).on('error', reject).end();
  });
}

beforeAll(async () => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
  const { exposure, resource } = synthesize([PUBLIC, BROWSERS]);
  const [{ folder, hosts }] = apiServerCertificatesOf(resource);
  publicCa = await CertificateAuthority.create('a public authority', 'ecdsa');
  const mounts = mkdtempSync(join(tmpdir(), 'secrets-'));
  const mounted = (path: string) => path.split(SECRETS).join(mounts);
  secret = new MountedFolder(mounted(folder), await pairFor(hosts));
  cluster = await Cluster.start({ exposure, apiServerArgs: resource.spec.controlPlane.deployment.extraArgs.apiServer.map(mounted) });
  writeFileSync(cluster.file('public-ca.crt'), publicCa.certificate);
  [privateGateway, publicGateway] = await Promise.all([
    Gateway.start([], [], { sniPort: PRIVATE_PORT, clusterIdPort: undefined, listenAddresses: [INSIDE, OUTSIDE] }, undefined, 8405),
    Gateway.start([], [], { sniPort: PUBLIC_PORT, clusterIdPort: undefined, listenAddresses: [INSIDE, OUTSIDE] }, undefined, 8406),
  ]);
  await apply([PUBLIC, BROWSERS]);
  await eventually(async () => await ready(MAIN, INSIDE, PRIVATE_PORT) === 'ok' && await ready(PUBLIC.hostname!, OUTSIDE, PUBLIC_PORT) === 'ok', 30_000);
}, 240_000);

afterAll(stopParts);

describe('a private entry and a public one', () => {
  test('both lead to the API server, which knows who it is by the client certificate', async () => {
    for (const [host, address, port] of [[MAIN, INSIDE, PRIVATE_PORT], [PUBLIC.hostname!, OUTSIDE, PUBLIC_PORT]] as const) {
      expect(JSON.parse(await kubectl(host, address, port, 'auth', 'whoami', '--output=json')).status.userInfo.username).toBe('admin');
    }
  });

  test('the private one is closed to other sources, and the public one open to all', async () => {
    await expect(ready(MAIN, OUTSIDE, PRIVATE_PORT)).rejects.toThrow();
    expect(await ready(PUBLIC.hostname!, INSIDE, PUBLIC_PORT)).toBe('ok');
  });

  test('the host of one leads nowhere at the other', async () => {
    await expect(ready(PUBLIC.hostname!, INSIDE, PRIVATE_PORT)).rejects.toThrow();
    await expect(ready(MAIN, OUTSIDE, PUBLIC_PORT)).rejects.toThrow();
  });
});

test('a further host comes on day two and goes again, under an open watch of the main entry', async () => {
  const watch = await watchByMain();
  await expect(ready(LATER.hostname!, OUTSIDE, PUBLIC_PORT)).rejects.toThrow();

  await apply([PUBLIC, BROWSERS, LATER]);
  await eventually(async () => await ready(LATER.hostname!, OUTSIDE, PUBLIC_PORT) === 'ok', 60_000);
  await watch.goesOn('while-there');
  expect(await ready(PUBLIC.hostname!, OUTSIDE, PUBLIC_PORT)).toBe('ok');

  await apply([PUBLIC, BROWSERS]);
  await eventually(() => ready(LATER.hostname!, OUTSIDE, PUBLIC_PORT).then(() => false, () => true), 60_000);
  await watch.goesOn('once-gone');
  expect(await ready(MAIN, INSIDE, PRIVATE_PORT)).toBe('ok');
  watch.close();
});

describe('a certificate of its own', () => {
  test('is served for its host, and the tenant\'s CA\'s for every other and for clients without a name', async () => {
    expect(isOf(await shown(PUBLIC_PORT, BROWSERS.hostname), publicCa)).toBe(true);
    expect(isOf(await shown(PUBLIC_PORT, PUBLIC.hostname), cluster.ca)).toBe(true);
    expect(isOf(await shown(PRIVATE_PORT, MAIN, INSIDE), cluster.ca)).toBe(true);
    for (const name of [undefined, 'kubernetes', 'kubernetes.default.svc', 'else.example.org']) {
      expect([name, isOf(await shown(cluster.port, name), cluster.ca)]).toEqual([name, true]);
    }
    expect(await ready(BROWSERS.hostname!, OUTSIDE, PUBLIC_PORT)).toBe('ok');
  });

  test('is renewed without a restart, under an open watch', async () => {
    const watch = await watchByMain();
    const { pid } = cluster.apiServer;
    const before = (await shown(PUBLIC_PORT, BROWSERS.hostname)).fingerprint256;
    const renewed = await pairFor([BROWSERS.hostname!]);
    secret.update(renewed);
    await eventually(async () => (await shown(PUBLIC_PORT, BROWSERS.hostname)).fingerprint256 === new X509Certificate(renewed['tls.crt']).fingerprint256, 90_000);
    expect(before).not.toBe(new X509Certificate(renewed['tls.crt']).fingerprint256);
    expect(await ready(BROWSERS.hostname!, OUTSIDE, PUBLIC_PORT)).toBe('ok');
    await watch.goesOn('renewed');
    expect([cluster.apiServer.pid, cluster.apiServer.alive]).toEqual([pid, true]);
    watch.close();
  });

  test('takes nothing from a tcp-proxy, which verifies the host of the main entry with the tenant\'s CA', async () => {
    await cluster.applyAddon();
    const proxy = await Proxy.start(cluster, 'tcp-proxy-a', INSIDE);
    await proxy.ready();
    await cluster.kubectl(['create', 'serviceaccount', 'app', '--namespace=default']);
    const token = await cluster.token('default', 'app');
    const whoami = await cluster.kubectl(['auth', 'whoami', '--output=json'], {
      as: [`--server=https://${INSIDE}:${LISTEN_PORT}`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${cluster.caFile}`, `--token=${token}`, '--kubeconfig=/dev/null'],
    });
    expect(JSON.parse(whoami).status.userInfo.username).toBe('system:serviceaccount:default:app');
  });
});

/** A certificate that is for the host of the main entry too: whoever asks for that gets the tenant's CA's all the same. */
async function pairFor(hosts: string[]): Promise<Record<'tls.crt' | 'tls.key', string>> {
  const { certificate, key } = await publicCa.issue({ commonName: hosts[0], sans: [...hosts, MAIN, '*.k8s.example.com'], keyType: 'ecdsa' });
  return { 'tls.crt': certificate, 'tls.key': key };
}
