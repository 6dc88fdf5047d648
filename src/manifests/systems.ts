import { groupAndKind, Source } from './source';

/** The kinds of control planes that are known here, by API group and kind, with the versions whose fields are those that are read. */
export const SYSTEMS = {
  'kamaji.clastix.io TenantControlPlane': ['v1alpha1'],
  'steward.butlerlabs.dev TenantControlPlane': ['v1alpha1'],
  'controlplane.cluster.x-k8s.io KamajiControlPlane': ['v1alpha1', 'v1alpha2'],
  'k0smotron.io Cluster': ['v1beta1', 'v1beta2'],
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': ['v1beta1', 'v1beta2'],
  'k0rdent.mirantis.com ClusterDeployment': ['v1alpha1', 'v1beta1'],
  'hypershift.openshift.io HostedCluster': ['v1alpha1', 'v1beta1'],
} as const satisfies { [groupAndKind: string]: readonly string[] };

export type System = keyof typeof SYSTEMS;

/** What people call what runs them. */
const NAMES: { readonly [system in System]: string } = {
  'kamaji.clastix.io TenantControlPlane': 'Kamaji',
  'steward.butlerlabs.dev TenantControlPlane': 'Steward',
  'controlplane.cluster.x-k8s.io KamajiControlPlane': 'Kamaji',
  'k0smotron.io Cluster': 'k0smotron',
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': 'k0smotron',
  'k0rdent.mirantis.com ClusterDeployment': 'k0rdent',
  'hypershift.openshift.io HostedCluster': 'HyperShift',
};

/** The known kind that an object has, whatever its version. */
export function systemOf(object: Pick<Source, 'apiVersion' | 'kind'>): System | undefined {
  const key = groupAndKind(object);
  return Object.prototype.hasOwnProperty.call(SYSTEMS, key) ? key as System : undefined;
}

/** What people call the system of an object of a known kind. */
export function systemName(object: Pick<Source, 'apiVersion' | 'kind'>): string {
  return NAMES[systemOf(object)!];
}

export function isKnownVersion({ apiVersion }: Pick<Source, 'apiVersion'>, system: System): boolean {
  return (SYSTEMS[system] as readonly string[]).includes(apiVersion.split('/')[1]);
}
