import type { FleetCluster, FleetEdge } from './fleet/fleet-props';
import type { GatewayTunnel } from './gateway-tunnel';
import type { AgentWorkloadProps } from '../agent/agent-workload-props';
import type { GatewayConnectionShares } from '../haproxy/limit-props';
import type { PortRange } from '../model/port-range';

/** How the load balancer's nodes pass connections on to the gateway. */
export enum ExternalTrafficPolicy {
  /** To a gateway on the same node: the client's address stays. */
  LOCAL = 'Local',
  /** To any gateway: the client's address may become a node's. */
  CLUSTER = 'Cluster',
}

/** A load balancer that puts a PROXY header in front of every connection. */
export interface LoadBalancerProxyProtocol {
  /** Networks of the load balancer, in CIDR notation. Headers of others are refused. */
  readonly trustedCidrs: string[];
  /**
   * Whether the load balancer does so on the SNI port alone. On the cluster ID port it must not: its header would
   * stand in front of that of the tenant's proxy, and HAProxy reads one.
   * @default false
   */
  readonly sniPortOnly?: boolean;
}

/** IPv6 addresses of a gateway, each for one tenant. */
export interface TenantAddressRange {
  /**
   * The network, in CIDR notation: a /64 or a part of one, /112 at the smallest. The provider or the router has to lead it to the nodes of the
   * gateway; no device of them may have an address of it.
   */
  readonly prefix: string;
  /**
   * Port of all of them, 1024 at least.
   * @default 7443
   */
  readonly port?: number;
  /**
   * Have a container of the pods make the network the node's own (`ip -6 route add local <prefix> dev lo`), which takes root and
   * NET_ADMIN in the host network. `false`: you do it on the nodes.
   * @default true
   */
  readonly localRoute?: boolean;
}

/** A shared edge for control planes. */
export interface SharedIngressGatewayProps extends AgentWorkloadProps {
  /** Namespace of the gateway in the management cluster; it must exist. */
  readonly namespace: string;
  /**
   * Name of the objects.
   * @default - the construct's id
   */
  readonly name?: string;
  /**
   * DNS domain of the management cluster.
   * @default cluster.local
   */
  readonly clusterDomain?: string;
  /**
   * Address or DNS name at which tenants' proxies reach the cluster ID port.
   * @default - the API host of each tenant, which resolves to the gateway's address
   */
  readonly host?: string;

  /**
   * Public port that routes on the SNI host.
   * @default 443
   */
  readonly sniPort?: number;
  /**
   * Route on the cluster ID in the PROXY v2 header of tenants' proxies too.
   * @default true
   */
  readonly clusterIdRouting?: boolean;
  /**
   * Public port that takes PROXY v2 headers.
   * @default 6443
   */
  readonly clusterIdPort?: number;
  /**
   * Ports that lead to one tenant each, for clients that send neither the SNI host of a tenant nor a cluster ID: a route whose
   * port is one of them is found by it, and KubernetesServicePath.port() takes one of them. From 1024 on. The gateway listens on all of them;
   * its Service has those that are in use.
   * @default - none
   */
  readonly portRange?: PortRange;
  /**
   * IPv6 addresses that lead to one tenant each, for KubernetesServicePath.ipv6Address(). The pods are on the host network then.
   * @default - none
   */
  readonly addressRange?: TenantAddressRange;
  /**
   * Run the pods on the network of their nodes, one on a node: ports 8443, 6443 and 8404 of these, and those of `portRange` and
   * `addressRange`, are the gateway's. Clients reach ports of tenants at the nodes, so the Service has none of them, and its limits do not
   * count. No NetworkPolicy holds for such pods, and the namespace must admit them (Pod Security `privileged`).
   * @default - whether there is an `addressRange`
   */
  readonly hostNetwork?: boolean;
  /**
   * Take tunnels of tenants' proxies too, which come through an ingress controller in front of the gateway.
   * @default - none
   */
  readonly tunnel?: GatewayTunnel;
  /**
   * Other management clusters: this gateway is the edge of a fleet, and leads to their gateways what is for tenants there.
   * @default - none
   */
  readonly clusters?: FleetCluster[];
  /**
   * Take connections from the edge of a fleet, at a port of its own. Beside it the other ports stay as they are.
   * @default - none
   */
  readonly edge?: FleetEdge;
  /**
   * Give the gateway an address of its own. Without one its Service is of the type `ClusterIP`, for a gateway that only takes tunnels.
   * @default true
   */
  readonly loadBalancer?: boolean;
  /**
   * Type of the TLV that carries the cluster ID, 0xE0 to 0xEF.
   * @default - 0xE1, or 0x20 with `hypershiftCompatibility`
   */
  readonly tlvType?: number;
  /**
   * Take the cluster ID from TLV 0x20, as the nodes of ARO HCP send it. No others of HyperShift send one.
   * @default false
   */
  readonly hypershiftCompatibility?: boolean;
  /**
   * Networks that may connect to the cluster ID port, in CIDR notation, e.g. of the tenants' nodes. A cluster ID is no
   * secret and no proof: who knows one reaches that API server's login.
   * @default - everyone
   */
  readonly proxyCidrs?: string[];
  /**
   * The load balancer puts a PROXY header in front of connections.
   * @default - it keeps client addresses
   */
  readonly loadBalancerProxyProtocol?: LoadBalancerProxyProtocol;
  /**
   * DNS servers of the management cluster, as addresses.
   * @default - those of the pod's /etc/resolv.conf
   */
  readonly nameservers?: string[];
  /**
   * Close the open connections of a tenant that is removed. Otherwise they go on until one side ends them.
   * @default false
   */
  readonly closeRemovedTenants?: boolean;
  /**
   * Number of ConfigMaps that the routes are spread over, 1 to 100. One holds about 2,500 control planes. A change
   * rolls the pods once.
   * @default 8
   */
  readonly routeShards?: number;
  /**
   * Follow the ConfigMaps with the routes by the API of the management cluster, so that a change counts within a second. Otherwise it counts
   * when the kubelet has updated the mounted files, a minute or two later.
   * @default true
   */
  readonly followRoutes?: boolean;
  /**
   * Networks of the API servers of the management cluster, in CIDR notation, for the NetworkPolicy.
   * @default - any address, on ports 443 and 6443
   */
  readonly apiServerCidrs?: string[];

