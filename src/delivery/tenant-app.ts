import { ApiObject, App, Chart, ChartProps } from 'cdk8s';
import { inApplyOrder } from './apply-order';
import { groupKind, titleOf } from './manifest-title';
import { namespacesFirst } from '../synthesis/namespaces-first';
import { invalidInput } from '../validation/invalid-input';

/**
 * The objects of one tenant cluster: an app of its own, so that none of them gets among those of the management cluster.
 *
 * It is checked with the management app and written like it.
 */
export class TenantApp {
  /** Where the tenant's objects go; the user may add charts beside it or below it. */
  public readonly chart: Chart;
  private readonly app: App;

  /**
   * @param management the app of the management cluster
   * @param folder     the folder of the tenant's manifests, relative to that of the app
   */
  public constructor(management: App, name: string, private readonly folder: string, props?: ChartProps) {
    this.app = new App({
      yamlOutputType: management.yamlOutputType,
      outputFileExtension: management.outputFileExtension,
      resolvers: management.resolvers,
    });
    this.chart = new Chart(this.app, name, props);
    namespacesFirst(this.app);
  }

  /** All charts of the tenant. */
  public get charts(): Chart[] {
    return this.app.charts;
  }

  /** Why the objects cannot be rendered, with the path of the construct. */
  public errors(): string[] {
    return this.app.node.findAll().flatMap(({ node }) => node.validate().map(error => `[${[this.folder, node.path].filter(Boolean).join('/')}] ${error}`));
  }

  /**
   * The objects in the order in which they can be applied, those of lists by themselves.
   *
   * @throws when one of them is there twice, or has no name to apply it by
   */
  public objects(): any[] {
    const objects = inApplyOrder(this.app.charts.flatMap(chart => chart.toJson()).flatMap(itemsOf));
    objects.forEach(object => requireName(this.folder, object));
    const titles = new Set<string>();
    for (const title of objects.map(titleOf)) {
      if (titles.has(title)) {
        throw invalidInput(this.folder, title, 'is there twice, so that each would overwrite the other', 'Leave one of them out, or rename it');
      }
      titles.add(title);
    }
    return objects;
  }

  /** The titles of the objects, without those that are in lists. */
  public titles(): string[] {
    return this.app.node.findAll().filter(ApiObject.isApiObject).map(({ apiVersion, kind, metadata, name }) =>
      titleOf({ apiVersion, kind, metadata: { namespace: metadata.namespace, name } }));
  }

  /** Writes the manifests into a folder, which is known only now. */
  public write(folder: string): void {
    (this.app as { outdir: string }).outdir = folder;
    this.app.synth();
  }
}

/** The objects of a `v1 List`, as charts of Helm have them; any other object itself. */
function itemsOf(object: any): any[] {
  return object.apiVersion === 'v1' && object.kind === 'List' ? (object.items ?? []).flatMap(itemsOf) : [object];
}

function requireName(folder: string, object: any): void {
  if (!object.metadata?.name) {
    throw invalidInput(folder, groupKind(object).replace(/^\//, ''), 'has no metadata.name to apply it by again; with generateName it would be another each time',
      'Give it a name, or deliver the tenant with TenantDelivery.manifests()');
  }
}
