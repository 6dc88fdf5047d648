import { TcpProxyEndpoints } from './endpoints';
import { TcpProxyUpstreamConfig } from './haproxy-config';
import { TcpProxyPlacement } from './placement';
import { invalidInput } from '../validation/invalid-input';

/** The three choices of a tcp-proxy and what bears on them. */
export interface Combination {
  readonly upstream: TcpProxyUpstreamConfig;
  readonly placement: TcpProxyPlacement;
  readonly endpoints: TcpProxyEndpoints;
  readonly namespace: string;
  readonly listenPort: number;
  /** Port that the API server's own reconciler publishes. */
  readonly apiServerPort: number;
}

/** Refuses combinations that cannot work, with the reason and what to choose instead. */
export function validateCombination(combination: Combination): void {
  const { placement, endpoints, namespace, listenPort, apiServerPort } = combination;

  if (endpoints._advertise && placement._kind === 'replicas') {
    throw invalidInput('placement', 'replicas', 'leaves nodes without a proxy, and each node has the advertise address for itself',
      'Choose TcpProxyPlacement.everyNode() or staticPod(), or TcpProxyEndpoints.owned()');
  }
  if (placement._kind === 'static-pod' && endpoints._kind === 'owned') {
    throw invalidInput('placement', 'static pod', 'has no service account, so its agent cannot own default/kubernetes',
      'Choose TcpProxyEndpoints.fixedAddress() or kubernetesService(), or TcpProxyPlacement.everyNode()');
  }
  if (endpoints._kind === 'kubernetes-service' && namespace !== 'default') {
    throw invalidInput('namespace', namespace, 'is not the namespace of the Service kubernetes, and a Service selects pods of its own namespace only',
      'Set namespace: "default", or choose TcpProxyEndpoints.owned()');
  }
  if (endpoints._kind === 'fixed-address' && listenPort !== apiServerPort) {
    throw invalidInput('listenPort', listenPort,
      `differs from ${apiServerPort}, the port that the API server publishes together with its advertise address`,
      `${apiServerPort < 1024 ? 'Choose' : `Set listenPort: ${apiServerPort}, or choose`} TcpProxyEndpoints.ownedAdvertiseAddress()`);
  }
}
