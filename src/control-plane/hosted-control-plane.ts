import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Exposure } from '../model/exposure';
import type { PlatformSecrets } from '../model/platform-secrets';
import type { ControlPlanePlatform } from '../platforms/control-plane-platform';

/**
 * A hosted control plane, whoever made it: an `IngressExposedControlPlane` of this app, or one that another app, a Helm chart
 * or a person made (`IngressExposedControlPlane.fromAttributes`).
 */
export interface IHostedControlPlane extends IConstruct {
  /** How the control plane is reached. */
  readonly exposure: Exposure;
  /**
   * Kubernetes version of the tenant cluster, without a leading `v`.
   *
   * @throws when it is not known
   */
  readonly kubernetesVersion: string;
  /** The management cluster that the control plane is in. */
  readonly managementCluster: string;
  /**
   * The system that runs the control plane.
   * @default - not known
   */
  readonly platform?: ControlPlanePlatform;
  /** The Secrets of the control plane, as far as they are known. */
  readonly secrets: PlatformSecrets;
  /**
   * The Cluster of Cluster API whose control plane it is; it is in the same namespace.
   * @default - none
   */
  readonly clusterApiCluster?: string;
  /**
   * The NetworkPolicy for the control plane's pods.
   * @default - none of this app
   */
  readonly networkPolicyObject?: ApiObject;
}
