import { SharedIngressGatewayProps } from './gateway-props';
import { PROXY_CHECKS, ProxyProps } from '../haproxy/proxy-settings';
import { invalidInput } from '../validation/invalid-input';
import { checkProps, optional } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

/** Checks the numbers of a gateway, and what does not go together; `GATEWAY_CHECKS` has the others by themselves. */
export function validateGatewayProps(props: SharedIngressGatewayProps): void {
  checkProps<ProxyProps>('', props, PROXY_CHECKS);
  optional(wholeNumber('pods', 1, 1000))('replicas', props.replicas);
  optional(wholeNumber('ConfigMaps', 1, 100))('routeShards', props.routeShards);
  if (props.loadBalancer === false) {
    const unused = (['externalTrafficPolicy', 'loadBalancerClass', 'serviceAnnotations', 'loadBalancerProxyProtocol'] as const).find(field => props[field] !== undefined);
    if (unused) {
      throw invalidInput(unused, props[unused], 'has no effect without a load balancer', 'Leave it out, or loadBalancer: false');
    }
    if (!props.tunnel) {
      throw invalidInput('loadBalancer', false, 'leaves no way to the gateway', 'Leave it out, or give a tunnel through an ingress controller');
    }
  }
  if (props.loadBalancerProxyProtocol && !props.loadBalancerProxyProtocol.sniPortOnly && props.clusterIdRouting !== false) {
    throw invalidInput('loadBalancerProxyProtocol', props.loadBalancerProxyProtocol,
      'would put a second PROXY header in front of that of the tenants\' proxies, and HAProxy reads one',
      'Have the load balancer keep client addresses and leave it out; or set sniPortOnly when it sends headers on the SNI port alone; ' +
      'or set clusterIdRouting: false');
  }
}
