import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { dump } from 'js-yaml';
import { dumped, dumpFile, MODULES } from './support/adoptions';
import { synthesized } from './support/program';
import { adoptCommand } from '../src/command';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'adopt-'));
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

interface Run { readonly code: unknown; readonly stdout: string; readonly error?: string }

/** Runs the command in this process, with the library from its sources. */
async function run(...args: string[]): Promise<Run> {
  let stdout = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation(text => {
    stdout += String(text);
    return true;
  });
  process.exitCode = undefined;
  try {
    await adoptCommand(() => MODULES).exitOverride().configureOutput({ writeErr: () => undefined }).parseAsync(args, { from: 'user' });
    return { code: process.exitCode, stdout };
  } catch (error) {
    return { code: (error as Error).name, stdout, error: (error as Error).message };
  } finally {
    write.mockRestore();
    process.exitCode = undefined;
  }
}

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : dump(content));
  return path;
}

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tenant-01-ca', namespace: 'tenants' },
  stringData: { 'a.yaml': 'hunter2', 'b.yaml': 'kind: {{ hunter2' },
  data: { 'tls.key': 'aHVudGVyMg==' },
};

test.each([
  ['name', 'x\n```\n$(touch /tmp/pwned)'], ['name', '../../x'], ['namespace', 'tenants; rm -rf ~'],
])('a dump with a %s that no object has is refused, as it would stand in commands: %j', async (field, text) => {
  const object: any = dumped('k0smotron-control-plane');
  object.metadata[field] = text;
  const out = join(folder, 'out');
  const { error } = await run(file('dump.yaml', object), '--domain', 'example.com', '--out', out);
  expect(error).toMatch(/^K0smotronControlPlane "[^\n]*: is no namespace and name that an API server takes; dump it again/);
  expect(existsSync(out)).toBe(false);
});

test('a folder that cannot be made is an error of the command line', async () => {
  const out = join(dumpFile('kamaji-load-balancer'), 'out');
  const { code, error } = await run(dumpFile('kamaji-load-balancer'), '--domain', 'example.com', '--out', out);
  expect([code, error]).toEqual(['ConfigurationError', expect.stringMatching(/^--out ".*out": cannot be written \(ENOTDIR.*\); name another folder$/)]);
});

test('a dump becomes a program, a plan and a report, the most dangerous first', async () => {
  const out = join(folder, 'out');
  const { code, stdout } = await run(dumpFile('kamaji-load-balancer'), '--domain', 'example.com', '--out', out);
  expect(stdout.split(folder).join('<folder>')).toMatchSnapshot();
  expect(code).toBe(0);
  expect(readFileSync(join(out, 'plan.md'), 'utf8')).toMatchSnapshot();
  expect(synthesized(readFileSync(join(out, 'main.ts'), 'utf8')).map(({ kind }) => kind)).toContain('TenantControlPlane');
});

test('JSON has every field that changes, and which change is dangerous', async () => {
  const { stdout } = await run(dumpFile('kamaji-load-balancer'), '--domain', 'example.com', '-o', 'json');
  const { tenants: [tenant], notDescribed } = JSON.parse(stdout);
  expect(notDescribed).toEqual([]);
  const first = { topic: 'Address and host', dangerous: true, field: 'spec.controlPlane.ingress.hostname', after: 'tenants-tenant-01.k8s.example.com:443' };
  expect(tenant.changes[0]).toEqual(first);
  const last = { topic: 'Service', dangerous: true, field: 'spec.controlPlane.service.serviceType', before: 'LoadBalancer', after: 'ClusterIP' };
  expect(tenant.lastStep).toContainEqual(last);
});

test('a List with a Secret and objects of other kinds gives the control planes, and nothing of the Secret', async () => {
  const other = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
  const list = file('dump.yaml', { apiVersion: 'v1', kind: 'List', items: [secret, dumped('kamaji-node-port'), other, dumped('k0smotron-cluster')] });
  const out = join(folder, 'out');
  const { code, stdout } = await run(list, '--domain', 'example.com', '--out', out);
  expect(code).toBe(0);
  expect(stdout).toMatch(/2 control planes described\./);
  for (const text of [stdout, readFileSync(join(out, 'main.ts'), 'utf8'), readFileSync(join(out, 'plan.md'), 'utf8')]) {
    expect(text).not.toMatch(/hunter2|aHVudGVyMg/);
  }
});

test('a file that is no YAML is told without its text', async () => {
  const path = file('dump.yaml', 'kind: Secret\napiVersion: v1\nstringData:\n  password: *hunter2\n');
  const error = `${path}:1: cannot be read as YAML or JSON; dump it again, with kubectl get --output yaml`;
  expect(await run(path, '--domain', 'example.com')).toEqual({ code: 'ConfigurationError', stdout: '', error });
});

test('a database URL, which may hold a password, is told to go and shown nowhere', async () => {
  const running = dumped('k0smotron-cluster');
  running.spec.storage = { type: 'kine', kine: { dataSourceURL: 'postgres://k0s:hunter2@db/tenant' } };
  const out = join(folder, 'out');
  const { stdout } = await run(file('dump.yaml', running), '--domain', 'example.com', '--out', out);
  expect(stdout).toMatch(/Where the data is: .*\n.*\n? *- spec\.storage\.kine\.dataSourceURL: \(not shown: it may be a password\)/);
  for (const name of ['main.ts', 'plan.md']) expect(readFileSync(join(out, name), 'utf8')).not.toContain('hunter2');
  expect(stdout).not.toContain('hunter2');
});

test('texts of a dump cannot steer a terminal', async () => {
  const running = dumped('kamaji-node-port');
  running.metadata.annotations = { '\u001b]0;owned\u0007/a': '\u001b[2J\u202e' };
  running.metadata.labels = { '\u202elabel': 'x' };
  running.spec.networkProfile.certSANs = ['\u202e\u009b31m'];
  const { stdout, error } = await run(file('dump.json', JSON.stringify(running)), '--domain', 'example.com');
  expect(error).toBeUndefined();
  expect(stdout).toMatch(/metadata\.labels\["\?label"\]/);
  expect(stdout).toMatch(/certSANs: "\?\?31m"/);
  expect(stdout).toMatch(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]*$/);
});