  /**
   * Most connections of a pod at a time; a further one is refused.
   * @default - what fits into the memory limit, 20000 at most: 256Mi for the pod and 180Ki for a connection
   */
  readonly maxConnections?: number;
  /**
   * How the connections are shared out.
   * @default - an eighth of them for a source, and for a tenant
   */
  readonly shares?: GatewayConnectionShares;
  /**
   * Threads of HAProxy; not more than CPUs of the smallest node.
   * @default 2
   */
  readonly threads?: number;
  /**
   * Seconds after which a connection without any traffic is closed; at least an hour, as watches are silent.
   * @default 86400
   */
  readonly tunnelTimeoutSeconds?: number;
  /**
   * Seconds that connections may stay on a HAProxy process that a changed configuration has replaced. Tenants come and
   * go without a change of it.
   * @default 21600
   */
  readonly reloadGraceSeconds?: number;
  /**
   * Seconds between a stopping pod's unreadiness and its last new connection.
   * @default 15
   */
  readonly propagationDelaySeconds?: number;
  /**
   * Seconds that open connections of a stopping pod may go on.
   * @default 300
   */
  readonly gracePeriodSeconds?: number;

  /**
   * Pods.
   * @default 2
   */
  readonly replicas?: number;
  /**
   * Listen on IPv6 too, and ask for it on the Service. Switch it off for nodes whose kernel has no IPv6.
   * @default true
   */
  readonly ipv6?: boolean;
  /**
   * How the load balancer's nodes pass connections on.
   * @default ExternalTrafficPolicy.LOCAL
   */
  readonly externalTrafficPolicy?: ExternalTrafficPolicy;
  /**
   * Whether the Service has a node port for each of its ports (`allocateLoadBalancerNodePorts`). Load balancers that send traffic to the pods, or to the
   * nodes with their own address as destination, need none, e.g. MetalLB and Cilium; those of clouds usually do.
   * @default true
   */
  readonly nodePorts?: boolean;
  /**
   * Class of the load balancer.
   * @default - the cluster's default
   */
  readonly loadBalancerClass?: string;
  /**
   * Annotations of the Service, e.g. for the cloud's load balancer.
   * @default - none
   */
  readonly serviceAnnotations?: { [name: string]: string };
  /**
   * Emit a NetworkPolicy: in on the ports of the gateway, out to DNS and to pods of the tenants' namespaces.
   * @default true
   */
  readonly networkPolicy?: boolean;
  /**
   * Labels of the namespaces that hold control planes, for the NetworkPolicy.
   * @default - every namespace
   */
  readonly tenantNamespaceLabels?: { [name: string]: string };
}
