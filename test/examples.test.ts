import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Yaml } from 'cdk8s';
import { ExposureReport, Warnings } from '../src';
import { KINDS_WITHOUT_DEFINITION } from './support/crd-schemas';
import { EXAMPLE_NAMES as NAMES, ExampleApp, runExamples } from './support/examples';
import { expectValid } from './support/schemas';

let outdir: string;
let apps: { [name: string]: ExampleApp[] };

beforeAll(() => {
  outdir = mkdtempSync(join(tmpdir(), 'examples-'));
  apps = runExamples(outdir);
});
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/**
 * The manifests by chart. A chart that differs from an earlier one by the tenant's name alone only names that one, and of the
 * environments after the first there are the names alone.
 */
function manifestsOf(example: ExampleApp[]): { [chart: string]: any } {
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

/** What is written for tenants, by file; a file that differs from an earlier one by the tenant's name alone only names that one. */
function tenantFilesOf(folder: string, app: App): { [file: string]: any } {
  const charts = app.charts.map(chart => chart.node.id);
  const known = new Map<string, string>();
  return Object.fromEntries(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
    .filter(file => file.endsWith('.yaml') && file.includes('/') && !charts.includes(file.split('/')[0])).map(file => {
      const text = readFileSync(join(folder, file), 'utf8').split(file.split('/')[0].replace(/^[^-]+-/, '')).join('').replace(/checksum\S*: \S+/g, '');
      const same = known.get(text);
      known.set(text, same ?? file);
      return [file, same ? `as ${same}` : Yaml.load(join(folder, file))];
    }));
}

describe.each(NAMES)('the example %s', name => {
  test('gives the manifests of tenants that were reviewed', () => {
    const files = apps[name].map(({ folder, app }) => [folder, tenantFilesOf(join(outdir, name, folder), app)] as const);
    expect(files.length === 1 ? files[0][1] : Object.fromEntries(files)).toMatchSnapshot();
  });

  test('lacks nothing that it has to say it lacks', () => {
    expect(apps[name].flatMap(({ app }) => Warnings.of(app)).filter(text => /^(kubernetesService|konnectivity|certificate):/.test(text))).toEqual([]);
  });

  test('gives the manifests that were reviewed', () => {
    expect(manifestsOf(apps[name])).toMatchSnapshot();
  });

  test('tells an operator the routes, SANs and DNS records that were reviewed', () => {
    expect(`\n${apps[name].map(({ app }) => new ExposureReport(app, 'printed', { fileName: 'printed' }).summary()).join('\n')}`).toMatchSnapshot();
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
