import { K0smotronServiceType } from './k0smotron-props';
import { serviceName, shortened } from '../../manifests/k0smotron-facts';

/**
 * The Service that k0smotron creates for a cluster, to which routes lead.
 *
 * @param cluster name of the k0smotron Cluster; under Cluster API that of the Cluster API Cluster
 */
export function k0smotronServiceName(cluster: string, type: K0smotronServiceType): string {
  return serviceName(cluster, type);
}

/** The Ingress that k0smotron creates for a cluster. */
export function k0smotronIngressName(cluster: string): string {
  return shortened(`kmc-${cluster}`);
}

/** The StatefulSets that k0smotron creates: of the control plane, and of etcd. */
export function k0smotronStatefulSetNames(cluster: string): { readonly controlPlane: string; readonly etcd: string } {
  return { controlPlane: shortened(`kmc-${cluster}`), etcd: shortened(`kmc-${cluster}-etcd`) };
}

/** The ConfigMap with what k0smotron installs into the tenant for ingress, and the k0s stack that it becomes. */
export function k0smotronIngressManifestsName(cluster: string): string {
  return shortened(`kmc-${cluster}-ingress`);
}

/** The Secrets that k0smotron keeps certificates in. Their names are not shortened. */
export function k0smotronSecretNames(cluster: string): { readonly ca: string; readonly ingressHaproxy: string; readonly kubeconfig: string } {
  return { ca: `${cluster}-ca`, ingressHaproxy: `${cluster}-ingress-haproxy`, kubeconfig: `${cluster}-kubeconfig` };
}
