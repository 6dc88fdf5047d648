import { ApiObject } from 'cdk8s';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { manifestPath } from './manifest-path';
import { labelValue } from './tenant-name';
import { Application } from '../imports/argoproj.io';
import { Claims } from '../synthesis/claims';
import { claimObject } from '../synthesis/object-claims';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, flag, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateLine } from '../validation/text';
import { validateHttpUrl } from '../validation/url';

/** A cluster that Argo CD knows: exactly one of the two. */
export interface ArgoCdDestination {
  /**
   * Name of the cluster in Argo CD.
   * @default - `server` is given
   */
  readonly name?: string;
  /**
   * URL of the API server, as Argo CD knows the cluster.
   * @default - `name` is given
   */
  readonly server?: string;
}

/** Delivery by Argo CD. */
export interface ArgoCdDeliveryProps {
  /** The repository that the manifests are committed to. */
  readonly repoUrl: string;
  /**
   * Branch, tag or commit.
   * @default HEAD
   */
  readonly targetRevision?: string;
  /**
   * Folder of the repository that has the folders of the tenants.
   * @default - `dist`, where cdk8s puts manifests, with the output folder of the TenantCharts
   */
  readonly path?: string;
  /**
   * Namespace of the Applications.
   * @default argocd
   */
  readonly namespace?: string;
  /**
   * Project of the Applications.
   * @default default
   */
  readonly project?: string;
  /**
   * Whether Argo CD syncs by itself, deletes what left the manifests and repairs drift.
   * @default true
   */
  readonly automated?: boolean;
  /**
   * Options of a sync.
   * @default - ServerSideApply=true
   */
  readonly syncOptions?: string[];
  /**
   * Whether a tenant's objects are deleted with its Application. It then stays until they are, also when its cluster is gone.
   * @default false
   */
  readonly cascadeDelete?: boolean;
  /**
   * Labels of the Applications.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<ArgoCdDeliveryProps> = {
  repoUrl: validateLine,
  targetRevision: optional(validateLine),
  path: optional(validateLine),
  namespace: optional(validateDns1123Label),
  project: optional(validateObjectName),
  automated: optional(flag),
  syncOptions: optional(listOf(validateSyncOption)),
  cascadeDelete: optional(flag),
  labels: optional(validateLabels),
};

/** A cluster in Argo CD. */
export const ARGO_CD_DESTINATION: Checks<ArgoCdDestination> = { name: optional(validateLine), server: optional(validateHttpUrl) };

/** One Application (`argoproj.io/v1alpha1`) for each tenant. */
export class ArgoCdDelivery implements DeliveryEngine {
  public readonly type = 'argoCd';
  public readonly endpointsCaveat = 'KubernetesServiceEndpoints: Argo CD leaves Endpoints and EndpointSlices out by default (3.0 and newer): take both kinds out of ' +
    'resource.exclusions in the ConfigMap argocd-cm, or pods of the tenant find no API server.';
  public readonly syncs = false;
  public readonly writesFiles = true;
  // Argo CD may be in any cluster: it has credentials of its own.
  public readonly besideControlPlanes = false;

  public constructor(private readonly props: ArgoCdDeliveryProps) {
    checkProps('', required('props', props, 'Give repoUrl, e.g. { repoUrl: "https://git.example.com/tenants.git" }'), CHECKS);
    manifestPath(props.path);
  }

  public start({ managementCluster, outputFolder }: DeliveryScope): AddTenant {
    const { props } = this;
    return ({ tenant: { exposure: { namespace, name }, managementScope }, folder, options }) => {
      const destination = options.argoCdDestination ?? { name: `${namespace}-${name}` };
      const argoCdNamespace = props.namespace ?? 'argocd';
      requireOneDestination(destination);
      Claims.of(managementScope).claim('cluster in Argo CD', destination.name ?? destination.server!, managementScope,
        'Two tenants in one cluster would undo each other\'s changes: set "argoCdDestination" in TenantCharts.of()', { within: `${managementCluster}/${argoCdNamespace}`, inCluster: true });
      claimObject(managementScope, new ApiObject(managementScope, 'application', Application.manifest({
        metadata: {
          // Argo CD labels the objects with it.
          name: labelValue(managementScope.node.id),
          namespace: argoCdNamespace,
          labels: props.labels,
          finalizers: props.cascadeDelete ? ['resources-finalizer.argocd.argoproj.io'] : undefined,
        },
        spec: {
          project: props.project ?? 'default',
          source: {
            repoUrl: props.repoUrl,
            targetRevision: props.targetRevision ?? 'HEAD',
            path: manifestPath(props.path, outputFolder, folder),
            directory: { recurse: true },
          },
          destination: { ...destination },
          syncPolicy: {
            automated: props.automated ?? true ? { prune: true, selfHeal: true } : undefined,
            syncOptions: props.syncOptions ?? ['ServerSideApply=true'],
          },
        },
      })), managementCluster);
    };
  }
}

function validateSyncOption(field: string, option: string): void {
  if (!/^[A-Za-z]+=.+$/.test(validateLine(field, option))) {
    throw invalidInput(field, option, 'is not an option of a sync', 'Write Name=value, e.g. "ServerSideApply=true"');
  }
}

function requireOneDestination({ name, server }: ArgoCdDestination): void {
  if ((name === undefined) === (server === undefined)) {
    throw invalidInput('argoCdDestination', { name, server }, 'does not name one cluster', 'Give "name" or "server", not both');
  }
}
