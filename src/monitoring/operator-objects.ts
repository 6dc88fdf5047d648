import { MEASURED_USES } from './measured-use';
import { dashboardModel } from './panel';
import { PrometheusOperatorProps } from './prometheus-operator-props';
import { ObjectMetadata, Scope } from './scope';
import { HEALTH_PATHS } from '../agent/contract/health';
import { MeasuredCommand } from '../agent/contract/metrics';
import { contentHash } from '../model/content-hash';

/** The rows of this page have anchors for the alerts. */
const RUNBOOKS = 'https://github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane/blob/main/docs/troubleshooting.md';
/** Each pod has it; its value is the name of the use. */
const JOB_LABEL = 'app.kubernetes.io/instance';

/** One use of the image that is measured. */
export interface MeasuredPods {
  readonly command: MeasuredCommand;
  readonly metadata: ObjectMetadata;
  readonly selectorLabels: { readonly [key: string]: string };
  /** Name of the containers' port that answers to `/metrics`. */
  readonly port: string;
}

/** The objects, by the id of their construct. */
export function operatorObjects(pods: MeasuredPods, props: PrometheusOperatorProps): { [id: string]: { apiVersion: string; kind: string } } {
  const { command, metadata } = pods;
  const { name, namespace, labels } = metadata;
  const scope = { namespace, job: name };
  const dashboardName = `${name}-dashboard`;
  const dashboard = () => JSON.stringify(dashboardModel(MEASURED_USES[command].dashboard, scope, `hcp-${contentHash([command, namespace, name])}`), undefined, 1);
  return {
    'pod-monitor': podMonitor(pods, props),
    ...props.alerts ?? true ? { alerts: prometheusRule(pods, scope, props) } : {},
    ...props.dashboard ? { dashboard: props.dashboard._manifest({ name: dashboardName, namespace, labels }, dashboard()) } : {},
  };
}

function podMonitor({ metadata, selectorLabels, port }: MeasuredPods, { labels, scrapeIntervalSeconds }: PrometheusOperatorProps) {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    spec: {
      jobLabel: JOB_LABEL,
      selector: { matchLabels: selectorLabels },
      podMetricsEndpoints: [{ port, path: HEALTH_PATHS.metrics, interval: scrapeIntervalSeconds === undefined ? undefined : `${scrapeIntervalSeconds}s` }],
    },
  };
}

function prometheusRule({ command, metadata }: MeasuredPods, scope: Scope, { labels, alertLabels, runbookUrl = RUNBOOKS }: PrometheusOperatorProps) {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { ...metadata, labels: { ...metadata.labels, ...labels } },
    spec: {
      groups: [{
        name: `${scope.namespace}/${scope.job}`,
        rules: MEASURED_USES[command].alerts.map(alert => ({
          alert: alert.name,
          expr: alert.expr(scope),
          for: alert.for,
          // What is absent has no labels of its own.
          labels: { ...alertLabels, severity: alert.severity, namespace: scope.namespace, job: scope.job },
          annotations: { summary: alert.summary, runbook_url: `${runbookUrl}#${alert.name.toLowerCase()}` },
        })),
      }],
    },
  };
}
