import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Cluster } from './support/cluster';
import { Gateway, ready, startTunnelProxy } from './support/gateway';
import { Exposure } from '../../src';
import { tunnelName } from '../../src/model/tunnel-name';
import { CONTAINER } from '../../src/shared-gateway/gateway-pod';
import { GatewayTenant } from '../../src/shared-gateway/routing-tables';
import { eventually } from '../data-path/support/eventually';
import { startIngress } from '../data-path/support/ingress';
import { stopParts } from '../data-path/support/parts';
import { CertificateAuthority, CertificatePair } from '../support/certificates';

jest.setTimeout(240_000);

const HOST = 'tunnel.k8s.example.com';
const ADDRESS = '10.77.0.2';

let cluster: Cluster;
let gateway: Gateway;
let known: GatewayTenant;

beforeAll(async () => {
  cluster = await Cluster.start();
  const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com', backend: { serviceName: 'tenant-01', apiPort: cluster.port } });
  known = { exposure, routes: exposure.routes };
  const ca = await CertificateAuthority.create('tunnel', 'ecdsa');
  gateway = await Gateway.start([known], [], {}, folderOf(await ca.issue({ commonName: HOST, sans: [HOST], keyType: 'ecdsa' }), ca));
  // The one of the cluster has port 443 and knows its host.
  const ingress = await startIngress(mkdtempSync(join(tmpdir(), 'in-')), { [HOST]: CONTAINER.tunnelPort });
  const folder = folderOf(await ca.issue({ commonName: tunnelName(exposure), keyType: 'ecdsa' }), ca);
  await ready(await startTunnelProxy(cluster, { port: ingress.port, serverName: HOST, folder }, ADDRESS), ADDRESS);
}, 240_000);

afterAll(stopParts);

function folderOf({ certificate, key }: CertificatePair, ca: CertificateAuthority): string {
  const folder = mkdtempSync(join(tmpdir(), 'tu-'));
  for (const [name, text] of Object.entries({ 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca.certificate })) {
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** kubectl by the in-cluster name, at the tenant's proxy. */
function kubectl(credentials: string[], ...args: string[]): Promise<string> {
  return cluster.kubectl(args, {
    as: [`--server=https://${ADDRESS}:6443`, '--tls-server-name=kubernetes.default.svc', `--certificate-authority=${cluster.caFile}`, ...credentials, '--kubeconfig=/dev/null'],
  });
}

const byCertificate = () => [`--client-certificate=${cluster.file('admin.crt')}`, `--client-key=${cluster.file('admin.key')}`];

test('a client certificate reaches the API server through the tunnel', async () => {
  expect(JSON.parse(await kubectl(byCertificate(), 'auth', 'whoami', '--output=json')).status.userInfo).toMatchObject({
    username: 'admin', groups: expect.arrayContaining(['system:masters']),
  });
  await kubectl(byCertificate(), 'create', 'configmap', 'through-the-tunnel', '--namespace=default');
});

test('a token does, too', async () => {
  await cluster.kubectl(['create', 'serviceaccount', 'guest', '--namespace=default']);
  const token = await cluster.token('default', 'guest');
  expect(JSON.parse(await kubectl([`--token=${token}`], 'auth', 'whoami', '--output=json')).status.userInfo.username).toBe('system:serviceaccount:default:guest');
});

test('a tenant that leaves the map is not reached any more, and is again when it comes back', async () => {
  const whoami = () => kubectl(byCertificate(), 'auth', 'whoami', '--request-timeout=5s').then(() => 'reached', () => 'not reached');
  gateway.mount([]);
  await eventually(async () => await whoami() === 'not reached', 30_000);
  gateway.mount([known]);
  await eventually(async () => await whoami() === 'reached', 30_000);
});
