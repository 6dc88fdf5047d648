import { ApiObject } from 'cdk8s';
import { claimKubeconfig } from './claim-kubeconfig';
import { AddTenant, DeliveryEngine, DeliveryScope } from './delivery-engine';
import { manifestPath } from './manifest-path';
import { REGISTRATION, TenantRegistrationProps } from './registration/registration-props';
import { registeredName, TenantRegistration } from './registration/tenant-registration';
import { labelValue, tenantName } from './tenant-name';
import { Kustomization } from '../imports/kustomize.toolkit.fluxcd.io';
import { claimObject } from '../synthesis/object-claims';
import { requireDuration } from '../validation/duration';
import { invalidInput } from '../validation/invalid-input';
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
  /**
   * Namespace of the Kustomizations, which are then named `<namespace>.<name>` of the control plane. Flux reads kubeconfigs from this
   * namespace alone, so `registration` brings them there.
   * @default - that of each control plane, where the kubeconfig is
   */
  readonly namespace?: string;
  /**
   * Keep a kubeconfig for each tenant in `namespace`, from that of the control plane's operator. Each is removed with its
   * Kustomization.
   * @default - none; `namespace` needs it
   */
  readonly registration?: TenantRegistrationProps;
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
  namespace: optional(validateDns1123Label),
  registration: optional(struct(REGISTRATION, 'Give {} for the defaults')),
};

/** Key of a kubeconfig that Flux looks for first. */
const KUBECONFIG_KEY = 'value';

/** One Kustomization (`kustomize.toolkit.fluxcd.io/v1`) for each tenant, where its kubeconfig is: beside the control plane, unless it is registered elsewhere. */
export class FluxDelivery implements DeliveryEngine {
  public readonly type = 'flux';
  public readonly syncs = false;
  public readonly writesFiles = true;
  public readonly besideControlPlanes = true;

  private readonly registration?: TenantRegistration;

  public constructor(private readonly props: FluxDeliveryProps) {
    required('props', props, 'Give source, e.g. { source: { name: "tenants" } }');
    required('source', props.source, 'Give one, e.g. { name: "tenants" }');
    checkProps('', props, CHECKS);
    manifestPath(props.path);
    if ((props.namespace === undefined) !== (props.registration === undefined)) {
      throw props.namespace === undefined
        ? invalidInput('registration', props.registration, 'has no effect: Kustomizations beside their control planes read the operators\' own Secrets', 'Leave it out, or give "namespace" too')
        : invalidInput('namespace', props.namespace, 'has no kubeconfigs, and Flux reads them from the namespace of a Kustomization alone', 'Give "registration" too, {} for its defaults, or leave "namespace" out');
    }
    this.registration = props.registration && new TenantRegistration(props.registration);
  }

  public start(scope: DeliveryScope): AddTenant {
    const { props } = this;
    const { managementCluster, outputFolder } = scope;
    const register = this.registration?.start(scope);
    return delivery => {
      const { tenant, folder } = delivery;
      const { exposure, adminKubeconfig: { secretName, keys } } = tenant;
      const { name, namespace } = props.namespace === undefined ? exposure : { name: labelValue(tenantName(exposure)), namespace: props.namespace };
      const path = manifestPath(props.path, outputFolder, folder);
      // Only now that nothing can be wrong: what is claimed stays claimed.
      claimKubeconfig(tenant);
      const prepare = register?.(delivery, {
        namespace, owner: { apiVersion: Kustomization.GVK.apiVersion, kind: Kustomization.GVK.kind, resource: 'kustomizations', name }, as: { kind: 'flux', key: KUBECONFIG_KEY },
      });
      const secretRef = prepare ? { name: registeredName(delivery, 'flux'), key: KUBECONFIG_KEY } : { name: secretName, key: keys[0] };
      claimObject(tenant.managementScope, new ApiObject(tenant.managementScope, 'kustomization', Kustomization.manifest({
        metadata: { name, namespace, labels: props.labels },
        spec: {
          sourceRef: { kind: props.source.kind ?? FluxSourceKind.GIT_REPOSITORY, name: props.source.name, namespace: props.source.namespace },
          path: `./${path}`,
          kubeConfig: { secretRef },
          prune: props.prune ?? true,
          wait: props.wait ?? true,
          interval: props.interval ?? '10m',
          retryInterval: props.retryInterval ?? '1m',
          timeout: props.timeout ?? '5m',
          dependsOn: props.dependsOn?.map(dependency => ({ ...dependency })),
          deletionPolicy: props.deletionPolicy,
        },
      })), managementCluster);
      return prepare;
    };
  }
}
