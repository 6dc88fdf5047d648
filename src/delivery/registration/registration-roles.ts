import { ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { AgentWorkload } from '../../agent/agent-workload';
import { PolicyRule, registrationRules, tenantSecretsRules } from '../../agent/contract/rbac';
import { Registration } from '../../agent/contract/registrations';
import { roleManifest } from '../../objects/kubernetes';
import { claimObject } from '../../synthesis/object-claims';

/** What `register` may do: one Role in each namespace that it reads or writes, which grows with the tenants there. */
export class RegistrationRoles {
  private readonly known = new Map<string, Registration[]>();

  public constructor(private readonly scope: Construct, private readonly workload: AgentWorkload, private readonly managementCluster: string) {}

  public add(registration: Registration): void {
    const { tenant, secret, owner } = registration;
    this.grow(`kubeconfigs-${tenant.namespace}`, tenant.namespace, registration, all => tenantSecretsRules(distinct(all.map(each => each.kubeconfig.secretName))));
    this.grow(`registrations-${secret.namespace}`, secret.namespace, registration, all => registrationRules(distinct(all.map(each => each.secret.name)), {
      apiGroup: owner.apiVersion.split('/')[0], resource: owner.resource, names: distinct(all.map(each => each.owner.name)),
    }));
  }

  private grow(id: string, namespace: string, registration: Registration, rules: (all: Registration[]) => PolicyRule[]): void {
    const known = this.known.get(id);
    if (known) {
      known.push(registration);
      return;
    }
    const all = [registration];
    this.known.set(id, all);
    const { name, labels } = this.workload.metadata;
    // cdk8s may name files by kind and name alone.
    const metadata = { name: `${name}-${id}`, namespace, labels };
    const scope = new Construct(this.scope, id);
    [
      new ApiObject(scope, 'role', roleManifest({ metadata, rules: Lazy.any({ produce: () => rules(all) }) })),
      this.workload.addRoleBinding(scope, 'role-binding', metadata),
    ].forEach(object => claimObject(this.scope, object, this.managementCluster));
  }
}

function distinct(names: string[]): string[] {
  return [...new Set(names)].sort();
}
