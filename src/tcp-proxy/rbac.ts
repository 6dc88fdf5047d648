import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { AgentWorkload } from '../agent/agent-workload';
import { endpointsRules } from '../agent/contract/rbac';
import { roleManifest } from '../objects/kubernetes';

/** Emits the Roles and RoleBindings of the agent: one pair in `default`, one beside its pods. It asks for nothing else. */
export function addRbac(scope: Construct, workload: AgentWorkload): void {
  const { name, namespace, labels } = workload.metadata;
  for (const [id, role] of Object.entries(endpointsRules(namespace))) {
    const metadata = { name: `${name}-${id}`, namespace: role.namespace, labels };
    new ApiObject(scope, `${id}-role`, roleManifest({ metadata, rules: role.rules }));
    workload.addRoleBinding(scope, `${id}-role-binding`, metadata);
  }
}
