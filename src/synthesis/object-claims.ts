import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import { IConstruct } from 'constructs';
import { assignChart } from './chart-cluster';
import { ClaimOptions, Claims } from './claims';
import { namespacesFirst } from './namespaces-first';

/** Names an object in a cluster. */
export interface ObjectName {
  readonly kind: string;
  /** API group; empty for the core group. */
  readonly group: string;
  /** Namespace; undefined for objects of the whole cluster. */
  readonly namespace?: string;
  readonly name: string;
}

/** Records that an object of this name will be in the cluster, whoever creates it. */
export function claimObjectName(holder: IConstruct, { kind, group, namespace, name }: ObjectName, cluster: string, options: ClaimOptions = {}): void {
  Claims.of(holder).claim(`${kind} in cluster "${cluster}"`, namespace === undefined ? name : `${namespace}/${name}`, holder,
    'Rename one of them', { ...options, within: group, inCluster: true });
}

/** Records the names of objects that an operator makes for a control plane. */
export function claimOperatorObjects(holder: IConstruct, objects: ObjectName[], cluster: string): void {
  objects.forEach(object => claimObjectName(holder, object, cluster, { derived: true }));
}

/**
 * Records the name of an object of this app in its cluster, and that of its file where cdk8s gives each object one.
 *
 * @param holder  the construct that the user made
 * @param object  an object that the holder emits
 * @param cluster the cluster that it goes to
 */
export function claimObject(holder: IConstruct, object: ApiObject, cluster: string): void {
  const { kind, name, apiGroup } = object;
  claimObjectName(holder, { kind, group: apiGroup === 'core' ? '' : apiGroup, namespace: object.metadata.namespace, name }, cluster);
  claimFile(object);
}

/** Records that all objects below a construct that the user made go to a cluster, and their names. */
export function claimObjects(holder: IConstruct, cluster: string): void {
  assignChart(holder, cluster);
  namespacesFirst(holder.node.root);
  for (const construct of holder.node.findAll()) {
    if (ApiObject.isApiObject(construct)) {
      claimObject(holder, construct, cluster);
    }
  }
}

/** cdk8s names these files by kind and name alone and overwrites one that exists. */
function claimFile(object: ApiObject): void {
  const app = object.node.root;
  if (!(app instanceof App)) {
    return;
  }
  // As cdk8s does in App.synth().
  const file = () => `${object.kind}.${object.name}`.replace(/[^0-9a-zA-Z-_.]/g, '') + app.outputFileExtension;
  switch (app.yamlOutputType) {
    case YamlOutputType.FILE_PER_RESOURCE:
      Claims.of(object).claim('output file', file(), object, 'YamlOutputType.FILE_PER_RESOURCE names files by kind and name alone, so one would ' +
        'overwrite the other: give the objects different names, or use FOLDER_PER_CHART_FILE_PER_RESOURCE with a chart for each namespace or tenant');
      break;
    case YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE:
      Claims.of(object).claim('output file', file(), object, 'YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE names the files of a chart by kind and ' +
        'name alone, so one would overwrite the other: give the objects different names, or a chart for each namespace or tenant',
      { within: Chart.of(object) });
      break;
  }
}
