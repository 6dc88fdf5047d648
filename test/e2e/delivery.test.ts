import { X509Certificate } from 'crypto';
import { mkdtempSync, writeFileSync } from 'fs';
import { get } from 'https';
import { tmpdir } from 'os';
import { join } from 'path';
import { connect } from 'tls';
import { Agent } from './support/agent';
import { Cluster, EXPOSURE } from './support/cluster';
import { Management } from './support/delivery';
import { LISTEN_PORT, Proxy } from './support/proxy';
import { MountedFolder } from '../../images/tcp-proxy/test/support/mounted-folder';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CertificateAuthority } from '../support/certificates';

const NODE = '10.77.0.2';
let management: Management;
let tenant: Cluster;
let sync: Agent;

/** The tenant's controllers publish the CA for pods in every namespace; the tests play them. */
async function publishPodCa(certificates: string): Promise<void> {
  await tenant.apply([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'kube-system' }, data: { 'ca.crt': certificates } }]);
}

/** What the pods of the proxy mount. */
async function mounts(): Promise<{ certificate: { certificate: string; key: string }; ca: string }> {
  const secret = await tenant.get('secret', 'kube-system', 'tcp-proxy-tls');
  const configMap = await tenant.get('configmap', 'kube-system', 'tcp-proxy-ca');
  const text = (key: string) => Buffer.from(secret.data[key], 'base64').toString();
  return { certificate: { certificate: text('tls.crt'), key: text('tls.key') }, ca: configMap.data['ca.crt'] };
}

function servedCertificate(ca: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: NODE, port: LISTEN_PORT, ca, servername: 'kubernetes' }, () => {
      resolve(socket.getPeerX509Certificate()!);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

/** A request to the API server as a pod makes it, on a connection of its own. */
function request(ca: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({
      host: NODE,
      port: LISTEN_PORT,
      servername: 'kubernetes.default.svc',
      path: '/version',
      agent: false,
      ca,
      timeout: 5_000,
      headers: { authorization: `Bearer ${token}` },
    }, response => {
      response.resume();
      resolve(response.statusCode!);
    }).on('timeout', function (this: any) { this.destroy(new Error('timeout')); }).on('error', reject);
  });
}

beforeAll(async () => {
  [management, tenant] = await Promise.all([Management.start(), Cluster.start()]);
  await publishPodCa(tenant.ca.certificate);
}, 180_000);

afterAll(stopParts);

