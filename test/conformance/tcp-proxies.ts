import { SharedIngressGateway, TcpProxyAddonProps, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream } from '../../src';

const UPSTREAMS: { [name: string]: () => TcpProxyUpstream } = {
  'sni': () => TcpProxyUpstream.sni(),
  'direct to an address': () => TcpProxyUpstream.direct({ host: '10.40.0.201', port: 30443 }),
  'shared gateway': () => TcpProxyUpstream.sharedGateway(SharedIngressGateway.fromAttributes({ host: 'edge.internal' })),
  'direct to a name': () => TcpProxyUpstream.direct({ host: 'nodes.internal', port: 30443 }),
};
const PLACEMENTS: { [name: string]: () => TcpProxyPlacement } = {
  'replicas': () => TcpProxyPlacement.replicas(),
  'every node': () => TcpProxyPlacement.everyNode(),
  'static pod': () => TcpProxyPlacement.staticPod(),
};
const ENDPOINTS: { [name: string]: () => Pick<TcpProxyAddonProps, 'endpoints' | 'namespace'> } = {
  'owned': () => ({ endpoints: TcpProxyEndpoints.owned() }),
  'owned advertise address': () => ({ endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }) }),
  'Service kubernetes': () => ({ endpoints: TcpProxyEndpoints.kubernetesService(), namespace: 'default' }),
  'fixed address': () => ({ endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) }),
};
/** Switches of the addon that change its manifests or its configuration. */
const SWITCHES: { [name: string]: () => Partial<TcpProxyAddonProps> } = {
  'without HTTP/2': () => ({ http2: false }),
  'with host aliases': () => ({ hostAliases: [{ ip: '192.0.2.10', hostnames: ['tenant-01.k8s.example.com', 'tenants-tenant-01.k8s.example.com'] }] }),
  'with a network policy': () => ({ networkPolicy: true }),
};

/** What a tcp-proxy is made with. */
export type TcpProxyCase = Omit<TcpProxyAddonProps, 'controlPlane' | 'exposure'>;

/** Every tcp-proxy: upstream × placement × endpoints, and each switch alone. */
export const TCP_PROXIES: { [name: string]: () => TcpProxyCase } = {
  ...Object.fromEntries(
    Object.entries(UPSTREAMS).flatMap(([upstream, makeUpstream]) =>
      Object.entries(PLACEMENTS).flatMap(([placement, makePlacement]) =>
        Object.entries(ENDPOINTS).map(([endpoints, makeEndpoints]) =>
          [`${upstream}, ${placement}, ${endpoints}`, () => ({ upstream: makeUpstream(), placement: makePlacement(), ...makeEndpoints() })])))),
  ...SWITCHES,
};

/** The kinds that are different to a control plane: each choice at least once, and none at all. */
export const TCP_PROXY_KINDS: (string | undefined)[] = [
  undefined,
  'sni, replicas, owned',
  'direct to an address, every node, owned advertise address',
  'direct to a name, static pod, fixed address',
  'sni, static pod, Service kubernetes',
  'shared gateway, every node, owned',
];

/** The error that a tcp-proxy is meant to give, or undefined for one that works. */
export function refusedTcpProxy(tcpProxy: string): string | undefined {
  const [, placement, endpoints] = tcpProxy.split(', ');
  if (placement === 'replicas' && ['owned advertise address', 'fixed address'].includes(endpoints)) {
    return 'placement: "replicas" leaves nodes without a proxy, and each node has the advertise address for itself. '
      + 'Choose TcpProxyPlacement.everyNode() or staticPod(), or TcpProxyEndpoints.owned().';
  }
  if (placement === 'static pod' && endpoints.startsWith('owned')) {
    return 'placement: "static pod" has no service account, so its agent cannot own default/kubernetes. '
      + 'Choose TcpProxyEndpoints.fixedAddress() or kubernetesService(), or TcpProxyPlacement.everyNode().';
  }
  return undefined;
}
