import { PolicyRule } from '../endpoints/rbac';

/** A Secret in the namespace of a control plane. */
export interface SecretName {
  readonly namespace: string;
  readonly name: string;
}

export interface SyncRbacOptions {
  /** Namespace of the bundles. */
  readonly namespace: string;
  readonly leaseName: string;
  /** Kubeconfigs, authorities and certificates of the tenants. */
  readonly secrets: readonly SecretName[];
}

/**
 * All that `sync` asks of the management cluster's API server, by the namespace of the Role. The manifests grant exactly
 * this; the tests run against an API server that refuses anything else.
 *
 * `create` cannot be limited by name: RBAC does not know the name of an object before it exists.
 */
export function requiredRules(options: SyncRbacOptions): { readonly namespace: string; readonly rules: readonly PolicyRule[] }[] {
  const { namespace, leaseName, secrets } = options;
  const namespaces = [...new Set(secrets.map((secret) => secret.namespace))].sort();
  return [
    {
      namespace,
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'] },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [leaseName], verbs: ['get', 'update'] },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
      ],
    },
    ...namespaces.map((of) => ({
      namespace: of,
      rules: [{
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: [...new Set(secrets.filter((secret) => secret.namespace === of).map(({ name }) => name))].sort(),
        verbs: ['get'],
      }],
    })),
  ];
}
