/** How the operators differ. */
export interface TenantControlPlaneOperator {
  /** As users call it. */
  readonly name: string;
  /** API group of the custom resource, and prefix of the labels of its pods. */
  readonly group: string;
  /** The newest minor version of Kubernetes 1 that its webhook admits. */
  readonly newestMinor: number;
  /** What happens to a flag of kube-apiserver that it computes when the user sets it too; continues a sentence. */
  readonly managedFlags: string;
  /** The port of trustd that it adds to the control plane's Service by itself, for workers with Talos. */
  readonly trustdPort?: number;
}
