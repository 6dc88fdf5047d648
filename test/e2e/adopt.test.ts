import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { dump } from 'js-yaml';
import { Cluster } from './support/cluster';
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
  const { kind, apiVersion, metadata: { name, namespace } } = object;
  const resource = `${kind}.${apiVersion.split('/')[1]}.${apiVersion.split('/')[0]}`;
  // The status is its operator's, whose schema is not recorded.
  await cluster.apply([object]);
  await cluster.kubectl(['patch', resource, name, '--namespace', namespace, '--subresource=status', '--type=merge', '--patch', JSON.stringify({ status })]);
  return settled(JSON.parse(await cluster.kubectl(['get', resource, name, '--namespace', namespace, '--output=json'])));
}

test.each(RUNNING.map(running => [running.file, running] as const))('the dump %s is what an API server answers', async (file, running) => {
  const path = join(DUMPS, `${file}.yaml`);
  const text = dump(await answered(running), { lineWidth: -1, sortKeys: true });
  if (process.env.RECORD_DUMPS === 'true') writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, 'utf8'));
});
