import type { ConnectionLimits } from '../haproxy/connection-limits';
import type { SocketBuffers } from '../haproxy/socket-buffers';
import type { TunnelHaproxyOptions } from '../haproxy/tunnel';
import type { Endpoint } from '../model/endpoint';
import type { PortRange } from '../model/port-range';

/** How the edge of a fleet reaches a gateway. */
export interface EdgeHaproxyOptions {
  readonly port: number;
  /** Networks of the edge: who may connect, and say whose connection it is. */
  readonly cidrs: string[];
}

/** Everything that the configuration of a shared gateway depends on. It holds no tenant: those are in maps. */
export interface GatewayHaproxyOptions {
  /** Folder of the sockets and, in `maps/`, of the maps; writable. The agent in the image gets the same path. */
  readonly runFolder: string;
  readonly listenAddresses: string[];
  /** Port that routes on the SNI host. */
  readonly sniPort: number;
  /** Port that routes on the cluster ID in the PROXY header; undefined for none. */
  readonly clusterIdPort?: number;
  readonly tlvType: number;
  /** Ports that lead to one tenant each; undefined for none. */
  readonly portRange?: PortRange;
  /** Networks of load balancers that put a PROXY header in front of connections to these ports. */
  readonly portLoadBalancerCidrs?: string[];
  /** Port at which tenants have IPv6 addresses of their own; undefined for none. */
  readonly addressPort?: number;
  /** Where tunnels of tenants' proxies end; undefined for none. */
  readonly tunnel?: TunnelHaproxyOptions;
  /** Networks that may connect to the cluster ID port; undefined for everyone. */
  readonly proxyCidrs?: string[];
  /** Networks of load balancers that put a PROXY header in front of connections to the SNI port. */
  readonly loadBalancerCidrs?: string[];
  /** Whether routes lead to other management clusters as well. */
  readonly clusters?: boolean;
  /** Where the edge of a fleet leads connections to; undefined for none. */
  readonly edge?: EdgeHaproxyOptions;
  /** DNS servers of the cluster; undefined for those of /etc/resolv.conf. */
  readonly nameservers?: Endpoint[];
  /** All frontends together. */
  readonly maxConnections: number;
  /** @default - none but `maxConnections` */
  readonly limits?: Omit<ConnectionLimits, 'frontends' | 'total'>;
  /** @default - the kernel's choice, up to some MiB */
  readonly socketBuffers?: SocketBuffers;
  readonly threads: number;
  readonly tunnelTimeoutSeconds: number;
  /** How long connections may stay on a worker that a reload has replaced. */
  readonly reloadGraceSeconds: number;
}

/** Who may have how many connections: the limits are for all frontends together. */
export function limitsOf({ maxConnections, limits, clusterIdPort, portRange, addressPort, tunnel, edge }: GatewayHaproxyOptions): ConnectionLimits {
  const others = [
    ...(clusterIdPort === undefined ? [] : ['cluster-id']), ...(portRange ? ['port'] : []), ...(addressPort === undefined ? [] : ['address']), ...(tunnel ? ['tunnel'] : []),
    ...(edge ? ['edge'] : []),
  ];
  return { frontends: ['sni', ...others], total: maxConnections, ...limits };
}
