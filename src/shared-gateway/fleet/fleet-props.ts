import { FleetRoutes } from './fleet-routes';
import { PORT_RANGE, PortRange } from '../../model/port-range';
import { validateDnsName, validateHostname } from '../../validation/hostname';
import { invalidInput } from '../../validation/invalid-input';
import { ipFamily, validateNetwork } from '../../validation/ip-network';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../../validation/name';
import { Checks, flag, instance, listOf, optional, someOf } from '../../validation/props';
import { validateText } from '../../validation/text';

/** The edge of a fleet, which leads connections to a gateway. */
export interface FleetEdge {
  /**
   * Networks that the edge connects from, in CIDR notation: the addresses that its pods have where this gateway sees them. They alone may
   * connect to the port, and say whose connection it is.
   */
  readonly trustedCidrs: string[];
  /**
   * Public port for the edge.
   * @default 7444
   */
  readonly port?: number;
}

/** A management cluster that the edge of a fleet leads to. */
export interface FleetCluster {
  /** Name of the cluster in the fleet: a DNS label. */
  readonly name: string;
  /** Address or DNS name of its gateway, as the edge reaches it. What a file of the cluster says has to be the same. */
  readonly address: string;
  /**
   * Public port of its gateway for the edge.
   * @default 7444
   */
  readonly port?: number;
  /**
   * Domains in which its tenants may have hosts: a host is one of them or ends with one. Where domains of several clusters hold a host, it is
   * for the cluster with the longest of them, so a host that moved to another cluster is a domain of that.
   */
  readonly domains: string[];
  /**
   * Those of the edge's `portRange` that its tenants may have.
   * @default - none
   */
  readonly portRange?: PortRange;
  /**
   * Single ports that its tenants may have as well, in whatever range they are: that of a tenant which has moved here. No other cluster has them then.
   * @default - none
   */
  readonly ports?: number[];
  /**
   * Tenants that nothing leads to in this cluster, as `namespace/name`: those that move and are in another one too. Before the edge leads a tenant to its
   * new cluster it stands by there, afterwards in the old one, until it is gone there.
   * @default - none
   */
  readonly standbyTenants?: string[];
  /**
   * The tenants of the cluster, with their hosts, cluster IDs and ports.
   * @default - not known: every host of its domains leads there, and no cluster ID or port
   */
  readonly routes?: FleetRoutes;
  /**
   * Whether every host of its domains leads there, whatever `routes` say: tenants come and go in the cluster without a change of the edge, as long as
   * hosts are what they are found by. A host has up to four labels in front of the domain. Otherwise only the hosts of its tenants do.
   * @default - whether there are no `routes`
   */
  readonly everyHost?: boolean;
}

/** Checks what a gateway is reached at, as the maps have it: a name is one that nobody takes for an address, nor for one of the pod's own domain. */
export function validateGatewayAddress(field: string, address: string): void {
  if (ipFamily(validateText(field, address))) {
    return;
  }
  validateDnsName(field, address);
  if (!/\.[a-z][^.]*$/.test(address)) {
    throw invalidInput(field, address, 'is no full name', 'Give an IP address, or a name with its domain');
  }
}

function validateTenantName(field: string, name: string): void {
  const [namespace, controlPlane, ...more] = validateText(field, name).split('/');
  if (controlPlane === undefined || more.length > 0) {
    throw invalidInput(field, name, 'does not name a tenant', 'Write namespace and name of the control plane, e.g. tenants/tenant-01');
  }
  validateDns1123Label(field, namespace);
  validateDns1035Label(field, controlPlane);
}

/** What each of these may be by itself. */
export const FLEET_EDGE: Checks<FleetEdge> = { trustedCidrs: someOf(validateNetwork), port: optional(validatePort) };
export const FLEET_CLUSTER: Checks<FleetCluster> = {
  name: validateDns1123Label,
  address: validateGatewayAddress,
  port: optional(validatePort),
  domains: someOf(validateHostname),
  portRange: optional(PORT_RANGE),
  ports: optional(listOf(validatePort)),
  standbyTenants: optional(listOf(validateTenantName)),
  routes: optional(instance<FleetRoutes>('Give FleetRoutes.fromFile() or FleetRoutes.ofGateway()', '_read')),
  everyHost: optional(flag),
};

/** Public port for the edge where nobody gives another. */
export const DEFAULT_EDGE_PORT = 7444;
