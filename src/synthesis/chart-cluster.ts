import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import { invalidInput } from '../validation/invalid-input';

/** The cluster of each chart that holds objects of this library, and of each tree of charts, and who said so first. */
const clustersOf = new WeakMap<IConstruct, { readonly cluster: string; readonly holder: IConstruct }>();

/**
 * Records that a construct's objects go to a cluster.
 *
 * A chart is applied to one cluster as a whole, so two clusters in one chart are an error: management objects in a
 * tenant cluster, or the objects of two tenants over each other.
 */
export function assignChart(holder: IConstruct, cluster: string): void {
  const chart = Chart.of(holder);
  const first = clustersOf.get(holder.node.root) ?? clustersOf.get(chart);
  if (!first) {
    clustersOf.set(chart, { cluster, holder });
    return;
  }
  if (first.cluster !== cluster) {
    const reason = `holds ${first.holder.node.path} for the cluster "${first.cluster}" and ${holder.node.path} for the cluster "${cluster}", but a chart is ` +
      'applied to one cluster';
    throw invalidInput('chart', chart.node.path, reason, 'Put them into charts of their own; that of a tenant is tenants.of(controlPlane) of TenantCharts');
  }
}

/** The cluster that a chart goes to; undefined when no object of this library has said so. */
export function clusterOf(chart: Chart): string | undefined {
  return (clustersOf.get(chart.node.root) ?? clustersOf.get(chart))?.cluster;
}

/** Records that all charts of an app go to the cluster of one of them, however deep they are. */
export function assignTree(chart: Chart, cluster: string): void {
  clustersOf.set(chart.node.root, { cluster, holder: chart });
}
