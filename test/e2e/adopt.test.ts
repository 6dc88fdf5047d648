import { execFile } from 'child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { buildSync } from 'esbuild';
import { dump } from 'js-yaml';
import { Cluster } from './support/cluster';
import { comparable } from '../../adopt/src/difference/comparable';
import { differenceOf } from '../../adopt/src/difference/difference';
import { programOf } from '../../adopt/src/program';
import { adopted, CONTROLLER } from '../../adopt/test/support/adoptions';
import { synthesized } from '../../adopt/test/support/program';
import { RUNNING } from '../../adopt/test/support/running';
import { stopParts } from '../data-path/support/parts';
import { CRD_FOLDER } from '../support/crd-schemas';

/*
 * The dumps in adopt/test/dumps are what an API server with the definitions of the systems answers, with all that it fills in.
 * RECORD_DUMPS=true writes them anew.
 */
const ROOT = join(__dirname, '..', '..');
const CLUSTER_API_VERSION = 'v1beta2';
const DUMPS = join(ROOT, 'adopt', 'test', 'dumps');

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start({ behindIngress: false });
  await cluster.kubectl(['apply', '--server-side', `--filename=${CRD_FOLDER}`]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  await cluster.apply(['tenants', 'clusters'].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
}, 180_000);

afterAll(stopParts);

/** What differs from run to run. */
function settled({ metadata: { managedFields, ...metadata }, ...object }: any): any {
  return { ...object, metadata: { ...metadata, creationTimestamp: '2026-01-01T00:00:00Z', uid: '00000000-0000-0000-0000-000000000000', resourceVersion: '1' } };
}

