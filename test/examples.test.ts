import { mkdtempSync, readdirSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Yaml } from 'cdk8s';
import { Warnings } from '../src';
import { KINDS_WITHOUT_DEFINITION } from './support/crd-schemas';
import { expectValid } from './support/schemas';

const EXAMPLES = join(__dirname, '..', 'examples');
const NAMES = readdirSync(EXAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory()).map(entry => entry.name).sort();

// The examples import the library by its name, which this folder's tsconfig.json does not know.
const { report } = jest.requireActual('../examples/report');

let outdir: string;
const apps: { [name: string]: App } = {};

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'examples-'));
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  for (const name of NAMES) {
    process.env.CDK8S_OUTDIR = join(outdir, name);
    apps[name] = jest.requireActual(join(EXAMPLES, name, 'main')).app;
  }
  delete process.env.CDK8S_OUTDIR;
  warn.mockRestore();
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** The manifests by chart. A chart that differs from an earlier one by the tenant's name alone only names that one. */
function manifestsOf(app: App): { [chart: string]: any } {
  const known = new Map<string, string>();
  return Object.fromEntries(app.charts.map(chart => {
    const id = chart.node.id;
    const manifests = chart.toJson();
    const text = JSON.stringify(manifests).split(id).join('').replace(/"checksum[^"]*":"[^"]*"/g, '');
    const same = known.get(text);
    known.set(text, same ?? id);
    return [id, same ? `as ${same}` : manifests];
  }));
}

/** What is written for tenants, by file; a file that differs from an earlier one by the tenant's name alone only names that one. */
function tenantFilesOf(name: string, app: App): { [file: string]: any } {
  const folder = join(outdir, name);
  const charts = app.charts.map(chart => chart.node.id);
  const known = new Map<string, string>();
  return Object.fromEntries(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    .filter(file => file.endsWith('.yaml') && file.includes('/') && !charts.includes(file.split('/')[0])).map(file => {
      const manifests = Yaml.load(join(folder, file));
      const text = JSON.stringify(manifests).split(file.split('/')[0].replace(/^[^-]+-/, '')).join('').replace(/"checksum[^"]*":"[^"]*"/g, '');
      const same = known.get(text);
      known.set(text, same ?? file);
      return [file, same ? `as ${same}` : manifests];
    }));
}

describe.each(NAMES)('the example %s', name => {
  test('gives the manifests of tenants that were reviewed', () => {
    expect(tenantFilesOf(name, apps[name])).toMatchSnapshot();
  });

  test('lacks nothing that it has to say it lacks', () => {
    expect(Warnings.of(apps[name]).filter(text => /^(kubernetesService|konnectivity|certificate):/.test(text))).toEqual([]);
  });

  test('gives the manifests that were reviewed', () => {
    expect(manifestsOf(apps[name])).toMatchSnapshot();
  });

  test('tells an operator the routes, SANs and DNS records that were reviewed', () => {
    expect(`\n${report(apps[name])}`).toMatchSnapshot();
  });
});

describe('the manifests of the examples', () => {
  test.each(NAMES)('of %s are valid', name => {
    for (const manifest of apps[name].charts.flatMap(chart => chart.toJson()).filter(({ kind }) => !KINDS_WITHOUT_DEFINITION.includes(kind))) {
      expectValid(manifest);
    }
  });
});
