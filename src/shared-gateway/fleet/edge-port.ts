import { DEFAULT_EDGE_PORT } from './fleet-props';
import { isInPortRange } from '../../model/port-range';
import { invalidInput } from '../../validation/invalid-input';
import { CONTAINER } from '../gateway-pod';
import { ExternalTrafficPolicy, SharedIngressGatewayProps } from '../gateway-props';

/** The public port for the edge of a fleet, checked against what else the gateway listens on, and that the edge can be told from others. */
export function resolveEdge(props: SharedIngressGatewayProps, otherPorts: (number | undefined)[]): number | undefined {
  const { edge, externalTrafficPolicy, loadBalancerProxyProtocol, portRange, addressRange } = props;
  if (!edge) {
    return undefined;
  }
  const { port = DEFAULT_EDGE_PORT } = edge;
  if (otherPorts.includes(port) || isInPortRange(port, portRange)) {
    throw invalidInput('edge.port', port, 'is a port of the gateway for something else', `Leave it out for ${DEFAULT_EDGE_PORT}, or give another`);
  }
  if (addressRange?.port === CONTAINER.edgePort) {
    throw invalidInput('addressRange.port', addressRange.port, 'is where the gateway listens for the edge', 'Leave it out, or give another');
  }
  if (externalTrafficPolicy === ExternalTrafficPolicy.CLUSTER) {
    throw invalidInput('edge', edge, 'cannot be told from others: with externalTrafficPolicy Cluster sources are nodes', 'Use ExternalTrafficPolicy.LOCAL');
  }
  if (loadBalancerProxyProtocol && !loadBalancerProxyProtocol.sniPortOnly) {
    throw invalidInput('loadBalancerProxyProtocol', loadBalancerProxyProtocol, 'would put a second PROXY header in front of that of the edge, and HAProxy reads one',
      'Set sniPortOnly, for a load balancer that sends headers on the SNI port alone, or leave it out');
  }
  return port;
}
