import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { HelmChartRelease, HelmDelivery } from './helm-delivery';
import { Application } from '../imports/argoproj.io';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, flag, optional, struct } from '../validation/props';
import { validateLine } from '../validation/text';

/** For Argo CD. */
export interface ArgoCdHelmDeliveryProps {
  /**
   * Namespace of the Application, where Argo CD looks for it. The chart's own namespace is made by Argo CD.
   * @default argocd
   */
  readonly namespace?: string;
  /**
   * Project of the Application. It must permit the chart's repository and objects of the whole cluster.
   * @default default
   */
  readonly project?: string;
  /**
   * Name of the cluster in Argo CD.
   * @default in-cluster
   */
  readonly clusterName?: string;
  /**
   * Whether Argo CD applies changes by itself, removes what the chart no longer has and undoes what others change.
   * @default true
   */
  readonly automated?: boolean;
}

const CHECKS: Checks<ArgoCdHelmDeliveryProps> = {
  namespace: optional(validateDns1123Label),
  project: optional(validateObjectName),
  clusterName: optional(validateLine),
  automated: optional(flag),
};

/** An Application with a Helm source. */
export class ArgoCdHelmDelivery extends HelmDelivery {
  private readonly namespace: string;
  private readonly project: string;
  private readonly clusterName: string;
  private readonly automated: boolean;

  public constructor(props: ArgoCdHelmDeliveryProps) {
    super();
    struct(CHECKS)('delivery', props);
    this.namespace = props.namespace ?? 'argocd';
    this.project = props.project ?? 'default';
    this.clusterName = props.clusterName ?? 'in-cluster';
    this.automated = props.automated ?? true;
  }

  public bind(scope: Construct, release: HelmChartRelease): ApiObject[] {
    return [new ApiObject(scope, 'application', Application.manifest({
      metadata: { name: release.name, namespace: this.namespace, labels: release.labels },
      spec: {
        project: this.project,
        destination: { name: this.clusterName, namespace: release.namespace },
        source: {
          // Argo CD wants OCI registries without the scheme (user guide, Helm).
          repoUrl: release.repository.replace(/^oci:\/\//, ''),
          chart: release.chart,
          targetRevision: release.version,
          helm: { releaseName: release.name, valuesObject: release.values },
        },
        syncPolicy: {
          automated: this.automated ? { prune: true, selfHeal: true } : undefined,
          // Definitions of custom resources are too large for the annotation of a client-side apply.
          syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'],
        },
      },
    }))];
  }
}
