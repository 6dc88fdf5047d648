import { FLEET_CLUSTER, FLEET_EDGE, FleetCluster, FleetEdge } from './fleet/fleet-props';
import { ADDRESS_RANGE } from './gateway-addresses';
import { GatewayRegistration } from './gateway-attributes';
import { ExternalTrafficPolicy, LoadBalancerProxyProtocol, SharedIngressGatewayProps } from './gateway-props';
import { GatewayTunnel, TUNNEL } from './gateway-tunnel';
import { GATEWAY_SHARES } from '../haproxy/share-checks';
import { PORT_RANGE } from '../model/port-range';
import { validateAnnotations } from '../validation/annotations';
import { validateIpAddress, validateNetwork, validateTrustedNetwork } from '../validation/ip-network';
import { validateLabelKey, validateLabels } from '../validation/labels';
import { all, Checks, flag, listOf, oneOf, optional, someOf, struct } from '../validation/props';
import { validateText } from '../validation/text';

/** What is a gateway's own, beside its pods. */
type GatewayOwnProps = Pick<SharedIngressGatewayProps,
 'clusterIdRouting' | 'portRange' | 'addressRange' | 'hostNetwork' | 'tunnel' | 'clusters' | 'edge' | 'loadBalancer' | 'hypershiftCompatibility' | 'proxyCidrs' |
 'loadBalancerProxyProtocol' | 'nameservers' | 'closeRemovedTenants' | 'shares' | 'followRoutes' | 'apiServerCidrs' | 'ipv6' | 'externalTrafficPolicy' |
 'nodePorts' | 'loadBalancerClass' | 'serviceAnnotations' | 'networkPolicy' | 'tenantNamespaceLabels'>;

/** What each of these properties may be by itself. */
export const GATEWAY_CHECKS: Checks<GatewayOwnProps> = {
  clusterIdRouting: optional(flag),
  portRange: optional(PORT_RANGE),
  addressRange: optional(struct(ADDRESS_RANGE)),
  hostNetwork: optional(flag),
  tunnel: optional(struct<GatewayTunnel>(TUNNEL)),
  clusters: optional(listOf(struct<FleetCluster>(FLEET_CLUSTER))),
  edge: optional(all(struct<FleetEdge>(FLEET_EDGE), (field, { trustedCidrs }) => {
    someOf(validateTrustedNetwork)(`${field}.trustedCidrs`, trustedCidrs);
  })),
  loadBalancer: optional(flag),
  hypershiftCompatibility: optional(flag),
  proxyCidrs: optional(someOf(validateNetwork)),
  loadBalancerProxyProtocol: optional(struct<LoadBalancerProxyProtocol>({
    trustedCidrs: someOf(validateTrustedNetwork), sniPortOnly: optional(flag),
  })),
  nameservers: optional(listOf(validateIpAddress)),
  closeRemovedTenants: optional(flag),
  followRoutes: optional(flag),
  apiServerCidrs: optional(someOf(validateNetwork)),
  shares: optional(struct(GATEWAY_SHARES)),
  ipv6: optional(flag),
  externalTrafficPolicy: optional(oneOf(ExternalTrafficPolicy)),
  nodePorts: optional(flag),
  loadBalancerClass: optional(validateLabelKey),
  serviceAnnotations: optional(validateAnnotations),
  networkPolicy: optional(flag),
  tenantNamespaceLabels: optional(validateLabels),
};

/** What each option of a registration may be. */
export const GATEWAY_REGISTRATION: Checks<GatewayRegistration> = { allowedCidrs: optional(someOf(validateNetwork)), entry: optional(validateText) };
