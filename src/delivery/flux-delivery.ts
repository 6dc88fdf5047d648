import { ApiObject } from 'cdk8s';
import { claimKubeconfig } from './claim-kubeconfig';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { manifestPath } from './manifest-path';
import { Kustomization } from '../imports/kustomize.toolkit.fluxcd.io';
import { claimObject } from '../synthesis/object-claims';
import { requireDuration } from '../validation/duration';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, flag, listOf, oneOf, optional, struct } from '../validation/props';
import { required } from '../validation/required';
import { validateLine } from '../validation/text';

/** Kinds of sources that Flux takes manifests from. */
export enum FluxSourceKind {
  GIT_REPOSITORY = 'GitRepository',
  OCI_REPOSITORY = 'OCIRepository',
  BUCKET = 'Bucket',
}

/** What happens to a tenant's objects when its Kustomization is deleted. */
export enum FluxDeletionPolicy {
  /** What `prune` says. */
  MIRROR_PRUNE = 'MirrorPrune',
  /** They are deleted. */
  DELETE = 'Delete',
  /** They are deleted, and the Kustomization stays until they are gone. */
  WAIT_FOR_TERMINATION = 'WaitForTermination',
  /** They stay. */
  ORPHAN = 'Orphan',
}

/** Where Flux finds the manifests. */
export interface FluxSource {
  /** Name of the source. */
  readonly name: string;
  /**
   * Namespace of the source.
   * @default - that of the Kustomization, which is the control plane's
   */
  readonly namespace?: string;
  /**
   * Kind of the source.
   * @default FluxSourceKind.GIT_REPOSITORY
   */
  readonly kind?: FluxSourceKind;
}

/** A Kustomization that another waits for. */
export interface FluxDependency {
  /** Name of the Kustomization. */
  readonly name: string;
  /**
   * Namespace of the Kustomization.
   * @default - that of the control plane
   */
  readonly namespace?: string;
}

/** Delivery by Flux. */
export interface FluxDeliveryProps {
  /** What the manifests are committed or pushed to. */
  readonly source: FluxSource;
  /**
   * Folder of the source that has the folders of the tenants.
   * @default - `dist`, where cdk8s puts manifests, with the output folder of the TenantCharts
   */
  readonly path?: string;
  /**
   * How often Flux compares the tenant with its manifests, as a Go duration.
   * @default 10m
   */
  readonly interval?: string;
  /**
   * How soon Flux tries again after an error.
   * @default 1m
   */
  readonly retryInterval?: string;
  /**
   * How long Flux waits for a tenant.
   * @default 5m
   */
  readonly timeout?: string;
  /**
   * Whether objects that left the manifests are deleted.
   * @default true
   */
  readonly prune?: boolean;
  /**
   * Whether a Kustomization is ready only when its objects are; a tenant without nodes never is.
   * @default true
   */
  readonly wait?: boolean;
  /**
   * Kustomizations that must be ready before, e.g. that of the control planes.
   * @default - none
   */
  readonly dependsOn?: FluxDependency[];
  /**
   * What happens to a tenant's objects when its Kustomization is deleted.
   * @default - Flux's, MirrorPrune
   */
  readonly deletionPolicy?: FluxDeletionPolicy;
  /**
   * Labels of the Kustomizations.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<FluxDeliveryProps> = {
  source: struct<FluxSource>({ name: validateObjectName, namespace: optional(validateDns1123Label), kind: optional(oneOf(FluxSourceKind)) }),
  path: optional(validateLine),
  interval: optional(requireDuration),
  retryInterval: optional(requireDuration),
  timeout: optional(requireDuration),
  prune: optional(flag),
  wait: optional(flag),
  dependsOn: optional(listOf(struct<FluxDependency>({ name: validateObjectName, namespace: optional(validateDns1123Label) }))),
  deletionPolicy: optional(oneOf(FluxDeletionPolicy)),
  labels: optional(validateLabels),
};

/** One Kustomization (`kustomize.toolkit.fluxcd.io/v1`) for each tenant, in the namespace of its control plane, where the kubeconfig is. */
export class FluxDelivery implements DeliveryEngine {
  public readonly type = 'flux';
  public readonly syncs = false;
  public readonly writesFiles = true;
  public readonly besideControlPlanes = true;

  public constructor(private readonly props: FluxDeliveryProps) {
    required('props', props, 'Give source, e.g. { source: { name: "tenants" } }');
    required('source', props.source, 'Give one, e.g. { name: "tenants" }');
    checkProps('', props, CHECKS);
    manifestPath(props.path);
  }

  public start({ managementCluster, outputFolder }: DeliveryScope): AddTenant {
    const { props } = this;
    return ({ tenant, folder }) => {
      const { exposure: { name, namespace }, adminKubeconfig: { secretName, keys } } = tenant;
      const path = manifestPath(props.path, outputFolder, folder);
      // Only now that nothing can be wrong: what is claimed stays claimed.
      claimKubeconfig(tenant);
      claimObject(tenant.managementScope, new ApiObject(tenant.managementScope, 'kustomization', Kustomization.manifest({
        metadata: { name, namespace, labels: props.labels },
        spec: {
          sourceRef: { kind: props.source.kind ?? FluxSourceKind.GIT_REPOSITORY, name: props.source.name, namespace: props.source.namespace },
          path: `./${path}`,
          kubeConfig: { secretRef: { name: secretName, key: keys[0] } },
          prune: props.prune ?? true,
          wait: props.wait ?? true,
          interval: props.interval ?? '10m',
          retryInterval: props.retryInterval ?? '1m',
          timeout: props.timeout ?? '5m',
          dependsOn: props.dependsOn?.map(dependency => ({ ...dependency })),
          deletionPolicy: props.deletionPolicy,
        },
      })), managementCluster);
    };
  }
}
