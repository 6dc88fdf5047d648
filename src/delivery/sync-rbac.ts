import { ApiObject, Lazy } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { DeliveredTenant } from './delivered-tenant';

/** The ServiceAccount of `sync`, by whose name its Roles are called. */
export interface SyncIdentity {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { [name: string]: string };
}

/** Emits what `sync` may do in its own namespace: read bundles, keep their status, and hold the lease. */
export function addOwnRole(scope: Construct, identity: SyncIdentity): void {
  const { name, namespace, labels } = identity;
  new ApiObject(scope, 'role', k8s.KubeRole.manifest({
    metadata: { name, namespace, labels },
    rules: [
      // RBAC knows no labels: bundles and statuses are in a namespace of their own instead.
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'create', 'update', 'delete'] },
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], resourceNames: [name], verbs: ['get', 'update'] },
      // RBAC cannot limit "create" by name.
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
    ],
  }));
  bind(scope, 'role-binding', identity, { name, namespace });
}

/**
 * What `sync` may do in the namespace of control planes: read the Secrets of the tenants that it delivers, by their names,
 * and nothing else.
 */
export class TenantSecretsRole {
  private readonly tenants: DeliveredTenant[] = [];
  /** The Role and its binding. */
  public readonly objects: ApiObject[];

  public constructor(scope: Construct, identity: SyncIdentity, namespace: string) {
    // cdk8s may name files by kind and name alone.
    const metadata = { name: `${identity.name}-secrets-${namespace}`, namespace };
    this.objects = [
      new ApiObject(scope, 'role', {
        apiVersion: k8s.KubeRole.GVK.apiVersion,
        kind: k8s.KubeRole.GVK.kind,
        metadata: { ...metadata, labels: identity.labels },
        // Which Secrets is known only when the tenants' charts are complete.
        rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: Lazy.any({ produce: () => this.secretNames() }), verbs: ['get'] }],
      }),
      bind(scope, 'role-binding', identity, metadata),
    ];
  }

  public add(tenant: DeliveredTenant): void {
    this.tenants.push(tenant);
  }

  private secretNames(): string[] {
    return [...new Set(this.tenants.flatMap(({ adminKubeconfig, certificate }) => [
      adminKubeconfig.secretName,
      ...certificate ? [certificate.ca.secretName] : [],
      ...certificate?.kind === 'copy' ? [certificate.source.secretName] : [],
    ]))].sort();
  }
}

function bind(scope: Construct, id: string, identity: SyncIdentity, role: { name: string; namespace: string }): ApiObject {
  return new ApiObject(scope, id, k8s.KubeRoleBinding.manifest({
    metadata: { ...role, labels: identity.labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role.name },
    subjects: [{ kind: 'ServiceAccount', name: identity.name, namespace: identity.namespace }],
  }));
}
