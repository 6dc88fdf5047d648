import { GrafanaDashboard } from './grafana-dashboard';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { Checks, flag, instance, optional } from '../validation/props';
import { validateHttpUrl } from '../validation/url';
import { wholeNumber } from '../validation/whole-number';

/** The alerts look at five minutes, in which there must be two scrapes. */
const LONGEST_SCRAPE_INTERVAL_SECONDS = 120;

/** What prometheus-operator is given. */
export interface PrometheusOperatorProps {
  /**
   * Labels of PodMonitor and PrometheusRule, by which a Prometheus selects them, e.g. `{ release: 'kube-prometheus-stack' }`.
   * @default - those of all objects alone
   */
  readonly labels?: { [name: string]: string };
  /**
   * Seconds between two scrapes, at most two minutes.
   * @default - that of the Prometheus
   */
  readonly scrapeIntervalSeconds?: number;
  /**
   * Emit a PrometheusRule with the alerts.
   * @default true
   */
  readonly alerts?: boolean;
  /**
   * Labels of every alert beside `severity` (`critical`, `warning`), by which Alertmanager routes it.
   * @default - none
   */
  readonly alertLabels?: { [name: string]: string };
  /**
   * Page with what to do about each alert. The annotation `runbook_url` is this, `#` and the alert's name in lower case.
   * @default - the page of this library about troubleshooting
   */
  readonly runbookUrl?: string;
  /**
   * How a dashboard comes to Grafana.
   * @default - there is none
   */
  readonly dashboard?: GrafanaDashboard;
}

/** What each of them may be. */
export const PROMETHEUS_OPERATOR: Checks<PrometheusOperatorProps> = {
  labels: optional(validateLabels),
  scrapeIntervalSeconds: optional(wholeNumber('seconds', 1, LONGEST_SCRAPE_INTERVAL_SECONDS)),
  alerts: optional(flag),
  alertLabels: optional(validateAlertLabels),
  runbookUrl: optional(validateHttpUrl),
  dashboard: optional(instance<GrafanaDashboard>('Give one, e.g. GrafanaDashboard.configMap()', '_manifest')),
};

/** Names that the alerts have already. */
const OWN_LABELS = ['alertname', 'severity', 'namespace', 'job'];

/** Labels of Kubernetes, with the names that Prometheus has. */
function validateAlertLabels(field: string, labels: { [name: string]: string }): void {
  validateLabels(field, labels);
  for (const name of Object.keys(labels)) {
    if (!/^[a-zA-Z]\w*$/.test(name) || OWN_LABELS.includes(name)) {
      throw invalidInput(field, name, 'is not a label that an alert can be given', `Use letters, digits and "_", and none of ${OWN_LABELS.join(', ')}`);
    }
  }
}
