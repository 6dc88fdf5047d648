import { mkdtempSync, readdirSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Cluster } from './support/cluster';
import { appsOf } from '../../examples/apps';
import { eventually } from '../data-path/support/eventually';
import { stopParts } from '../data-path/support/parts';
import { CRD_FOLDER, KINDS_WITHOUT_DEFINITION } from '../support/crd-schemas';

const EXAMPLES_FOLDER = join(__dirname, '..', '..', 'examples');
const EXAMPLES = readdirSync(EXAMPLES_FOLDER, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name);

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
  // Their last-applied annotation would be too large.
  await cluster.kubectl(['apply', '--server-side', `--filename=${CRD_FOLDER}`]);
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
}, 180_000);

afterAll(stopParts);

function manifestsOf(example: string): any[] {
  process.env.CDK8S_OUTDIR = mkdtempSync(join(tmpdir(), 'example-'));
  const apps = appsOf(jest.requireActual(join(EXAMPLES_FOLDER, example, 'main')));
  return apps.flatMap(({ app }) => app.charts).flatMap(chart => chart.toJson()).filter(({ kind }) => !KINDS_WITHOUT_DEFINITION.includes(kind));
}

async function createNamespaces(manifests: any[]): Promise<void> {
  const names = [...new Set(manifests.map(manifest => manifest.metadata.namespace).filter(Boolean))];
  await cluster.apply(names.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })));
}

test.each(EXAMPLES)('the API server accepts every manifest of the example %s, with strict validation', async example => {
  const manifests = manifestsOf(example);
  await createNamespaces(manifests);
  // The API server may learn of a new kind a moment after it is established.
  const answer = await eventually(() => cluster.apply(manifests, '--dry-run=server', '--validate=strict'), 30_000);
  const accepted = answer.split('\n').filter(line => line.includes('(server dry run)'));
  expect(accepted).toHaveLength(manifests.length);
}, 120_000);

test('the API server refuses a field that it does not know', async () => {
  const manifest = manifestsOf(EXAMPLES[0]).find(({ spec }) => spec);
  await createNamespaces([manifest]);
  const wrong = { ...manifest, spec: { ...manifest.spec, unheardOf: true } };
  await expect(cluster.apply([wrong], '--dry-run=server', '--validate=strict')).rejects.toThrow(/unknown field "(spec\.)?unheardOf"/);
}, 60_000);
