import { SharedIngressGatewayProps } from './gateway-props';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork, ipFamily } from '../validation/ip-network';

/** Checks what each property allows by itself and together with others. */
export function validateGatewayProps(props: SharedIngressGatewayProps): void {
  integer('replicas', props.replicas, 1, 1000);
  integer('routeShards', props.routeShards, 1, 100);
  integer('maxConnections', props.maxConnections, 1, 1_000_000);
  integer('threads', props.threads, 1, 64);
  integer('tunnelTimeoutSeconds', props.tunnelTimeoutSeconds, 3600, Infinity);
  integer('reloadGraceSeconds', props.reloadGraceSeconds, 1, Infinity);
  integer('propagationDelaySeconds', props.propagationDelaySeconds, 0, Infinity);
  integer('gracePeriodSeconds', props.gracePeriodSeconds, 1, Infinity);
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

function integer(field: string, value: number | undefined, minimum: number, maximum: number): void {
  if (value !== undefined && (!Number.isInteger(value) || value < minimum || value > maximum)) {
    throw invalidInput(field, value, 'is out of range', maximum === Infinity
      ? `Give a whole number of at least ${minimum}` : `Give a whole number from ${minimum} to ${maximum}`);
  }
}

function networks(field: string, cidrs: string[] | undefined): void {
  if (cidrs?.length === 0) {
    throw invalidInput(field, cidrs, 'is empty, which would let nobody in', 'Leave it out, or list networks');
  }
  cidrs?.forEach((cidr, i) => IpNetwork.parse(`${field}[${i}]`, cidr));
}
