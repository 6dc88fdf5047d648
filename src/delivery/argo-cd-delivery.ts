import { ApiObject } from 'cdk8s';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { manifestPath } from './manifest-path';
import { REGISTRATION, TenantRegistrationProps } from './registration/registration-props';
import { TenantRegistration } from './registration/tenant-registration';
import { labelValue } from './tenant-name';
import { warnOfNetworkPolicy } from './warn-of-network-policy';
import { Application } from '../imports/argoproj.io';
import { Claims } from '../synthesis/claims';
import { claimObject } from '../synthesis/object-claims';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, flag, listOf, optional, struct } from '../validation/props';
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
  /**
   * Keep the cluster Secrets of Argo CD from the kubeconfigs of the control planes' operators, in the namespace of the Applications,
   * which must be in the cluster of the control planes. Each is removed with its Application.
   * @default - Argo CD is told of each cluster by you
   */
  readonly registration?: TenantRegistrationProps;
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
  registration: optional(struct(REGISTRATION, 'Give {} for the defaults')),
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
  private readonly registration?: TenantRegistration;

  public constructor(private readonly props: ArgoCdDeliveryProps) {
    checkProps('', required('props', props, 'Give repoUrl, e.g. { repoUrl: "https://git.example.com/tenants.git" }'), CHECKS);
    manifestPath(props.path);
    this.registration = props.registration && new TenantRegistration(props.registration);
  }

  public start(scope: DeliveryScope): AddTenant {
    const { props } = this;
    const { managementCluster, outputFolder } = scope;
    const register = this.registration?.start(scope);
    return delivery => {
      const { tenant: { exposure: { namespace, name }, managementScope }, folder, options } = delivery;
      const destination = options.argoCdDestination ?? { name: `${namespace}-${name}` };
      const argoCdNamespace = props.namespace ?? 'argocd';
      requireOneDestination(destination);
      const path = manifestPath(props.path, outputFolder, folder);
      Claims.of(managementScope).claim('cluster in Argo CD', destination.name ?? destination.server!, managementScope,
        'Two tenants in one cluster would undo each other\'s changes: set "argoCdDestination" in TenantCharts.of()', { within: `${managementCluster}/${argoCdNamespace}`, inCluster: true });
      // Argo CD labels the objects with it.
      const application = labelValue(managementScope.node.id);
      const prepare = register?.(delivery, {
        namespace: argoCdNamespace,
        owner: { apiVersion: Application.GVK.apiVersion, kind: Application.GVK.kind, resource: 'applications', name: application },
        as: { kind: 'argo-cd', name: destination.name ?? `${namespace}-${name}`, server: destination.server },
      });
      if (prepare) {
        warnOfNetworkPolicy(delivery.controlPlane, delivery.tenant, argoCdNamespace, 'Argo CD');
      }
      claimObject(managementScope, new ApiObject(managementScope, 'application', Application.manifest({
        metadata: {
          name: application,
          namespace: argoCdNamespace,
          labels: props.labels,
          finalizers: props.cascadeDelete ? ['resources-finalizer.argocd.argoproj.io'] : undefined,
        },
        spec: {
          project: props.project ?? 'default',
          source: {
            repoUrl: props.repoUrl,
            targetRevision: props.targetRevision ?? 'HEAD',
            path,
            directory: { recurse: true },
          },
          destination: { ...destination },
          syncPolicy: {
            automated: props.automated ?? true ? { prune: true, selfHeal: true } : undefined,
            syncOptions: props.syncOptions ?? ['ServerSideApply=true'],
          },
        },
      })), managementCluster);
      return prepare;
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