describe('after the management manifests alone were applied', () => {
  let proxy: Proxy;
  let caFolder: MountedFolder;
  beforeAll(async () => {
    await management.apply();
    sync = await management.startSync('sync-a', 8411, '--ca-settle-time=2s');
  }, 60_000);

  test('sync waits for the Secrets of the operator and says so', async () => {
    await eventually(async () => JSON.stringify(await management.status())?.includes('tenant-01-admin-kubeconfig'), 30_000);
  }, 60_000);

  test('the objects of the tcp-proxy, its certificate and its CA come to the tenant', async () => {
    await management.writeSecrets(tenant);
    await management.synced(sync);
    expect(await tenant.get('deployment', 'kube-system', 'tcp-proxy')).toBeDefined();
    const { certificate, ca } = await mounts();
    expect(ca.trim()).toBe(tenant.ca.certificate.trim());
    const issued = new X509Certificate(certificate.certificate);
    expect(issued.checkHost('kubernetes.default.svc.cluster.local')).toBeDefined();
    expect(issued.checkIP('10.96.0.1')).toBeDefined();
    expect(issued.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' });
  }, 60_000);

  test('a pod reaches the API server with its token and the tenant CA', async () => {
    const { certificate, ca } = await mounts();
    const folder = mkdtempSync(join(tmpdir(), 'ca-'));
    caFolder = new MountedFolder(join(folder, 'ca'), { 'ca.crt': ca });
    proxy = await Proxy.start(tenant, 'tcp-proxy-a', NODE, { certificate, caFile: join(caFolder.path, 'ca.crt') });
    await proxy.ready();
    await tenant.kubectl(['create', 'serviceaccount', 'client', '--namespace=default']);
    const answer = await tenant.kubectl(['auth', 'whoami', '--output=jsonpath={.status.userInfo.username}'], {
      as: [
        '--kubeconfig=/dev/null', `--server=https://${NODE}:${LISTEN_PORT}`, '--tls-server-name=kubernetes.default.svc',
        `--certificate-authority=${tenant.caFile}`, `--token=${await tenant.token('default', 'client')}`,
      ],
    });
    expect(answer).toBe('system:serviceaccount:default:client');
    const slice = await tenant.get('endpointslice', 'default', 'kubernetes');
    expect(slice.endpoints[0].addresses).toEqual([NODE]);
  }, 60_000);

  test('what somebody changes or deletes comes back', async () => {
    await tenant.kubectl(['scale', 'deployment', 'tcp-proxy', '--namespace=kube-system', '--replicas=0']);
    await tenant.kubectl(['delete', 'role', 'tcp-proxy-endpoints', '--namespace=default']);
    await eventually(async () => (await tenant.get('deployment', 'kube-system', 'tcp-proxy')).spec.replicas === 2
      && await tenant.get('role', 'default', 'tcp-proxy-endpoints') !== undefined, 30_000);
  }, 60_000);

  test('a certificate that is lost is issued again, and the proxy takes it up', async () => {
    const before = await servedCertificate(tenant.ca.certificate);
    await tenant.kubectl(['delete', 'secret', 'tcp-proxy-tls', '--namespace=kube-system']);
    const { certificate } = await eventually(async () => {
      const now = await mounts();
      return new X509Certificate(now.certificate.certificate).fingerprint256 !== before.fingerprint256 ? now : undefined;
    }, 30_000);
    proxy.mount(certificate);
    await eventually(async () => (await servedCertificate(tenant.ca.certificate)).fingerprint256 !== before.fingerprint256, 30_000);
  }, 60_000);

  test('the CA is changed and no connection of a pod is refused', async () => {
    const old = tenant.ca;
    const next = await CertificateAuthority.create('kubernetes', 'ecdsa');
    const both = `${next.certificate}${old.certificate}`;
    const token = await tenant.token('default', 'client');
    let podCa = old.certificate;
    let answered = 0;
    const failures: string[] = [];
    let going = true;
    const client = (async () => {
      while (going) {
        await request(podCa, token).then(status => status === 200 ? answered++ : failures.push(`HTTP ${status}`), error => failures.push(error.message));
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    })();

    // The operator replaces the CA of the tenant; the API server goes on with its old certificate.
    await management.writeSecrets(tenant, next, both);
    writeFileSync(tenant.caFile, both);
    const trusting = await eventually(async () => {
      const now = await mounts();
      return now.ca.includes(next.certificate.trim()) && now.ca.includes(old.certificate.trim()) ? now : undefined;
    }, 30_000);
    expect(trusting.certificate.certificate).toBe((await mounts()).certificate.certificate);
    caFolder.update({ 'ca.crt': trusting.ca });
    await eventually(async () => (await proxy.http('/metrics')).body.includes('tcp_proxy_certificate_updates_total{kind="ca",result="applied"} 1')
      || (await proxy.http('/readyz')).status === 200);

    // The API server takes up a certificate of the new CA, without a restart.
    tenant.writePair('apiserver', await next.issue({ commonName: 'kube-apiserver', sans: [...EXPOSURE.certSans, '127.0.0.1'], keyType: 'ecdsa' }));
    await eventually(() => new Promise<boolean>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: tenant.port, ca: next.certificate, servername: EXPOSURE.api.host }, () => {
        resolve(true);
        socket.destroy();
      });
      socket.on('error', reject);
    }), 90_000);
    expect((await servedCertificate(old.certificate)).checkIssued(new X509Certificate(old.certificate))).toBe(true);

    // Its controllers publish both for pods, and so the proxy's certificate may follow.
    await publishPodCa(both);
    podCa = both;
    const followed = await eventually(async () => {
      const now = await mounts();
      return new X509Certificate(now.certificate.certificate).verify(new X509Certificate(next.certificate).publicKey) ? now : undefined;
    }, 60_000);
    proxy.mount(followed.certificate);
    await eventually(async () => (await servedCertificate(both)).verify(new X509Certificate(next.certificate).publicKey), 30_000);
    await publishPodCa(next.certificate);
    podCa = next.certificate;
    const answeredBefore = answered;
    await eventually(() => answered > answeredBefore + 5, 20_000);
    going = false;
    await client;
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(20);
  }, 240_000);

  test('sync asked the tenant and the management cluster for nothing that it may not have', () => {
    const refused = management.cluster.auditOf('system:serviceaccount:tenant-sync:tenant-sync').filter(event => event.responseStatus!.code === 403);
    expect(refused).toEqual([]);
    const used = new Set(management.cluster.auditOf('system:serviceaccount:tenant-sync:tenant-sync')
      .map(({ objectRef }) => `${objectRef?.namespace}/${objectRef?.resource}`));
    expect([...used].sort()).toEqual(['tenant-sync/configmaps', 'tenant-sync/leases', 'tenants/secrets']);
  });

  test('a sync that is killed in the middle of an apply is followed by one that loses nothing', async () => {
    const names = Array.from({ length: 150 }, (_, i) => `further-${i}`);
    await management.apply({ configMaps: names });
    await eventually(async () => (await tenant.get('configmap', 'default', 'further-3')) !== undefined, 60_000);
    await sync.kill('SIGKILL');
    const present = async () => (await tenant.kubectl(['get', 'configmaps', '--namespace=default', '--output=name'])).split('\n').filter(name => name.includes('further-')).length;
    expect(await present()).toBeLessThan(names.length);
    // The dead one keeps the lease for its duration.
    sync = await management.startSync('sync-b', 8411, '--ca-settle-time=2s');
    await management.synced(sync, 90_000);
    expect(await present()).toBe(names.length);
    await management.apply();
    await management.synced(sync);
    expect(await present()).toBe(0);
  }, 240_000);

  test('removing the bundle takes away what it brought and gives default/kubernetes back to the API server', async () => {
    // The management chart without the addon: the operator starts the API server without the flag.
    tenant.endpointReconciler = 'lease';
    await tenant.apiServer.kill('SIGTERM');
    await tenant.startApiServer();
    await management.removeBundle();
    await eventually(async () => (await tenant.get('deployment', 'kube-system', 'tcp-proxy')) === undefined, 60_000);
    // The controllers and the kubelet of the tenant.
    await proxy.delete();
    await eventually(async () => {
      const status = await management.status();
      if (status) {
        throw new Error(`${JSON.stringify(status)}\n${sync.output.slice(-4_000)}`);
      }
      return true;
    }, 60_000);

    for (const [kind, namespace, name] of [
      ['secret', 'kube-system', 'tcp-proxy-tls'], ['configmap', 'kube-system', 'tcp-proxy-ca'], ['configmap', 'kube-system', 'tenant-sync-inventory'],
      ['serviceaccount', 'kube-system', 'tcp-proxy'], ['role', 'default', 'tcp-proxy-endpoints'],
    ]) {
      expect([name, await tenant.get(kind, namespace, name)]).toEqual([name, undefined]);
    }
    await eventually(async () => {
      const endpoints = await tenant.get('endpoints', 'default', 'kubernetes');
      const slice = await tenant.get('endpointslice', 'default', 'kubernetes');
      return endpoints?.subsets?.[0].addresses[0].ip === '10.77.0.1' && slice?.endpoints[0].addresses[0] === '10.77.0.1';
    }, 60_000);
  }, 240_000);
});
