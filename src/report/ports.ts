import { BY_HOST, OWN_ADDRESS } from './found-by';
import { ReportedControlPlane, ReportedPort } from './report-document';
import { serverNameOf } from '../model/entry';
import { API_ROUTE, KONNECTIVITY_ROUTE } from '../model/exposure';

/** The shared edge, as it is called in the tables. */
export const SHARED_ADDRESS = 'shared address';
const WORKERS = 'workers';
const KUBELET_PORT = 10250;
const UPSTREAMS: { readonly [upstream: string]: string } = {
  'sni': 'tcp-proxy: TLS with SNI',
  'shared-gateway': 'tcp-proxy: PROXY v2 and TLS',
  'direct': 'tcp-proxy: TLS as it is',
  'tunnel': 'tcp-proxy: TLS in TLS',
};

/** One connection of one control plane. */
interface Connection {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly purpose: string;
}

/** The connections of all control planes, each once, with those that need it. */
export function portsToOpen(controlPlanes: ReportedControlPlane[]): ReportedPort[] {
  const ports = new Map<string, { readonly port: Connection; readonly purposes: Set<string>; readonly controlPlanes: Set<string> }>();
  for (const controlPlane of controlPlanes) {
    for (const connection of connectionsOf(controlPlane)) {
      const key = [connection.from, connection.to, connection.port].join('\n');
      const entry = ports.get(key) ?? { port: connection, purposes: new Set(), controlPlanes: new Set() };
      ports.set(key, entry);
      entry.purposes.add(connection.purpose);
      entry.controlPlanes.add(`${controlPlane.namespace}/${controlPlane.name}`);
    }
  }
  return [...ports.values()]
    .map(({ port: { from, to, port }, purposes, controlPlanes: users }) =>
      ({ from, to, port, purposes: [...purposes].sort(), controlPlanes: [...users] }))
    .sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to) || a.port - b.port);
}

function connectionsOf(controlPlane: ReportedControlPlane): Connection[] {
  return [
    ...controlPlane.routes.flatMap(publicConnections),
    ...controlPlane.routes.filter(({ foundBy }) => foundBy !== OWN_ADDRESS).map(({ name, entry, serviceName, serviceNamespace, podPort }) => ({
      from: 'ingress controller',
      to: isOwn(serverNameOf({ name, entry })) ? `control plane pods in namespace ${serviceNamespace}` : `pods of the Service ${serviceNamespace}/${serviceName}`,
      port: podPort,
      purpose: name,
    })),
    ...proxyConnections(controlPlane),
    ...controlPlane.kubernetesService.endpoints.map(endpoint => ({
      from: 'pods and nodes of the tenant cluster',
      to: endpoint.slice(0, endpoint.lastIndexOf(':')),
      port: Number(endpoint.slice(endpoint.lastIndexOf(':') + 1)),
      purpose: 'kubernetes.default.svc',
    })),
    ...controlPlane.konnectivityAgentArgs.length > 0 ? [] : [{
      from: `control plane pods in namespace ${controlPlane.routes[0].serviceNamespace}`,
      to: WORKERS,
      port: KUBELET_PORT,
      purpose: 'kubelet (logs, exec), as there is no konnectivity; webhooks and aggregated APIs need their own ports too',
    }],
  ];
}

/** From outside to the shared address, or to the address of the API server. */
function publicConnections({ name, hostname, entry, foundBy, port }: ReportedControlPlane['routes'][number]): Connection[] {
  const to = foundBy === OWN_ADDRESS ? `load balancer of ${hostname}` : addressOf(entry);
  switch (name) {
    case API_ROUTE: return [
      { from: WORKERS, to, port, purpose: foundBy === BY_HOST ? 'kubelet and other clients of the public name' : 'kubelet and other clients, with or without the public name' },
      { from: 'administrators and CI', to, port, purpose: 'kubectl' },
    ];
    case KONNECTIVITY_ROUTE: return [{ from: WORKERS, to, port, purpose: 'konnectivity agent' }];
    default: return [{ from: `clients of ${name}`, to, port, purpose: name }];
  }
}

/** The address of an entry, as it is called in the tables. */
export function addressOf(entry: string | undefined): string {
  return entry === undefined ? SHARED_ADDRESS : `address of the entry ${entry}`;
}

/** Of the tcp-proxy. Its own upstream need not be the public name. */
function proxyConnections({ tcpProxy, routes: [{ hostname }] }: ReportedControlPlane): Connection[] {
  if (!tcpProxy) {
    return [];
  }
  const { upstream, upstreamHost, upstreamPort, placement, listenPort, healthPort, advertiseAddresses } = tcpProxy;
  const nodes = placement === 'replicas' ? 'workers with a tcp-proxy' : WORKERS;
  const api = { from: 'pods and nodes of the tenant cluster', port: listenPort, purpose: 'kubernetes.default.svc' };
  return [
    { from: WORKERS, to: upstreamHost === hostname ? SHARED_ADDRESS : upstreamHost, port: upstreamPort, purpose: UPSTREAMS[upstream] },
    ...advertiseAddresses.length === 0
      ? [{ ...api, to: nodes }]
      : advertiseAddresses.map(address => ({ ...api, to: `${address} of the same node` })),
    { from: 'monitoring of the tenant cluster', to: nodes, port: healthPort, purpose: 'metrics and health of the tcp-proxy' },
  ];
}

function isOwn(route: string): boolean {
  return route === API_ROUTE || route === KONNECTIVITY_ROUTE;
}

/** By code points: an order that no locale changes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
