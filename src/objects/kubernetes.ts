import type { k8s } from 'cdk8s-plus-30';
import { Plain } from './plain';

/*
 * The objects of Kubernetes' own kinds that more than one room emits: what the compiler checks them against is generated, what
 * runs is not.
 */

/** cdk8s spells the field in its own way. */
interface ServiceProps extends Omit<Plain<k8s.KubeServiceProps>, 'spec'> {
  readonly spec: Omit<Plain<k8s.ServiceSpec>, 'clusterIp'> & { readonly clusterIP?: string };
}

export const configMapManifest = (props: Plain<k8s.KubeConfigMapProps>) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...props });
export const daemonSetManifest = (props: Plain<k8s.KubeDaemonSetProps>) => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', ...props });
export const deploymentManifest = (props: Plain<k8s.KubeDeploymentProps>) => ({ apiVersion: 'apps/v1', kind: 'Deployment', ...props });
export const disruptionBudgetManifest = (props: Plain<k8s.KubePodDisruptionBudgetProps>) => ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', ...props });
export const ingressManifest = (props: Plain<k8s.KubeIngressProps>) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', ...props });
export const namespaceManifest = (props: Plain<k8s.KubeNamespaceProps>) => ({ apiVersion: 'v1', kind: 'Namespace', ...props });
export const networkPolicyManifest = (props: Plain<k8s.KubeNetworkPolicyProps>) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', ...props });
export const podManifest = (props: Plain<k8s.KubePodProps>) => ({ apiVersion: 'v1', kind: 'Pod', ...props });
export const roleManifest = (props: Plain<k8s.KubeRoleProps>) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', ...props });
export const roleBindingManifest = (props: Plain<k8s.KubeRoleBindingProps>) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', ...props });
export const serviceManifest = (props: ServiceProps) => ({ apiVersion: 'v1', kind: 'Service', ...props });
export const serviceAccountManifest = (props: Plain<k8s.KubeServiceAccountProps>) => ({ apiVersion: 'v1', kind: 'ServiceAccount', ...props });
