import { ApiObject, Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { CONTAINER } from './gateway-pod';
import type { ExternalTrafficPolicy } from './gateway-props';
import type { AgentWorkload } from '../agent/agent-workload';
import type { PortRange } from '../model/port-range';
import { networkPolicyManifest, serviceManifest } from '../objects/kubernetes';
import { Plain } from '../objects/plain';
import { ipFamily } from '../validation/ip-network';

/** That of the Service `kubernetes`, and the usual one of API servers: network plugins compare one or the other. */
const API_SERVER_PORTS = [443, 6443];

/** Everything that the network objects of a gateway depend on. */
export interface GatewayNetworkOptions {
  readonly workload: AgentWorkload;
  readonly sniPort: number;
  /** Public port that takes PROXY v2 headers; undefined for none. */
  readonly clusterIdPort?: number;
  /** Public port for the edge of a fleet; undefined for none. */
  readonly edgePort?: number;
  /** Gateways of other clusters. */
  readonly gateways: { readonly address: string; readonly port: number }[];
  /** Whether tunnels end here. */
  readonly tunnel: boolean;
  /** Whether the Service has an address of its own. */
  readonly ownAddress: boolean;
  /** Ports that lead to one tenant each. */
  readonly portRange?: PortRange;
  /** Those among them that the Service leads to; final at synthesis. */
  readonly portsInUse: () => number[];
  readonly ipv6: boolean;
  readonly externalTrafficPolicy: ExternalTrafficPolicy;
  readonly nodePorts: boolean;
  readonly loadBalancerClass?: string;
  readonly serviceAnnotations?: { [name: string]: string };
  readonly tenantNamespaceLabels: { [name: string]: string };
  /** Networks of the API server, none for any; undefined where the pods do not ask it. */
  readonly apiServerCidrs?: string[];
}

/** Emits the Service with the shared address. */
export function addLoadBalancer(scope: Construct, options: GatewayNetworkOptions): ApiObject {
  const { workload: { metadata, selectorLabels }, sniPort, clusterIdPort, edgePort, portRange, portsInUse } = options;
  const port = (name: string, number: number) => ({ name, port: number, targetPort: name, protocol: 'TCP' });
  const ports = [
    port('sni', sniPort), ...(clusterIdPort === undefined ? [] : [port('cluster-id', clusterIdPort)]), ...(edgePort === undefined ? [] : [port('edge', edgePort)]),
  ];
  const manifest = serviceManifest({
    metadata: { ...metadata, annotations: options.serviceAnnotations },
    spec: {
      ...options.ownAddress ? {
        type: 'LoadBalancer',
        loadBalancerClass: options.loadBalancerClass,
        externalTrafficPolicy: options.externalTrafficPolicy,
        // True by default; written down it would be a change for who has the Service already.
        allocateLoadBalancerNodePorts: options.nodePorts ? undefined : false,
      } : { type: 'ClusterIP' },
      ipFamilyPolicy: options.ipv6 ? 'PreferDualStack' : 'SingleStack',
      selector: selectorLabels,
      ports,
    },
  });
  const withTenants = Lazy.any({ produce: () => [...ports, ...portsInUse().map(tenantPort)] });
  return new ApiObject(scope, 'load-balancer', portRange ? { ...manifest, spec: { ...manifest.spec, ports: withTenants } } : manifest);
}

/**
 * A port of one tenant. The others of the range are left out: many load balancers have room for some tens of ports, and
 * Kubernetes gives each a node port.
 */
function tenantPort(port: number): object {
  return { name: `port-${port}`, port, targetPort: port, protocol: 'TCP' };
}

/**
 * Emits the NetworkPolicy. Control planes are in other namespaces, so peers need a namespace selector; and a policy
 * sees the ports of pods, not those of Services, so it names none.
 */
export function addGatewayNetworkPolicy(scope: Construct, options: GatewayNetworkOptions): void {
  const { workload: { metadata, selectorLabels }, gateways, portRange, tenantNamespaceLabels, apiServerCidrs } = options;
  const port = (number: number, protocol = 'TCP') => ({ port: number, protocol });
  const listening = [
    CONTAINER.sniPort,
    ...options.clusterIdPort === undefined ? [] : [CONTAINER.clusterIdPort],
    ...options.tunnel ? [CONTAINER.tunnelPort] : [],
    ...options.edgePort === undefined ? [] : [CONTAINER.edgePort],
    CONTAINER.healthPort,
  ];
  new ApiObject(scope, 'network-policy', networkPolicyManifest({
    metadata,
    spec: {
      podSelector: { matchLabels: selectorLabels },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{
        ports: [...listening.map(number => port(number)), ...portRange ? [{ ...port(portRange.first), endPort: portRange.last }] : []],
      }],
      egress: [
        { to: [{ namespaceSelector: { matchLabels: tenantNamespaceLabels } }] },
        // 5353 is the port of OpenShift's DNS pods.
        { ports: [port(53), port(53, 'UDP'), port(5353), port(5353, 'UDP')] },
        ...apiServerCidrs ? [{
          to: apiServerCidrs.length > 0 ? apiServerCidrs.map(cidr => ({ ipBlock: { cidr } })) : undefined,
          ports: API_SERVER_PORTS.map(number => port(number)),
        }] : [],
        ...gateways.map(({ address, port: number }) => ({ to: peersAt(address), ports: [port(number)] })),
      ],
    },
  }));
}

/** A policy knows addresses and no names. */
function peersAt(address: string): Plain<k8s.NetworkPolicyPeer>[] | undefined {
  const family = ipFamily(address);
  return family && [{ ipBlock: { cidr: `${address}/${family === 'ipv4' ? 32 : 128}` } }];
}
