import { chmodSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { stopParts } from '../../../test/data-path/support/parts';
import { doctor, Run } from '../support/doctor';
import { BEHIND_A_LOAD_BALANCER, fleet, hostedCluster } from '../support/fleet';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

afterEach(stopParts);

/** What the doctor says about manifests; the network is never asked. */
function refusal(files: { [name: string]: string }, ...args: string[]): Promise<Run> {
  return withFolder(files, folder => doctor(['live', '--manifests', folder, '--resolver', '127.0.0.1:9', '--timeout', '100ms', ...args]));
}

describe('control planes that are not told apart', () => {
  const two = { 'a.yaml': hostedCluster('a', 'a.example.com', 30001), 'b.yaml': hostedCluster('b', 'b.example.com', 30002) };
  const twins = { 'a.yaml': hostedCluster('a', 'edge.example.com', 30001), 'b.yaml': hostedCluster('b', 'edge.example.com', 30002) };

  test.each([
    ['several', two, [], /2 control planes are in there: clusters\/a \(a\.example\.com:30001\), clusters\/b \(b\.example\.com:30002\); give --tenant <namespace\/name>, or --all$/],
    ['several of one host', twins, ['edge.example.com'],
      /2 control planes are in there with "edge\.example\.com": clusters\/a \(edge\.example\.com:30001\), .*; give --tenant <namespace\/name>, or --all$/],
    ['a tenant that is not there', two, ['--tenant', 'clusters/c'], /has no control plane "clusters\/c"; in there: clusters\/a \(/],
    ['a host that is not there', two, ['c.example.com'], /has no control plane "c\.example\.com"; in there: clusters\/a \(/],
    ['none', { 'a.yaml': 'kind: ConfigMap\napiVersion: v1' }, ['--all'], /no control plane is in there; name the folder or file with its custom resource$/],
    ['none with a host', { 'a.yaml': BEHIND_A_LOAD_BALANCER }, [], /no host leads to clusters\/apart of HyperShift; give its host and --port alone$/],
    ['none with a host among all', { 'a.yaml': BEHIND_A_LOAD_BALANCER }, ['--all'], /no host leads to clusters\/apart of HyperShift/],
    ['one without a host by its name', { ...two, 'c.yaml': BEHIND_A_LOAD_BALANCER }, ['--tenant', 'clusters/apart'], /no host leads to clusters\/apart of HyperShift/],
    ['an address for a host', { 'a.yaml': hostedCluster('a', '192.0.2.1', 30001) }, [], /no host leads to clusters\/a of HyperShift/],
    ['one konnectivity host for all', two, ['--all', '--konnectivity-host', 'k.example.com'], /--konnectivity-host is about one tenant, and several are checked: leave it out/],
    ['one cluster ID for all', two, ['--all', '--cluster-id', 'x'], /--cluster-id is about one tenant/],
    ['one CA for all', two, ['--all', '--ca-file', 'ca.crt'], /each has a CA of its own; write it like ca\/\{namespace\}\/\{name\}\.crt$/],
    ['a CA that is missing', two, ['--all', '--ca-file', '/no/{namespace}.{name}.crt'], /--ca-file "\/no\/clusters\.a\.crt": cannot be read/],
    ['one of two, as the other cannot be read', { ...two, 'b.yaml': 'kind: [' }, ['--all'], /b\.yaml", line 1: is no YAML \(.*\); correct it, render it if it is a template, or name other files$/],
    ['a name that leads out of the folder', { 'a.yaml': hostedCluster('../../a', 'a.example.com', 1) }, ['--ca-file', 'ca/{name}.crt'], /has a name that no file can have$/],
  ])('%s', async (_, files, args, message) => {
    const { code, stdout, stderr } = await refusal(files, ...args);
    expect(stderr.trim()).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('one of them by its name or its host and port', async () => {
    expect((await refusal(two, '--tenant', 'clusters/b')).stdout).toMatch(/^clusters\/b b\.example\.com:30002\n/);
    expect((await refusal(two, 'B.example.com')).stdout).toMatch(/^clusters\/b B\.example\.com:30002\n/);
    expect((await refusal(twins, 'edge.example.com', '--port', '30002')).stdout).toMatch(/^clusters\/b edge\.example\.com:30002\n/);
  });
});

describe('all control planes of a folder', () => {
  test('are checked with the CA of each, and what is not well is told', async () => {
    const { files, flags } = await fleet();
    const { code, stdout, stderr } = await withFolder(files, folder =>
      doctor(['live', '--manifests', folder, '--all', '--ca-file', join(folder, 'ca/{namespace}/{name}.crt'), ...flags]));
    expect(stderr).toBe('');
    const [down, ...healthy] = stdout.split(/^(?=clusters\/)/m).sort();
    expect(down).toMatch(new RegExp('^clusters/down down\\.k8s\\.example\\.com:\\d+: Broken at tcp\\.\n'
      + ' {2}failed {3}tcp .*nothing listens there\n'
      + ' {2}skipped {2}sni, chain, sans, alpn, version, readyz, no-sni, unknown-sni, in-cluster-sni {2}needs tcp\n'
      + ' {2}tcp: check the load balancer .*\n'));
    // Who is known last has the summary behind it.
    expect(healthy.map(text => text.split('\n')[0])).toEqual([
      expect.stringMatching(/^clusters\/one one\.k8s\.example\.com:\d+: Healthy\.$/), expect.stringMatching(/^clusters\/two two\.k8s\.example\.com:\d+: Healthy\.$/),
    ]);
    expect(stdout).toMatch(/^3 tenants: 2 healthy, 1 not\.\nNot checked, as no host leads to it: clusters\/apart\.\n/m);
    expect(code).toBe(1);
  });

  test.each(['1', '64'])('are in the JSON in the order of the manifests, %s at once', async concurrency => {
    const { files, flags } = await fleet();
    const { code, stdout } = await withFolder(files, folder => doctor(['live', '--manifests', folder, '--all', '-o', 'json', '--concurrency', concurrency, ...flags]));
    expect(JSON.parse(stdout)).toMatchObject({
      version: 2,
      command: 'live',
      healthy: false,
      tenants: [
        { namespace: 'clusters', name: 'one', system: 'HyperShift', healthy: true, summary: 'Healthy.' },
        { namespace: 'clusters', name: 'two', healthy: true },
        { namespace: 'clusters', name: 'down', healthy: false, summary: 'Broken at tcp.' },
      ],
      notChecked: [{ namespace: 'clusters', name: 'apart', system: 'HyperShift' }],
    });
    expect(code).toBe(1);
  });

  test('may be a single one', async () => {
    const { files, flags } = await fleet();
    const { code, stdout } = await withFolder({ '0.yaml': files['0.yaml'] }, folder => doctor(['live', '--manifests', folder, '--all', ...flags]));
    expect(stdout).toMatch(/^clusters\/one one\.k8s\.example\.com:\d+: Healthy\.\n1 tenant: all healthy\.\n$/);
    expect(code).toBe(0);
  });
});

describe('a tenant whose manifest is hostile', () => {
  const HOSTS = ['a\u0000b.example.com', `${'x'.repeat(300)}.example.com`, '..', 'a b', 'ä.example.com', '-', 'a\nb', '\u001b[2J', '*', '*.example.com', 'https://x', 'a/../b', '%00'];
  const PORTS = [0, -1, 65_536, 1.5, Number.MAX_SAFE_INTEGER];
  const control = (name: string, host: string, port = 443) => ({
    apiVersion: 'kamaji.clastix.io/v1alpha1',
    kind: 'TenantControlPlane',
    metadata: { name, namespace: 'tenants' },
    spec: { controlPlane: { ingress: { hostname: `${host}:${port}` } }, addons: { konnectivity: { server: { port: 8132 }, agent: {} } } },
  });

  test('does not keep the others from being checked', async () => {
    const { files, flags } = await fleet();
    const hostile = [
      ...HOSTS.map((host, i) => JSON.stringify(control(`host-${i}`, host))),
      ...PORTS.map((port, i) => hostedCluster(`port-${i}`, 'one.k8s.example.com', port)),
      ...HOSTS.map((host, i) => hostedCluster(`address-${i}`, host, 30_001)),
    ];
    const { code, stdout, stderr } = await withFolder({ '0.yaml': files['0.yaml'], 'hostile.yaml': hostile.join('\n---\n') }, folder =>
      doctor(['live', '--manifests', folder, '--all', '-o', 'json', ...flags]));
    expect(stderr).toBe('');
    const { tenants } = JSON.parse(stdout);
    expect(tenants.filter(({ healthy }: { healthy: boolean }) => healthy)).toMatchObject([{ name: 'one' }]);
    expect(tenants.length).toBeGreaterThan(2 * HOSTS.length);
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(code).toBe(1);
  });
});

describe('control planes of a management cluster', () => {
  /** A `kubectl` of these words of a shell. */
  const withKubectl = <T>(script: string, use: (folder: string, env: Record<string, string>) => Promise<T>) => withFolder({}, async folder => {
    writeFileSync(join(folder, 'kubectl'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'kubectl'), 0o755);
    return use(folder, { PATH: `${folder}:${process.env.PATH}` });
  });

  test('are read with kubectl, those kinds that the cluster has', async () => {
    const { files, flags } = await fleet();
    const list = JSON.stringify({ kind: 'List', items: [JSON.parse(files['0.yaml']), JSON.parse(files['1.yaml'])] });
    await withKubectl(`
echo "$@" >> "$(dirname "$0")/calls"
case "$1" in
  api-resources) printf 'pods\\nsecrets\\nhostedclusters.hypershift.openshift.io\\n'; echo 'an aggregated API is down' >&2; exit 1 ;;
  get) cat <<'END'
${list}
END
esac`, async (folder, env) => {
      const run = (...args: string[]) => doctor(['live', '--kubeconfig', '/some/admin.conf', '--context', 'mgmt', ...flags, ...args], env);
      expect((await run()).stderr).toMatch(/--kubeconfig "\/some\/admin\.conf": 2 control planes are in there: clusters\/one \(/);
      const { code, stdout } = await run('--all');
      expect(stdout).toMatch(/2 tenants: all healthy\.\n$/);
      expect(code).toBe(0);
      expect((await run('--tenant', 'clusters/two')).stdout).toMatch(/^clusters\/two two\.k8s\.example\.com:\d+\n/);
      const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
      expect(new Set(calls.map(call => call.split(' --')[0]))).toEqual(new Set(['api-resources', 'get hostedclusters.hypershift.openshift.io']));
      expect(calls.every(call => call.includes('--kubeconfig=/some/admin.conf') && call.includes('--context=mgmt'))).toBe(true);
    });
  });

  test.each([
    ['has no control planes', 'echo pods', /no control plane is in there; give that of the management cluster; that of a tenant's own API server goes to --tenant-kubeconfig$/],
    ['cannot be reached', 'echo "The connection to the server was refused" >&2; exit 1', /kubectl cannot read the cluster: The connection to the server was refused$/],
    ['may not be read', 'test "$1" = get && { echo "Error from server (Forbidden): no" >&2; exit 1; }; echo clusters.k0smotron.io', /cannot read the cluster: Error from server \(Forbidden\): no$/],
    ['answers something else', 'test "$1" = get && exec echo hello; echo clusters.k0smotron.io', /its answer is no JSON$/],
  ])('are no success where the cluster %s', async (_, script, message) => {
    const { code, stdout, stderr } = await withKubectl(script, (__, env) => doctor(['live', '--kubeconfig', 'x', '--all'], env));
    expect(stderr.trim()).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('need kubectl', async () => {
    const { code, stderr } = await doctor(['live', '--kubeconfig', 'x', '--all'], { PATH: '/nowhere' });
    expect(stderr).toMatch(/kubectl, which reads the cluster, is not on the PATH/);
    expect(code).toBe(2);
  });
});