async function answered({ object, status }: typeof RUNNING[number]): Promise<any> {
  const { metadata: { name, namespace } } = object;
  const resource = resourceOf(object);
  // The status is its operator's, whose schema is not recorded.
  await cluster.apply([object]);
  await cluster.kubectl(['patch', resource, name, '--namespace', namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  return settled(await get(object));
}

function resourceOf({ kind, apiVersion }: any): string {
  const [group, version] = apiVersion.split('/');
  return `${kind}.${version}.${group}`;
}

async function get(object: any): Promise<any> {
  const { metadata: { name, namespace } } = object;
  return JSON.parse(await cluster.kubectl(['get', resourceOf(object), name, '--namespace', namespace, '--output=json']));
}

/** Applies the custom resource that a program makes, and gives what the API server answers. */
async function applied(program: string, { kind, metadata: { name } }: any): Promise<any> {
  const made = synthesized(program).find(object => object.kind === kind && object.metadata.name === name);
  await cluster.apply([made]);
  return comparable(await get(made));
}

test.each(RUNNING.map(running => [running.file, running] as const))('the dump %s is what an API server answers', async (file, running) => {
  const path = join(DUMPS, `${file}.yaml`);
  const text = dump(await answered(running), { lineWidth: -1, sortKeys: true });
  if (process.env.RECORD_DUMPS === 'true') writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
});

test.each(RUNNING.map(running => [running.file, running] as const))('an API server takes what is made of %s, and changes what is told', async (_, running) => {
  const object = await answered(running);
  const [adoption] = adopted([object]);
  const after = await applied(programOf([adoption], CONTROLLER), object);
  expect(differenceOf(adoption.applied, after)).toEqual([]);
});

/** An API server answers with keys in their order. */
function inOrder(changes: object[]): string[] {
  return changes.map(change => JSON.stringify(change)).sort();
}

test.each(RUNNING.filter(({ object: { kind } }) => kind === 'TenantControlPlane').map(running => [running.file, running] as const))(
  'an API server takes the last step of %s, and changes what is told', async (_, running) => {
    const object = await answered(running);
    const [adoption] = adopted([object]);
    const before = await applied(programOf([adoption], CONTROLLER), object);
    const after = await applied(programOf([{ ...adoption, oldWay: [] }], CONTROLLER), object);
    expect(inOrder(differenceOf(before, after))).toEqual(inOrder(adoption.lastChanges));
    expect(after).toMatchObject({ spec: { controlPlane: { service: { serviceType: 'ClusterIP' } } } });
  });

describe('with --kubeconfig', () => {
  const networks = { apiServerPort: 6444, services: { cidrBlocks: ['10.112.0.0/16'] }, pods: { cidrBlocks: ['10.36.0.0/16'] } };
  const clusterOfClusterApi = { apiVersion: `cluster.x-k8s.io/${CLUSTER_API_VERSION}`, kind: 'Cluster', metadata: { name: 'tenant-09', namespace: 'tenants' }, spec: { clusterNetwork: networks } };
  const admin = () => cluster.file('admin.conf');
  let folder: string;
  let answers: any[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'e2e-adopt-'));
    // The command and the library beside each other, as in the package.
    const bundle = (entry: string, file: string) => buildSync({
      entryPoints: [join(ROOT, entry)], outfile: join(folder, file), bundle: true, platform: 'node', external: ['cdk8s', 'cdk8s-plus-30', 'constructs'], logLevel: 'warning',
    });
    bundle('program/src/main.ts', 'bin/main.js');
    bundle('src/index.ts', 'index.js');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await cluster.apply([clusterOfClusterApi]);
    answers = [await get(clusterOfClusterApi)];
    for (const running of RUNNING) answers.push(await answered(running));
    writeFileSync(join(folder, 'dump.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: answers }));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  function adopt(...args: string[]): Promise<{ code: number; result: any; error: string }> {
    const env = { ...process.env, PATH: `${process.env.KUBEBUILDER_ASSETS}:${process.env.PATH}` };
    return new Promise(resolve => execFile(process.execPath, [join(folder, 'bin', 'main.js'), 'adopt', ...args, '--output', 'json'], { env, maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, result: stdout === '' ? undefined : JSON.parse(stdout), error: stderr })));
  }

  const byName = ({ tenants, ...rest }: any) => ({ ...rest, tenants: [...tenants].sort((a: any, b: any) => (a.name < b.name ? -1 : 1)) });
  const wishes = ['--domain', 'example.com', '--gateway', 'gateways/control-planes'];

  test('what runs is described as from a dump of it', async () => {
    const live = await adopt('--kubeconfig', admin(), ...wishes);
    expect([live.code, live.error]).toEqual([0, '']);
    expect(live.result.tenants).toHaveLength(RUNNING.length);
    const dumped = await adopt(join(folder, 'dump.json'), ...wishes);
    expect(byName(live.result)).toEqual(byName(dumped.result));
  }, 120_000);

  test('one of Cluster API has the networks of its Cluster, which is read too', async () => {
    const out = join(folder, 'out');
    expect(await adopt('--kubeconfig', admin(), ...wishes, '--tenant', 'tenants/tenant-09', '--out', out)).toMatchObject({ code: 0, error: '' });
    expect(readFileSync(join(out, 'main.ts'), 'utf8')).toMatch(/serviceCidrs: \['10\.112\.0\.0\/16'\]/);
  }, 120_000);

  test('what runs is compared with manifests, and only what differs is told', async () => {
    const manifests = join(folder, 'manifests.json');
    const changed = answers.map(object => (object.metadata.name === 'tenant-01' ? { ...object, spec: { ...object.spec, dataStore: 'other' } } : object));
    writeFileSync(manifests, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: changed }));
    const { code, result } = await adopt('--kubeconfig', admin(), '--compare', manifests);
    expect(result.tenants.filter(({ changes }: any) => changes.length > 0)).toEqual([
      expect.objectContaining({ name: 'tenant-01', changes: [expect.objectContaining({ field: 'spec.dataStore', before: 'default', after: 'other' })] }),
    ]);
    expect(code).toBe(1);
  }, 120_000);

  test('a cluster that does not answer is told, and nothing is written', async () => {
    const out = join(folder, 'nothing');
    const { code, error } = await adopt('--kubeconfig', join(folder, 'missing.conf'), ...wishes, '--out', out);
    expect([code, existsSync(out)]).toEqual([2, false]);
    expect(error).toMatch(/^adopt: --kubeconfig ".*missing\.conf": kubectl cannot read the cluster: /);
  });
});
