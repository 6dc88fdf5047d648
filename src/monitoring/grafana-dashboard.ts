import { ObjectMetadata } from './scope';
import { validateAnnotations } from '../validation/annotations';
import { nameFactories } from '../validation/factories';
import { validateLabels } from '../validation/labels';
import { Checks, optional, struct } from '../validation/props';
import { validateLine } from '../validation/text';

/** A ConfigMap that the sidecar of Grafana's chart reads. */
export interface DashboardConfigMapProps {
  /**
   * Labels by which the sidecar finds it.
   * @default - `grafana_dashboard: "1"`, as the charts of Grafana and kube-prometheus-stack have it
   */
  readonly labels?: { [name: string]: string };
  /**
   * Annotations, e.g. the one with the folder.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

/** A GrafanaDashboard of grafana-operator. */
export interface DashboardOfOperatorProps {
  /**
   * Labels of the Grafanas that get it, in any namespace.
   * @default - every Grafana
   */
  readonly instanceLabels?: { [name: string]: string };
  /**
   * Folder in Grafana.
   * @default - the one of the namespace, as grafana-operator chooses it
   */
  readonly folder?: string;
}

const CONFIG_MAP: Checks<DashboardConfigMapProps> = { labels: optional(validateLabels), annotations: optional(validateAnnotations) };
const OF_OPERATOR: Checks<DashboardOfOperatorProps> = { instanceLabels: optional(validateLabels), folder: optional(validateLine) };

/** The object that holds a dashboard, which is a text. */
type Holder = (metadata: ObjectMetadata, dashboard: string) => DashboardManifest;

interface DashboardManifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: object | string;
}

/** How a dashboard comes to Grafana. */
export class GrafanaDashboard {
  /** By a ConfigMap, which the sidecar of Grafana's chart reads. */
  public static configMap(props: DashboardConfigMapProps = {}): GrafanaDashboard {
    struct(CONFIG_MAP)('dashboard', props);
    return new GrafanaDashboard((metadata, dashboard) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, labels: { ...metadata.labels, ...props.labels ?? { grafana_dashboard: '1' } }, annotations: props.annotations },
      // The sidecar writes the files of all namespaces into one folder.
      data: { [`${metadata.namespace}-${metadata.name}.json`]: dashboard },
    }));
  }

  /** By a GrafanaDashboard of grafana-operator 5. */
  public static grafanaOperator(props: DashboardOfOperatorProps = {}): GrafanaDashboard {
    struct(OF_OPERATOR)('dashboard', props);
    return new GrafanaDashboard((metadata, dashboard) => ({
      apiVersion: 'grafana.integreatly.org/v1beta1',
      kind: 'GrafanaDashboard',
      metadata,
      spec: { instanceSelector: { matchLabels: props.instanceLabels ?? {} }, allowCrossNamespaceImport: true, folder: props.folder, json: dashboard },
    }));
  }

  private constructor(
    /** @internal */
    public readonly _manifest: Holder,
  ) {}
}

nameFactories(GrafanaDashboard);
