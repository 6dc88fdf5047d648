import { VersionFacts } from '../../versions/version-facts';

/** How the operators differ. */
export interface TenantControlPlaneOperator {
  /** As users call it. */
  readonly name: string;
  /** API group of the custom resource, and prefix of the labels of its pods. */
  readonly group: string;
  /** The versions of Kubernetes that its webhook admits. */
  readonly kubernetes: VersionFacts;
  /** What happens to a flag of kube-apiserver that it computes when the user sets it too; continues a sentence. */
  readonly managedFlags: string;
  /** The port of trustd that it adds to the control plane's Service by itself, for workers with Talos. */
  readonly trustdPort?: number;
}
