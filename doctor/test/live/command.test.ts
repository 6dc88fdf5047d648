import { join } from 'path';
import { DnsServer } from '../../../test/data-path/support/dns-server';
import { stopParts } from '../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../test/support/haproxy';
import { HOPS } from '../../src/live/hop';
import { KAMAJI, PROXY } from '../manifests/good';
import { doctor } from '../support/doctor';
import { broken, withFolder } from '../support/manifests';
import { startSharedAddress } from '../support/shared-address';
import { Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

function kubeconfigOf(server: string, ca: string): string {
  return JSON.stringify({ clusters: [{ name: 'a', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }] });
}

describeWithHaproxy('the command doctor live', () => {
  async function installation() {
    const tenant = await Tenant.create('acme');
    const port = await startSharedAddress({ routes: tenant.routes });
    const dns = await DnsServer.start();
    dns.records.set(tenant.host, ['127.0.0.1']);
    dns.records.set(tenant.konnectivityHost, ['127.0.0.1']);
    return { tenant, port, dns, flags: ['--port', String(port), '--resolver', `127.0.0.1:${dns.port}`] };
  }

  test('prints one line for each hop and a verdict, without colours in a pipe', async () => {
    const { tenant, flags } = await installation();
    const { code, stdout, stderr } = await doctor(['live', tenant.host, ...flags, '--konnectivity-host', tenant.konnectivityHost]);
    expect(stderr).toBe('');
    // Title, hops, those that were skipped for one of three reasons, verdict.
    expect(stdout.trim().split('\n')).toHaveLength(1 + 13 + 3 + 1);
    expect(stdout).toMatch(/^acme\.k8s\.example\.com:\d+\n {2}ok {7}dns +127\.0\.0\.1\n/);
    expect(stdout).toMatch(/\nHealthy\.\n$/);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001b/);
    expect(code).toBe(0);
  });

  test('ends with 1 and the remedy where a hop fails', async () => {
    const { tenant, flags, dns } = await installation();
    dns.records.delete(tenant.konnectivityHost);
    const { code, stdout } = await doctor(['live', tenant.host, ...flags, '--konnectivity-host', tenant.konnectivityHost]);
    expect(stdout).toMatch(/\n {2}failed {3}konnectivity-dns +acme\.konnectivity\.example\.com has no A or AAAA record\n/);
    expect(stdout).toMatch(/\nBroken at konnectivity-dns\.\n {2}konnectivity-dns: create A and AAAA records for acme\.konnectivity\.example\.com, or for the wildcard \*\.konnectivity/);
    expect(code).toBe(1);
  });

  test('takes a port of the tenant from manifests, and expects no refusal there', async () => {
    const { tenant, dns } = await installation();
    const port = await startSharedAddress({ routes: tenant.routes, defaultPort: tenant.api.port });
    const hostedCluster = JSON.stringify({
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedCluster',
      metadata: { name: 'acme', namespace: 'clusters' },
      spec: { services: [{ service: 'APIServer', servicePublishingStrategy: { type: 'NodePort', nodePort: { address: tenant.host, port } } }] },
    });
    const { code, stdout } = await withFolder({ 'hosted-cluster.yaml': hostedCluster }, folder =>
      doctor(['live', '--manifests', folder, '--resolver', `127.0.0.1:${dns.port}`]));
    expect(stdout).toMatch(new RegExp(`^clusters/acme acme\\.k8s\\.example\\.com:${port}\\n`));
    expect(stdout).toMatch(/\n {2}skipped {2}no-sni, unknown-sni, in-cluster-sni +port \d+ is this tenant's own/);
    expect(stdout).toMatch(/\nHealthy/);
    expect(code).toBe(0);
  });

  test('gives JSON', async () => {
    const { tenant, flags, port } = await installation();
    const { code, stdout } = await doctor(['live', tenant.host, ...flags, '--output', 'json']);
    const result = JSON.parse(stdout);
    expect(result).toEqual({
      version: 2,
      command: 'live',
      healthy: true,
      tenants: [{ target: `${tenant.host}:${port}`, healthy: true, summary: 'Healthy.', hops: expect.any(Array) }],
      notChecked: [],
    });
    expect(result.tenants[0].hops.map(({ hop }: { hop: string }) => hop)).toEqual(HOPS);
    expect(result.tenants[0].hops[0]).toEqual({ hop: 'dns', status: 'ok', detail: '127.0.0.1' });
    expect(code).toBe(0);
  });

  test('takes server and CA from a kubeconfig', async () => {
    const { tenant, port } = await installation();
    const kubeconfig = (server: string, more = '') => `
apiVersion: v1
kind: Config
current-context: acme
contexts: [{name: acme, context: {cluster: acme, user: nobody}}]
clusters:
  - {name: another, cluster: {server: "https://another.example.com"}}
  - name: acme
    cluster:
      server: ${server}
      certificate-authority-data: ${Buffer.from(tenant.ca.certificate).toString('base64')}
      ${more}
`;
    const runs = await withFolder({
      'by-address': kubeconfig(`https://127.0.0.1:${port}`),
      'by-address-with-name': kubeconfig(`https://127.0.0.1:${port}`, `tls-server-name: ${tenant.host}`),
    }, async folder => ({
      address: await doctor(['live', '--tenant-kubeconfig', join(folder, 'by-address')]),
      named: await doctor(['live', '--tenant-kubeconfig', join(folder, 'by-address-with-name')]),
    }));
    expect(runs.address.stdout).toMatch(/failed {3}sni +127\.0\.0\.1 is an address: clients send no SNI/);
    expect(runs.address.code).toBe(1);
    expect(runs.named.stdout).toMatch(/ok {7}chain +valid until/);
    expect(runs.named.code).toBe(0);
  });

  test.each([[6443, 0], [30001, 1]])('compares the port %d of a kubeconfig for inside of the cluster with the Service', async (kubeconfigPort, expected) => {
    const { tenant, port } = await installation();
    const kubeconfig = kubeconfigOf(`https://acme.tenants.svc:${kubeconfigPort}`, tenant.ca.certificate);
    const { stdout, code } = await withFolder(
      { 'a.yaml': broken(`${KAMAJI}---${PROXY}`, { '- --proxy-server-port=443': `- --proxy-server-port=${port}` }), 'super-admin.svc': kubeconfig },
      folder => doctor(['live', '--manifests', join(folder, 'a.yaml'), '--tenant-kubeconfig', join(folder, 'super-admin.svc'), '--connect-to', '127.0.0.1', '--port', String(port)]));
    expect(stdout).toMatch(/^tenants\/acme acme\.k8s\.example\.com/);
    expect(stdout).toMatch(/ok {7}chain/);
    expect(stdout).toMatch(expected === 0 ? /ok {7}admin-kubeconfig +acme\.tenants\.svc:6443/
      : /failed {3}admin-kubeconfig +acme\.tenants\.svc:30001 is named, but the Service has port 6443[^]*admin-kubeconfig: delete the Secret/);
    expect(code).toBe(expected);
  });

  test('takes hosts from manifests, and dials the address that it is told', async () => {
    const { tenant, port } = await installation();
    const { stdout, code } = await withFolder(
      { 'a.yaml': broken(`${KAMAJI}---${PROXY}`, { '- --proxy-server-port=443': `- --proxy-server-port=${port}` }), 'ca.crt': tenant.ca.certificate },
      folder => doctor(['live', '--manifests', folder, '--ca-file', join(folder, 'ca.crt'), '--connect-to', '127.0.0.1', '--port', String(port)]));
    expect(stdout).toMatch(/skipped {2}dns, konnectivity-dns +not asked: --connect-to 127\.0\.0\.1/);
    expect(stdout).toMatch(/ok {7}konnectivity-grpc/);
    expect(stdout).toMatch(/^tenants\/acme .*\nIts pods: a tcp-proxy in the tenant; TLS is opened; towards pods the API server, and whoever has the serving key/);
    expect(code).toBe(0);
  });
});
