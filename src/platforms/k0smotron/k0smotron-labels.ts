import { Chart } from 'cdk8s';
import { Construct } from 'constructs';

/**
 * The labels of a k0smotron Cluster: none, also none of the chart's.
 *
 * k0smotron copies them into the selectors of the Services and StatefulSets that it makes (its
 * `LabelsForK0smotronCluster`). A label that is added later matches no pod that runs, so that the Service is empty, and
 * Kubernetes refuses the changed StatefulSet, so that k0smotron stops there.
 */
export function labelsOfK0smotronCluster(scope: Construct): { [name: string]: string } {
  // cdk8s puts the labels of a chart on each object, and leaves out those without a value.
  return Object.fromEntries(Object.keys(Chart.of(scope).labels).map(name => [name, undefined as unknown as string]));
}
