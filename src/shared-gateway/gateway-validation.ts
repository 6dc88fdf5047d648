import { SharedIngressGatewayProps } from './gateway-props';
import { PROXY_CHECKS, ProxyProps } from '../haproxy/proxy-settings';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork, ipFamily } from '../validation/ip-network';
import { checkProps, optional } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

/** Checks what each property allows by itself and together with others. */
export function validateGatewayProps(props: SharedIngressGatewayProps): void {
  checkProps<ProxyProps>('', props, PROXY_CHECKS);
  optional(wholeNumber('pods', 1, 1000))('replicas', props.replicas);
  optional(wholeNumber('ConfigMaps', 1, 100))('routeShards', props.routeShards);
  networks('proxyCidrs', props.proxyCidrs);
  networks('loadBalancerProxyProtocol.trustedCidrs', props.loadBalancerProxyProtocol?.trustedCidrs);
  props.nameservers?.forEach((address, i) => {
    if (!ipFamily(address)) {
      throw invalidInput(`nameservers[${i}]`, address, 'is not an IP address', 'Give the ClusterIP of the cluster\'s DNS');
    }
  });
  if (props.loadBalancerProxyProtocol && !props.loadBalancerProxyProtocol.sniPortOnly && props.clusterIdRouting !== false) {
    throw invalidInput('loadBalancerProxyProtocol', props.loadBalancerProxyProtocol,
      'would put a second PROXY header in front of that of the tenants\' proxies, and HAProxy reads one',
      'Have the load balancer keep client addresses and leave it out; or set sniPortOnly when it sends headers on the SNI port alone; ' +
      'or set clusterIdRouting: false');
  }
}

function networks(field: string, cidrs: string[] | undefined): void {
  if (cidrs?.length === 0) {
    throw invalidInput(field, cidrs, 'is empty, which would let nobody in', 'Leave it out, or list networks');
  }
  cidrs?.forEach((cidr, i) => IpNetwork.parse(`${field}[${i}]`, cidr));
}
