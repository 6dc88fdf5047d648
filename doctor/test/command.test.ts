import { join } from 'path';
import { KAMAJI, PROXY } from './manifests/good';
import { doctor } from './support/doctor';
import { broken, withFolder } from './support/manifests';
import { startSharedAddress } from './support/shared-address';
import { Tenant } from './support/tenant';
import { DnsServer } from '../../test/data-path/support/dns-server';
import { stopParts } from '../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../test/support/haproxy';
import { paintFor } from '../src/palette';
import { printable } from '../src/printable';

jest.setTimeout(60_000);

afterEach(stopParts);

describeWithHaproxy('the command doctor', () => {
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
    const { code, stdout, stderr } = await doctor([tenant.host, ...flags, '--konnectivity-host', tenant.konnectivityHost]);
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toHaveLength(1 + 17 + 2);
    expect(stdout).toMatch(/^acme\.k8s\.example\.com:\d+\n {2}ok {7}dns +127\.0\.0\.1\n/);
    expect(stdout).toMatch(/\nHealthy\.\n$/);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001b/);
    expect(code).toBe(0);
  });

  test('ends with 1 and the remedy where a hop fails', async () => {
    const { tenant, flags, dns } = await installation();
    dns.records.delete(tenant.konnectivityHost);
    const { code, stdout } = await doctor([tenant.host, ...flags, '--konnectivity-host', tenant.konnectivityHost]);
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
      doctor(['--manifests', folder, '--resolver', `127.0.0.1:${dns.port}`]));
    expect(stdout).toMatch(new RegExp(`^acme\\.k8s\\.example\\.com:${port}\\n`));
    expect(stdout).toMatch(/\n {2}skipped {2}no-sni +port \d+ is this tenant's own/);
    expect(stdout).toMatch(/\nHealthy/);
    expect(code).toBe(0);
  });

  test('gives JSON', async () => {
    const { tenant, flags, port } = await installation();
    const { code, stdout } = await doctor([tenant.host, ...flags, '--output', 'json']);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ version: 1, target: `${tenant.host}:${port}`, healthy: true, summary: 'Healthy.' });
    expect(result.hops).toHaveLength(17);
    expect(result.hops[0]).toEqual({ hop: 'dns', status: 'ok', detail: '127.0.0.1' });
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
      address: await doctor(['--kubeconfig', join(folder, 'by-address')]),
      named: await doctor(['--kubeconfig', join(folder, 'by-address-with-name')]),
    }));
    expect(runs.address.stdout).toMatch(/failed {3}sni +127\.0\.0\.1 is an address: clients send no SNI/);
    expect(runs.address.code).toBe(1);
    expect(runs.named.stdout).toMatch(/ok {7}chain +valid until/);
    expect(runs.named.code).toBe(0);
  });

  test('takes hosts from manifests, and dials the address that it is told', async () => {
    const { tenant, port } = await installation();
    const { stdout, code } = await withFolder(
      { 'a.yaml': broken(`${KAMAJI}---${PROXY}`, { '- --proxy-server-port=443': `- --proxy-server-port=${port}` }), 'ca.crt': tenant.ca.certificate },
      folder => doctor(['--manifests', folder, '--ca-file', join(folder, 'ca.crt'), '--connect-to', '127.0.0.1', '--port', String(port)]));
    expect(stdout).toMatch(/skipped {2}dns +not asked: --connect-to 127\.0\.0\.1/);
    expect(stdout).toMatch(/ok {7}konnectivity-grpc/);
    expect(code).toBe(0);
  });
});

