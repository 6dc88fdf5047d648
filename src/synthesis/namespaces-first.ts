import { readdirSync, renameSync } from 'fs';
import { join } from 'path';
import { ApiObject, App, Names, YamlOutputType } from 'cdk8s';
import { IConstruct } from 'constructs';
import { afterSynthesis } from './after-synthesis';

/** kubectl takes the files of a folder in the order of their names, and digits come before the kinds. */
const PREFIX = '0-';

/**
 * Has `kubectl apply -f` meet Namespaces before the objects in them where cdk8s gives each object a file: `ConfigMap.a.k8s.yaml`
 * would come before `Namespace.b.k8s.yaml`, and the first apply would fail. Asked several times for an app, it is done once.
 */
export function namespacesFirst(root: IConstruct): void {
  if (!(root instanceof App) || known.has(root)) {
    return;
  }
  known.add(root);
  afterSynthesis(root, () => {
    const files = dividesObjects(root) ? fileNames(root) : new Set<string>();
    // A look at each folder for each Namespace would take longer than the synthesis of thousands of tenants.
    if (files.size > 0) {
      foldersOf(root).forEach(folder => putFirst(folder, files));
    }
  });
}

function dividesObjects({ yamlOutputType }: App): boolean {
  return yamlOutputType === YamlOutputType.FILE_PER_RESOURCE || yamlOutputType === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE;
}

/** The folders that have a file for each object. */
function foldersOf(app: App): string[] {
  if (app.yamlOutputType === YamlOutputType.FILE_PER_RESOURCE) {
    return [app.outdir];
  }
  const charts = new Set(app.charts.map(chart => Names.toDnsLabel(chart)));
  // With dependencies between charts, cdk8s numbers their folders.
  return readdirSync(app.outdir).filter(folder => charts.has(folder) || charts.has(folder.replace(/^\d{4}-/, ''))).map(folder => join(app.outdir, folder));
}

/** As cdk8s names the files of Namespaces in App.synth(). */
function fileNames(app: App): Set<string> {
  const namespaces = app.node.findAll().filter(ApiObject.isApiObject).filter(({ kind, apiVersion }) => kind === 'Namespace' && apiVersion === 'v1');
  return new Set(namespaces.map(({ kind, name }) => `${kind}.${name}`.replace(/[^0-9a-zA-Z-_.]/g, '') + app.outputFileExtension));
}

function putFirst(folder: string, files: Set<string>): void {
  for (const file of readdirSync(folder).filter(each => files.has(each))) {
    renameSync(join(folder, file), join(folder, `${PREFIX}${file}`));
  }
}

const known = new WeakSet<App>();
