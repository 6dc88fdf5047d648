import { Exposure } from './exposure';
import { tcpProxyOf } from './tcp-proxy-facts';

/** What is known of a control plane beside its exposure that decides how its tenant's parts reach each other. */
export interface Surroundings {
  /** Whether the platform's operator runs a tcp-proxy in the tenant, unless one of this library takes its place. */
  readonly operatorTcpProxy: boolean;
  /** Whether the user says that the API server reaches the nodes without a tunnel. */
  readonly nodesReachable: boolean;
}

const surroundings = new WeakMap<Exposure, Surroundings>();

/** Called by every control plane. */
export function recordSurroundings(exposure: Exposure, of: Surroundings): void {
  surroundings.set(exposure, of);
}

/** How pods of the tenant reach the Service `kubernetes`, in a few words; undefined where nothing that is known leads there. */
export function kubernetesServiceWay(exposure: Exposure): string | undefined {
  const { kubernetesEndpoint: endpoint, kubernetesService: { _kind: kind, _reason: reason } } = exposure;
  switch (kind) {
    case 'tcp-proxy':
      return tcpProxyOf(exposure) ? 'a tcp-proxy in the tenant' : surroundings.get(exposure)?.operatorTcpProxy ? 'the tcp-proxy of the platform' : undefined;
    case 'port': return `port ${endpoint!.port} of ${endpoint!.addresses.join(', ')}`;
    case 'ipv6-address': return `the address ${endpoint!.addresses.join(', ')}, port ${endpoint!.port}`;
    case 'host-injection': return 'the public host, for pods that it is injected into; no others';
    case 'none': return `none: ${reason}`;
  }
}

/** How the API server reaches the nodes, for exec, logs and webhooks; undefined where nothing that is known leads there. */
export function nodeWay(exposure: Exposure): string | undefined {
  return exposure.konnectivity ? 'konnectivity' : surroundings.get(exposure)?.nodesReachable ? 'directly' : undefined;
}
