import type { k8s } from 'cdk8s-plus-30';
import { AgentWorkload, CONTAINER_SECURITY_CONTEXT } from './agent-workload';
import { ADDRESS } from './contract/commands';
import { agentArgs, FlagValues } from './contract/flags';
import { Plain } from '../objects/plain';

/**
 * A container that gives the node addresses and keeps them there: an init container that goes on running (Kubernetes 1.29 and
 * newer). Changing addresses needs root and NET_ADMIN, in a pod of the host network.
 */
export function addressContainer(workload: AgentWorkload, name: string, flags: FlagValues<typeof ADDRESS.flags>): Plain<k8s.Container> {
  return {
    ...workload.sideContainer(name, agentArgs(ADDRESS, flags)),
    restartPolicy: 'Always',
    securityContext: {
      ...CONTAINER_SECURITY_CONTEXT,
      runAsNonRoot: false,
      runAsUser: 0,
      capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] },
    },
  };
}
