import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import { namespacesFirst } from '../../src/synthesis/namespaces-first';

let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'namespaces-first-'));
});
afterEach(() => rmSync(outdir, { recursive: true }));

/** Two charts with a ConfigMap in a namespace of their own. */
function written(yamlOutputType: YamlOutputType, { depend = false, times = 1 } = {}): string[] {
  const app = new App({ outdir, yamlOutputType });
  const charts = ['alpha', 'beta'].map(name => {
    const chart = new Chart(app, name);
    new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    new ApiObject(chart, 'config', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: name } });
    return chart;
  });
  if (depend) charts[0].addDependency(charts[1]);
  namespacesFirst(app);
  namespacesFirst(app);
  for (let i = 0; i < times; i++) app.synth();
  return (readdirSync(outdir, { recursive: true, withFileTypes: true }) as any[]).filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name).slice(outdir.length + 1)).sort();
}

test('a file for each object: those of Namespaces sort before all others, also when the app is synthesized again', () => {
  const files = written(YamlOutputType.FILE_PER_RESOURCE, { times: 2 });
  expect(files).toEqual(['0-Namespace.alpha.k8s.yaml', '0-Namespace.beta.k8s.yaml', 'ConfigMap.alpha.k8s.yaml', 'ConfigMap.beta.k8s.yaml']);
  expect(readFileSync(join(outdir, files[0]), 'utf8')).toContain('kind: Namespace');
});

test.each([[false, ['alpha', 'beta']], [true, ['0000-beta', '0001-alpha']]])('a folder for each chart, with dependencies between them: %s', (depend, folders) => {
  expect(written(YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, { depend }))
    .toEqual(folders.flatMap(folder => [`${folder}/0-Namespace.${folder.replace(/^\d+-/, '')}.k8s.yaml`, `${folder}/ConfigMap.${folder.replace(/^\d+-/, '')}.k8s.yaml`]));
});

test.each([[YamlOutputType.FILE_PER_CHART, ['alpha.k8s.yaml', 'beta.k8s.yaml']], [YamlOutputType.FILE_PER_APP, ['app.k8s.yaml']]])('%s: the files are as cdk8s writes them', (type, files) => {
  expect(written(type)).toEqual(files);
});
