import { SERVICE_NAME, SERVICE_NAMESPACE, SLICE_NAMES } from './objects';

/** A rule of `rbac.authorization.k8s.io/v1 Role`. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * All that the controller asks of the API server, by the namespace of the Role. The manifests grant exactly this; the
 * tests run against an API server that refuses anything else.
 *
 * - `create` cannot be limited by name: RBAC does not know the name of an object before it exists.
 * - `list` and `watch` can, for one name, because the request carries it as a field selector.
 * - A foreign slice that claims the Service has any name, so listing, watching and deleting slices cannot be limited.
 *
 * @param podNamespace namespace of the proxy's pods
 */
export function requiredRules(podNamespace: string): { readonly namespace: string; readonly rules: readonly PolicyRule[] }[] {
  return [
    {
      namespace: SERVICE_NAMESPACE,
      rules: [
        { apiGroups: [''], resources: ['services'], resourceNames: [SERVICE_NAME], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['endpoints'], resourceNames: [SERVICE_NAME], verbs: ['list', 'watch', 'update'] },
        { apiGroups: [''], resources: ['endpoints'], verbs: ['create'] },
        {
          apiGroups: ['discovery.k8s.io'],
          resources: ['endpointslices'],
          resourceNames: Object.values(SLICE_NAMES),
          verbs: ['get', 'update'],
        },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch', 'create', 'delete'] },
      ],
    },
    {
      namespace: podNamespace,
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] }],
    },
  ];
}
