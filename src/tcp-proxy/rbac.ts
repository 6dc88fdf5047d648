import { ApiObject } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';

const SERVICE_NAMESPACE = 'default';
/** What the agent calls its EndpointSlices: as the API server itself does, the family beside the primary one has a suffix. */
const SLICE_NAMES = ['kubernetes', 'kubernetes-v4', 'kubernetes-v6'];

/** The rules that the agent needs to own `default/kubernetes`, and no more; it asks for nothing else. */
export const ENDPOINT_RULES: k8s.PolicyRule[] = [
  { apiGroups: [''], resources: ['services'], resourceNames: ['kubernetes'], verbs: ['list', 'watch'] },
  { apiGroups: [''], resources: ['endpoints'], resourceNames: ['kubernetes'], verbs: ['list', 'watch', 'update'] },
  // RBAC cannot limit "create" by name.
  { apiGroups: [''], resources: ['endpoints'], verbs: ['create'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], resourceNames: SLICE_NAMES, verbs: ['get', 'update'] },
  // A stale slice that claims the Service may have any name.
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'create', 'delete'] },
];

/** The rule that the agent needs to see the other proxies. */
export const POD_RULES: k8s.PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
];

/** Emits the Roles and RoleBindings of the agent: one pair in `default`, one beside its pods. */
export function addRbac(scope: Construct, name: string, namespace: string, labels: { [name: string]: string }): void {
  addRole(scope, 'endpoints', { name: `${name}-endpoints`, namespace: SERVICE_NAMESPACE, labels }, ENDPOINT_RULES);
  addRole(scope, 'pods', { name: `${name}-pods`, namespace, labels }, POD_RULES);

  function addRole(parent: Construct, id: string, metadata: k8s.ObjectMeta & { name: string }, rules: k8s.PolicyRule[]): void {
    new ApiObject(parent, `${id}-role`, k8s.KubeRole.manifest({ metadata, rules }));
    new ApiObject(parent, `${id}-role-binding`, k8s.KubeRoleBinding.manifest({
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    }));
  }
}
