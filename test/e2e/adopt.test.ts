import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
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
const DUMPS = join(__dirname, '..', '..', 'adopt', 'test', 'dumps');

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
