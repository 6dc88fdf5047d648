import type { Choice } from './engine/choice';
import type { TenantNetwork } from '../src/model/tenant-network';

/** What a chart is told of the network of a tenant. */
export interface ServiceNetworkValues {
  readonly kubernetesServiceIp: string;
  readonly clusterDomain: string;
  readonly dualStack?: boolean;
}

export const MARKED_SERVICE_IPS: { readonly [family: string]: string } = { ipv4: '198.18.51.1', ipv6: 'fd00:5151::1' };

export const SERVICE_FAMILY: Choice = {
  name: 'family',
  options: { ipv4: 'not (contains ":" $.Values.kubernetesServiceIp)', ipv6: 'contains ":" $.Values.kubernetesServiceIp' },
};

/** A network of Services whose first address it is; of the networks of a tenant, nothing but that address shows in a chart. */
export function serviceNetworkOf({ kubernetesServiceIp: ip, clusterDomain, dualStack = false }: ServiceNetworkValues): TenantNetwork {
  const [first, pods, secondServices, secondPods] = ip.includes(':')
    ? [ip.replace(/::1$/, '::/125'), 'fd00:ffff:ffff:ffff:1::/80', '240.0.0.0/29', '240.0.0.8/29']
    : [`${ip.replace(/\d+$/, last => String(Number(last) - 1))}/29`, '0.0.0.0/29', 'fd00:ffff:ffff:ffff:2::/112', 'fd00:ffff:ffff:ffff:1::/80'];
  return { clusterDomain, serviceCidrs: [first, ...dualStack ? [secondServices] : []], podCidrs: [pods, ...dualStack ? [secondPods] : []] };
}
