/** A rule of `rbac.authorization.k8s.io/v1 Role`. */
export interface PolicyRule {
  readonly apiGroups: string[];
  readonly resources: string[];
  readonly resourceNames?: string[];
  readonly verbs: string[];
}

/** Rules in one namespace. */
export interface NamespaceRules {
  readonly namespace: string;
  readonly rules: PolicyRule[];
}

/** The Service that in-cluster clients use. */
export const KUBERNETES_SERVICE = { namespace: 'default', name: 'kubernetes' } as const;

/** The EndpointSlices of that Service, named as the API server's own reconciler names them, so that each takes over from the other. */
export const KUBERNETES_SLICES = { primary: 'kubernetes', IPv4: 'kubernetes-v4', IPv6: 'kubernetes-v6' } as const;

/**
 * All that a tcp-proxy that owns `default/kubernetes` asks of the tenant's API server: the manifests grant exactly this, and
 * the agent is tested with an API server that refuses anything else.
 *
 * - `create` cannot be limited by name: RBAC does not know the name of an object before it exists.
 * - `list` and `watch` can, for one name, because the request carries it as a field selector.
 * - A foreign slice that claims the Service has any name, so listing, watching and deleting slices cannot be limited.
 *
 * @param podNamespace namespace of the proxy's pods
 */
export function endpointsRules(podNamespace: string): { readonly endpoints: NamespaceRules; readonly pods: NamespaceRules } {
  const { namespace, name } = KUBERNETES_SERVICE;
  return {
    endpoints: {
      namespace,
      rules: [
        { apiGroups: [''], resources: ['services'], resourceNames: [name], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['endpoints'], resourceNames: [name], verbs: ['list', 'watch', 'update'] },
        { apiGroups: [''], resources: ['endpoints'], verbs: ['create'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], resourceNames: Object.values(KUBERNETES_SLICES), verbs: ['get', 'update'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'create', 'delete'] },
      ],
    },
    pods: { namespace: podNamespace, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }] },
  };
}

/** All that a shared gateway asks for: to follow the ConfigMaps with its routes, by their names. */
export function routesRules(configMaps: string[]): PolicyRule[] {
  return [{ apiGroups: [''], resources: ['configmaps'], resourceNames: configMaps, verbs: ['list', 'watch'] }];
}

/** All that sync asks for in its own namespace: to read bundles, keep their statuses, and hold the lease. */
export function syncRules(leaseName: string): PolicyRule[] {
  return [
    // RBAC knows no labels: bundles and statuses are in a namespace of their own instead.
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [leaseName], verbs: ['get', 'update'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  ];
}

/** All that sync asks for in the namespace of control planes: the Secrets of the tenants that it delivers, by their names. */
export function tenantSecretsRules(secretNames: string[]): PolicyRule[] {
  return [{ apiGroups: [''], resources: ['secrets'], resourceNames: secretNames, verbs: ['get'] }];
}

/**
 * All that a registration asks for in the namespace of Argo CD or Flux: to keep the Secrets of its tenants, by their names, and to
 * see whether the objects that these are for are there. `create` cannot be limited by name.
 */
export function registrationRules(
  secretNames: string[],
  owners: { readonly apiGroup: string; readonly resource: string; readonly names: string[] },
): PolicyRule[] {
  return [
    { apiGroups: [''], resources: ['secrets'], resourceNames: secretNames, verbs: ['get', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    { apiGroups: [owners.apiGroup], resources: [owners.resource], resourceNames: owners.names, verbs: ['get'] },
  ];
}
