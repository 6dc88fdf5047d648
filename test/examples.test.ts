import { mkdtempSync, readdirSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { KINDS_WITHOUT_DEFINITION } from './support/crd-schemas';
import { expectValid } from './support/schemas';
import { appsOf } from '../examples/apps';

const EXAMPLES = join(__dirname, '..', 'examples');
const NAMES = readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();

// The examples import the library by its name, which this folder's tsconfig.json does not know.
const { report } = jest.requireActual('../examples/report');

let outdir: string;
const apps: { [name: string]: ReturnType<typeof appsOf> } = {};

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'examples-'));
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  for (const name of NAMES) {
    process.env.CDK8S_OUTDIR = join(outdir, name);
    apps[name] = appsOf(jest.requireActual(join(EXAMPLES, name, 'main')));
  }
  delete process.env.CDK8S_OUTDIR;
  warn.mockRestore();
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/**
 * The manifests by chart. A chart that differs from an earlier one by the tenant's name alone only names that one, and of the
 * environments after the first there are the names alone.
 */
function manifestsOf(example: ReturnType<typeof appsOf>): { [chart: string]: any } {
  const known = new Map<string, string>();
  const charts = example.flatMap(({ folder, app }) => app.charts.map(chart => ({ title: join(folder, chart.node.id), app, chart })));
  return Object.fromEntries(charts.map(({ title, app, chart }) => {
    const manifests = chart.toJson();
    const text = JSON.stringify(manifests).split(chart.node.id).join('').replace(/"checksum[^"]*":"[^"]*"/g, '');
    if (app !== example[0].app) {
      return [title, manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`)];
    }
    const same = known.get(text);
    known.set(text, same ?? title);
    return [title, same ? `as ${same}` : manifests];
  }));
}

describe.each(NAMES)('the example %s', name => {
  test('gives the manifests that were reviewed', () => {
    expect(manifestsOf(apps[name])).toMatchSnapshot();
  });

  test('tells an operator the routes, SANs and DNS records that were reviewed', () => {
    expect(`\n${apps[name].map(({ app }) => report(app)).join('\n')}`).toMatchSnapshot();
  });
});

describe('the manifests of the examples', () => {
  test.each(NAMES)('of %s are valid', name => {
    const manifests = apps[name].flatMap(({ app }) => app.charts).flatMap(chart => chart.toJson());
    for (const manifest of manifests.filter(({ kind }) => !KINDS_WITHOUT_DEFINITION.includes(kind))) {
      expectValid(manifest);
    }
  });
});