test('aliases that make a large object of a small file are refused', async () => {
  const levels = Array.from({ length: 9 }, (_, i) => `  l${i + 1}: &l${i + 1} [${Array(9).fill(i === 0 ? 'x' : `*l${i}`).join(', ')}]`);
  const path = file('dump.yaml', ['apiVersion: kamaji.clastix.io/v1alpha1', 'kind: TenantControlPlane', 'metadata: { name: a, namespace: b }', 'spec:', ...levels].join('\n'));
  expect((await run(path, '--domain', 'example.com')).error).toMatch(/^TenantControlPlane b\/a: is larger than any object that an API server holds/);
});

test('one that cannot be described keeps no other from it', async () => {
  const broken = { ...dumped('kamaji-node-port'), metadata: { name: 'broken', namespace: 'tenants' } };
  broken.spec.kubernetes.version = 'vNext';
  const list = { apiVersion: 'v1', kind: 'List', items: [broken, dumped('kamaji-load-balancer')] };
  const { code, stdout } = await run(file('dump.yaml', list), '--domain', 'example.com');
  expect(stdout).toMatch(/Not described: TenantControlPlane tenants\/broken: .*kubernetesVersion: "Next" is not a version/);
  expect(stdout).toMatch(/1 control plane described, 1 not\./);
  expect(code).toBe(1);
});

describe('one of Cluster API', () => {
  const cluster = {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Cluster',
    metadata: { name: 'tenant-09', namespace: 'tenants' },
    spec: { clusterNetwork: { apiServerPort: 6444, services: { cidrBlocks: ['10.112.0.0/16'] }, pods: { cidrBlocks: ['10.36.0.0/16'] }, serviceDomain: 'tenant.local' } },
  };

  test('has the networks and the port of its Cluster, where that is in the dump too', async () => {
    const out = join(folder, 'out');
    const list = { apiVersion: 'v1', kind: 'List', items: [cluster, dumped('kamaji-control-plane')] };
    expect(await run(file('dump.yaml', list), '--domain', 'example.com', '--out', out)).toMatchObject({ code: 0 });
    const program = readFileSync(join(out, 'main.ts'), 'utf8');
    expect(program).toMatch(/serviceCidrs: \['10\.112\.0\.0\/16'\],\s+podCidrs: \['10\.36\.0\.0\/16'\],\s+clusterDomain: 'tenant\.local'/);
    expect(program).toMatch(/apiPort: 6444/);
  });

  test.each([
    ['kamaji-control-plane', /apiPort: 6444/],
    ['k0smotron-control-plane', /name: 'the-cluster',[^]*controlPlaneName: 'tenant-07-cp'/],
  ])('and was not applied yet is that of the Cluster which refers to it: %s', async (name, expected) => {
    const { apiVersion, kind, metadata: { labels: _, ownerReferences: __, ...metadata }, spec } = dumped(name);
    const referring = { ...cluster, metadata: { ...cluster.metadata, name: 'the-cluster' }, spec: { ...cluster.spec, controlPlaneRef: { apiVersion, kind, name: metadata.name } } };
    const out = join(folder, `unapplied-${name}`);
    const list = { apiVersion: 'v1', kind: 'List', items: [referring, { apiVersion, kind, metadata, spec }] };
    expect(await run(file('dump.yaml', list), '--domain', 'example.com', '--out', out)).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'main.ts'), 'utf8')).toMatch(expected);
  });

  test('of an older version is to be dumped as the newer one', async () => {
    const old = { ...dumped('kamaji-control-plane'), apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha1' };
    expect((await run(file('dump.yaml', old), '--domain', 'example.com')).error).toMatch(
      /^KamajiControlPlane tenants\/tenant-09: .*v1alpha1 has fields of its own.*: dump it with kubectl get kamajicontrolplanes\.v1alpha2\.controlplane\.cluster\.x-k8s\.io --output yaml/);
  });
});