describe('wrong usage of doctor', () => {
  test.each([
    [[], 'host is missing: name the host of the API, or give --kubeconfig or --manifests'],
    [['https://acme.example.com'], 'host "https://acme.example.com": is not a host name'],
    [['acme.example.com:443'], 'is not a host name, write it without scheme and port'],
    [['acme.example.com', '--port', '0'], '--port "0": is not a port'],
    [['acme.example.com', '--timeout', '5'], '--timeout "5": is not a duration'],
    [['acme.example.com', '--timeout', '1h'], '--timeout "1h": is longer than 5 minutes'],
    [['acme.example.com', '--output', 'xml'], '--output "xml": is not a format'],
    [['acme.example.com', '--ca-file', '/no/such/file'], '--ca-file "/no/such/file": cannot be read (ENOENT)'],
    [['acme.example.com', '--ca-file', __filename], 'holds no certificate'],
    [['acme.example.com', '--kubeconfig', __filename], 'is no kubeconfig'],
    [['acme.example.com', '--cluster-id', 'x'], '--gateway-address is missing'],
    [['acme.example.com', '--gateway-address', 'x:1'], '--cluster-id is missing'],
    [['acme.example.com', '--gateway-address', 'x', '--cluster-id', 'x'], '--gateway-address "x": is not host:port'],
    [['acme.example.com', '--connect-to', 'x'], '--connect-to "x": is not an IP address'],
    [['acme.example.com', '--resolver', 'x:53'], '--resolver "x:53": is not the address of a DNS server'],
    [['acme.example.com', '--tlv-type', '300'], '--tlv-type "300": is not a type'],
    [['acme.example.com', '--surprise'], "unknown option '--surprise'"],
    [['manifests'], "missing required argument 'path'"],
    [['manifests', '/no/such/folder'], '"/no/such/folder": does not exist'],
  ])('%j is told in one line, with exit code 2', async (args, message) => {
    const { code, stdout, stderr } = await doctor(args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('the command doctor manifests', () => {
  test('does not mind a reader that leaves early', async () => {
    const { code, stderr } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder], {}, true));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('ends with 0 where nothing is found', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': `${KAMAJI}---${PROXY}` }, folder => doctor(['manifests', folder]));
    expect(stdout).toBe('No disagreement: 5 objects in 1 file, 1 control plane.\n');
    expect(code).toBe(0);
  });

  test('shows file, object, disagreement and remedy, and ends with 1', async () => {
    const text = broken(`${KAMAJI}---${PROXY}`, { 'number: 8132': 'number: 6443' });
    const { code, stdout } = await withFolder({ 'a.yaml': text }, folder => doctor(['manifests', join(folder, 'a.yaml')]));
    expect(stdout).toMatch(new RegExp('^HCP204 .*a\\.yaml:44 Ingress tenants/acme-konnectivity\n'
      + ' {2}spec\\.rules\\[0\\]\\.http\\.paths\\[0\\]\\.backend\\.service\\.port: acme\\.konnectivity\\.example\\.com leads to port 6443, .*\n'
      + ' {2}remedy: Write 8132\n'
      + '1 error, 0 warnings: 5 objects in 1 file, 1 control plane\\.\n$'));
    expect(code).toBe(1);
  });

  test('ends with 0 where there are warnings alone', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder]));
    expect(stdout).toMatch(/0 errors, 1 warning/);
    expect(code).toBe(0);
  });

  test('gives JSON', async () => {
    const { code, stdout } = await withFolder({ 'a.yaml': KAMAJI }, folder => doctor(['manifests', folder, '--output', 'json']));
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      healthy: true,
      files: 1,
      objects: 3,
      controlPlanes: 1,
      findings: [{
        code: 'HCP602',
        severity: 'warning',
        file: expect.stringMatching(/a\.yaml$/),
        line: 2,
        object: { kind: 'TenantControlPlane', namespace: 'tenants', name: 'acme' },
        field: 'spec.controlPlane.deployment.extraArgs.apiServer',
        message: expect.stringMatching(/^has --endpoint-reconciler-type=none/),
        remedy: 'Check the manifests of the tenant together with these, or take the flag away',
      }],
    });
    expect(code).toBe(0);
  });
});

describe('what is shown', () => {
  test('has colours on terminals alone', () => {
    expect(paintFor({ isTTY: true }, true, {})('bad', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(paintFor({ isTTY: true }, false, {})('bad', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, true, { NO_COLOR: '1' })('bad', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, true, { TERM: 'dumb' })('bad', 'x')).toBe('x');
    expect(paintFor({}, true, {})('bad', 'x')).toBe('x');
  });

  test('cannot steer a terminal and has an end', () => {
    expect(printable('a\u001b[2Jb\nc\u009bd\u202ee\u200bf')).toBe('a?[2Jb c?d?e?f');
    expect(printable('x'.repeat(10_000))).toHaveLength(501);
  });
});
