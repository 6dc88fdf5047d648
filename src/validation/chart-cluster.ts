import { Chart } from 'cdk8s';
import { IConstruct } from 'constructs';

/** The cluster of each chart that holds objects of this library, and who said so first. */
const clusterOfChart = new WeakMap<Chart, { readonly cluster: string; readonly holder: IConstruct }>();

/**
 * Records that a construct's objects go to a cluster.
 *
 * A chart is applied to one cluster as a whole, so two clusters in one chart are an error: management objects in a
 * tenant cluster, or the objects of two tenants over each other.
 */
export function assignChart(holder: IConstruct, cluster: string): void {
  const chart = Chart.of(holder);
  const first = clusterOfChart.get(chart);
  if (!first) {
    clusterOfChart.set(chart, { cluster, holder });
    return;
  }
  if (first.cluster !== cluster) {
    throw new Error(`chart: "${chart.node.path}" holds ${first.holder.node.path} for the cluster "${first.cluster}" and ${holder.node.path} ` +
      `for the cluster "${cluster}", but a chart is applied to one cluster. Put them into charts of their own.`);
  }
}
