import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { DeliveredTenant } from './delivered-tenant';
import { AgentWorkload } from '../agent/agent-workload';
import { secretNames } from '../agent/contract/bundle';
import { syncRules, tenantSecretsRules } from '../agent/contract/rbac';
import { roleManifest } from '../objects/kubernetes';

/** Emits what `sync` may do in its own namespace: read bundles, keep their status, and hold the lease. */
export function addOwnRole(scope: Construct, workload: AgentWorkload): void {
  const { metadata } = workload;
  new ApiObject(scope, 'role', roleManifest({ metadata, rules: syncRules(metadata.name) }));
  workload.addRoleBinding(scope, 'role-binding', metadata);
}

/**
 * What `sync` may do in the namespace of control planes: read the Secrets of the tenants that it delivers, by their names,
 * and nothing else.
 */
export class TenantSecretsRole {
  private readonly tenants: DeliveredTenant[] = [];
  /** The Role and its binding. */
  public readonly objects: ApiObject[];

  public constructor(scope: Construct, workload: AgentWorkload, namespace: string) {
    const { name, labels } = workload.metadata;
    // cdk8s may name files by kind and name alone.
    const metadata = { name: `${name}-secrets-${namespace}`, namespace, labels };
    this.objects = [
      new ApiObject(scope, 'role', roleManifest({
        metadata,
        // Which Secrets is known only when the tenants' charts are complete.
        rules: tenantSecretsRules(Lazy.any({ produce: () => this.secretNames() })),
      })),
      workload.addRoleBinding(scope, 'role-binding', metadata),
    ];
  }

  public add(tenant: DeliveredTenant): void {
    this.tenants.push(tenant);
  }

  private secretNames(): string[] {
    return [...new Set(this.tenants.flatMap(({ adminKubeconfig, certificate }) =>
      [adminKubeconfig.secretName, ...certificate ? secretNames(certificate) : []]))].sort();
  }
}