describe('one of k0rdent', () => {
  const deployment = {
    apiVersion: 'k0rdent.mirantis.com/v1beta1',
    kind: 'ClusterDeployment',
    metadata: { name: 'tenant-07', namespace: 'tenants' },
    spec: { template: 'hetzner-hosted-cp-1-2-0', credential: 'hcloud', config: { workersNumber: 1 } },
  };

  test('is left out with the construct for it, and so is what k0rdent has made of it', async () => {
    const made = dumped('k0smotron-control-plane');
    made.metadata.labels['helm.toolkit.fluxcd.io/name'] = 'tenant-07';
    const list = { apiVersion: 'v1', kind: 'List', items: [deployment, made, dumped('kamaji-load-balancer')] };
    const { code, stdout } = await run(file('dump.yaml', list), '--domain', 'example.com');
    expect(stdout).toMatch(/Not described: ClusterDeployment tenants\/tenant-07: .*write new K0rdentClusterDeployment\(management, "tenant-07", \{ .*K0rdentConfig\.values\(/);
    expect(stdout).toMatch(/Not described: K0smotronControlPlane tenants\/tenant-07-cp: is made by k0rdent, .*for the ClusterDeployment tenants\/tenant-07\n/);
    expect(stdout).toMatch(/1 control plane described, 2 not\./);
    expect(code).toBe(1);
  });
});

test.each([
  ['no domain', ['kamaji-load-balancer'], [], /nothing names a host for it \(hostname\): give --domain/],
  ['no Gateway for a port of its own', ['hosted-cluster'], [], /the API server has a port of its own, which needs a Gateway at the shared address: give --gateway/],
  ['a tenant that is not there', ['kamaji-load-balancer'], ['--tenant', 'tenants/other'], /--tenant "tenants\/other": is not there; there are tenants\/\S+$/],
  ['a controller that is none', ['kamaji-load-balancer'], ['--controller', 'nginx'], /--controller "nginx": is not a controller, choose one of traefik, haproxy/],
  ['a Gateway that is missing', ['kamaji-load-balancer'], ['--controller', 'gatewayApi'], /give --gateway <namespace>\/<name> too/],
  ['a domain with a scheme', ['kamaji-load-balancer'], ['--domain', 'https://example.com'], /is not a domain, write it like example\.com/],
  ['nothing to read', [], [], /nothing says what runs/],
  ['both', ['kamaji-load-balancer'], ['--kubeconfig', 'x'], /give one of them/],
])('%s is told', async (_, dumps, args, message) => {
  expect(await run(...dumps.map(dumpFile), ...args)).toEqual({ code: 'ConfigurationError', stdout: '', error: expect.stringMatching(message) });
});

test('a dump without a control plane says how to make one that has some', async () => {
  expect((await run(file('dump.yaml', secret))).error).toMatch(/^no control plane is in there; dump them with kubectl get tenantcontrolplanes/);
});

test('nothing that is there is overwritten', async () => {
  const path = file('mine.txt', 'mine');
  expect((await run(dumpFile('kamaji-load-balancer'), '--domain', 'example.com', '--out', folder)).error).toMatch(/is there, and not empty; name a new folder$/);
  expect([existsSync(join(folder, 'main.ts')), readFileSync(path, 'utf8')]).toEqual([false, 'mine']);
});

describe('--compare', () => {
  test('finds no difference between what runs and the same as a manifest', async () => {
    const { code, stdout } = await run(dumpFile('kamaji-load-balancer'), '--compare', dumpFile('kamaji-load-balancer'));
    expect(stdout).toMatch(/No difference: 1 control plane\.\n$/);
    expect(code).toBe(0);
  });

  test('takes what an API server fills in for the same', async () => {
    const { metadata: { name, namespace, labels, annotations }, spec: { controlPlane, ...spec }, ...rest } = dumped('kamaji-node-port');
    const { registrySettings: _, strategy: __, serviceAccountName: ___, ...deployment } = controlPlane.deployment;
    const written = { ...rest, metadata: { name, namespace, labels, annotations }, spec: { ...spec, controlPlane: { ...controlPlane, deployment } } };
    const manifest = file('written.yaml', written);
    expect(await run(dumpFile('kamaji-node-port'), '--compare', manifest)).toMatchObject({ code: 0 });
  });

  test('tells what the manifests change, and what they do not have', async () => {
    const changed = dumped('kamaji-load-balancer');
    changed.spec.dataStore = 'other';
    const { code, stdout } = await run(dumpFile('kamaji-load-balancer'), dumpFile('kamaji-node-port'), '--compare', file('written.yaml', changed));
    expect(stdout).toMatch(/Where the data is: .*\n {4}~ spec\.dataStore: "default" → "other"/);
    expect(stdout).toMatch(/TenantControlPlane tenants\/tenant-02\n {2}is not among the manifests/);
    expect(stdout).toMatch(/2 of 2 control planes would change\.\n$/);
    expect(code).toBe(1);
  });
});
