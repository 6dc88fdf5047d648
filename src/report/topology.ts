import { BY_HOST, BY_PORT, OWN_ADDRESS } from './found-by';
import { mermaidLabel } from './mermaid-text';
import { addressOf } from './ports';
import { ReportedControlPlane } from './report-document';
import { API_ROUTE, KONNECTIVITY_ROUTE } from '../model/exposure';

const UPSTREAMS: { readonly [upstream: string]: string } = { 'sni': 'SNI', 'shared-gateway': 'PROXY v2', 'direct': 'direct', 'tunnel': 'tunnel' };

/** So many ports are named where others are counted. */
const NAMED_PORTS = 3;

/** Mermaid wraps lines of nodes at 200 pixels, which host names are longer than. */
const CONFIG = ['---', 'config:', '  flowchart:', '    wrappingWidth: 500', '---'];

/** A line of the diagram from one node to another. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly labels?: string[];
}

/**
 * The Mermaid flowchart of a whole platform: everybody to the shared address, and the SNI hosts from there.
 *
 * @param limit above so many control planes there is one node for each namespace, and above so many namespaces one for
 * all the others
 */
export function platformTopology(controlPlanes: ReportedControlPlane[], sharedAddresses: string[], limit: number): string[] {
  const groups = controlPlanes.length <= limit ? controlPlanes.map(single) : byNamespace(controlPlanes, limit);
  const entries = distinct(controlPlanes.flatMap(entryNames)).sort();
  return flowchart([
    'admins["kubectl, CI"]',
    'subgraph tenants["tenant clusters"]',
    '  workers["kubelets,<br/>konnectivity agents"]',
    ...controlPlanes.some(({ tcpProxy }) => tcpProxy) ? ['  proxies["tcp-proxies"]'] : [],
    'end',
    'subgraph management["management cluster"]',
    `  edge[${edgeLabel(sharedAddresses)}]`,
    ...entryNodes(entries),
    ...groups.map(({ label, hosts }, i) => `  group${i}[${mermaidLabel(...label, ...hosts)}]`),
    'end',
  ], [
    ...clientEdges(controlPlanes),
    ...groups.map((_, i) => ({ from: 'edge', to: `group${i}` })),
    ...entries.flatMap((entry, i) => [
      ...entryClients(controlPlanes, entry).map(from => ({ from, to: `entry${i}`, labels: foundByTexts(routesAt(controlPlanes, entry)) })),
      ...groups.flatMap(({ members }, of) => members.some(member => entryNames(member).includes(entry)) ? [{ from: `entry${i}`, to: `group${of}` }] : []),
    ]),
    ...groups.flatMap(({ members }, i) => directUpstreams(members).map(upstream => ({ from: 'proxies', to: `group${i}`, labels: [upstream] }))),
  ]);
}

/** The Mermaid flowchart of one tenant: from its pods and nodes, route by route. */
export function tenantTopology(controlPlane: ReportedControlPlane, sharedAddresses: string[]): string[] {
  const { routes, tcpProxy } = controlPlane;
  const entries = entryNames(controlPlane);
  const edgeOf = ({ entry }: { readonly entry?: string }) => entry === undefined ? 'edge' : `entry${entries.indexOf(entry)}`;
  const [api] = routes;
  const konnectivity = routes.find(({ name }) => name === KONNECTIVITY_ROUTE);
  const others = routes.filter(route => route !== api && route !== konnectivity);
  return flowchart([
    'admins["kubectl, CI"]',
    'subgraph tenant["tenant cluster"]',
    ...tcpProxy ? [`  proxy[${mermaidLabel('tcp-proxy', `port ${tcpProxy.listenPort}, ${placementText(tcpProxy)}`)}]`, '  pods["pods"]'] : [],
    '  kubelets["kubelets"]',
    ...konnectivity ? ['  agents["konnectivity agents"]'] : [],
    'end',
    ...others.map(({ name }, i) => `clients${i}[${mermaidLabel(`clients of ${name}`)}]`),
    'subgraph management["management cluster"]',
    `  edge[${edgeLabel(sharedAddresses)}]`,
    ...entryNodes(entries),
    ...routes.map(({ name, hostname, serviceNamespace, serviceName, servicePort }, i) =>
      `  route${i}[${mermaidLabel(name, hostname, `Service ${serviceNamespace}/${serviceName}`, `port ${servicePort}`)}]`),
    'end',
  ], [
    ...tcpProxy ? [{ from: 'pods', to: 'proxy', labels: ['kubernetes.default.svc'] }, proxyEdge(tcpProxy, api.hostname)] : [],
    ...['admins', 'kubelets'].map(from => ({ from, to: api.foundBy === OWN_ADDRESS ? 'route0' : 'edge', labels: foundByTexts([api]) })),
    ...konnectivity ? [{ from: 'agents', to: edgeOf(konnectivity), labels: foundByTexts([konnectivity]) }] : [],
    ...others.map((route, i) => ({ from: `clients${i}`, to: edgeOf(route), labels: foundByTexts([route]) })),
    ...routes.flatMap((route, i) => route.foundBy === OWN_ADDRESS ? [] : [{ from: edgeOf(route), to: `route${i}` }]),
  ]);
}

function entryNames({ entries = [] }: ReportedControlPlane): string[] {
  return entries.map(({ name }) => name);
}

function entryNodes(entries: string[]): string[] {
  return entries.map((entry, i) => `  entry${i}[${mermaidLabel(addressOf(entry))}]`);
}

function routesAt(controlPlanes: ReportedControlPlane[], at: string): ReportedControlPlane['routes'] {
  return controlPlanes.flatMap(({ routes }) => routes).filter(({ entry }) => entry === at);
}

/** Who connects to an entry: agents to that of konnectivity, people and programs to the others. */
function entryClients(controlPlanes: ReportedControlPlane[], entry: string): string[] {
  return routesAt(controlPlanes, entry).some(({ name }) => name === KONNECTIVITY_ROUTE) ? ['workers'] : ['admins'];
}

/** Control planes that share a node of the diagram. */
interface Group {
  readonly label: string[];
  readonly hosts: string[];
  readonly members: ReportedControlPlane[];
}

function single(controlPlane: ReportedControlPlane): Group {
  const { name, namespace, dnsNames } = controlPlane;
  return { label: [`${namespace}/${name}`], hosts: dnsNames, members: [controlPlane] };
}

function byNamespace(controlPlanes: ReportedControlPlane[], limit: number): Group[] {
  const namespaces = new Map<string, ReportedControlPlane[]>();
  for (const controlPlane of controlPlanes) {
    const members = namespaces.get(controlPlane.namespace) ?? [];
    namespaces.set(controlPlane.namespace, members);
    members.push(controlPlane);
  }
  const groups = [...namespaces].map(([namespace, members]) => grouped(`namespace ${namespace}`, members));
  if (groups.length <= limit) {
    return groups;
  }
  const others = groups.slice(limit - 1);
  return [...groups.slice(0, limit - 1), grouped(`${others.length} further namespaces`, others.flatMap(({ members }) => members))];
}

function grouped(title: string, members: ReportedControlPlane[]): Group {
  const hosts = members.reduce((count, { dnsNames }) => count + dnsNames.length, 0);
  return { label: [title, `control planes: ${members.length}`], hosts: [`SNI hosts: ${hosts}`], members };
}

/** From the clients of all control planes, each kind once. */
function clientEdges(controlPlanes: ReportedControlPlane[]): Edge[] {
  const found = (names: string[]) => foundByTexts(controlPlanes.flatMap(({ routes }) => routes)
    .filter(({ name, entry, foundBy }) => names.includes(name) && entry === undefined && foundBy !== OWN_ADDRESS));
  const edge = (from: string, labels: string[]) => labels.length > 0 ? [{ from, to: 'edge', labels }] : [];
  const proxies = distinct(controlPlanes.flatMap(({ tcpProxy }) =>
    tcpProxy && tcpProxy.upstream !== 'direct' ? [upstreamText(tcpProxy.upstream, tcpProxy.upstreamPort)] : [])).sort();
  return controlPlanes.length === 0 ? [] : [
    ...edge('admins', found([API_ROUTE])),
    ...edge('workers', found([API_ROUTE, KONNECTIVITY_ROUTE])),
    ...proxies.length > 0 ? [{ from: 'proxies', to: 'edge', labels: proxies }] : [],
  ];
}

/** How connections find routes, and their ports, e.g. `SNI, 443` and `port 30001`. */
function foundByTexts(routes: ReportedControlPlane['routes']): string[] {
  const ports = (...kinds: string[]) =>
    distinct(routes.filter(({ foundBy }) => kinds.includes(foundBy)).map(({ port }) => port)).sort((a, b) => a - b);
  const [hosts, numbers] = [ports(BY_HOST), ports(BY_PORT, OWN_ADDRESS)];
  return [
    ...hosts.length > 0 ? [`SNI, ${hosts.join(', ')}`] : [],
    ...numbers.length > NAMED_PORTS ? [`${numbers.length} ports, ${numbers[0]} to ${numbers[numbers.length - 1]}`]
      : numbers.length > 0 ? [`port ${numbers.join(', ')}`] : [],
  ];
}

/** A tcp-proxy with a direct upstream goes past the shared address. */
function directUpstreams(controlPlanes: ReportedControlPlane[]): string[] {
  const addresses = distinct(controlPlanes.flatMap(({ tcpProxy }) =>
    tcpProxy?.upstream === 'direct' ? [`${tcpProxy.upstreamHost}, ${tcpProxy.upstreamPort}`] : []));
  return addresses.length > 1 ? [`direct: ${addresses.length} addresses`] : addresses;
}

function proxyEdge({ upstream, upstreamHost, upstreamPort }: NonNullable<ReportedControlPlane['tcpProxy']>, apiHost: string): Edge {
  const host = upstreamHost === apiHost ? [] : [upstreamHost];
  return { from: 'proxy', to: upstream === 'direct' ? 'route0' : 'edge', labels: [...host, upstreamText(upstream, upstreamPort)] };
}

function upstreamText(upstream: string, port: number): string {
  return `${UPSTREAMS[upstream]}, ${port}`;
}

/** Where the proxies of a tenant run. */
export function placementText({ placement, replicas }: NonNullable<ReportedControlPlane['tcpProxy']>): string {
  return replicas === undefined ? `every node${placement === 'static-pod' ? ' (static pod)' : ''}` : `${replicas} node${replicas === 1 ? '' : 's'}`;
}

function edgeLabel(sharedAddresses: string[]): string {
  return mermaidLabel('shared address', ...sharedAddresses);
}

function flowchart(nodes: string[], edges: Edge[]): string[] {
  return [
    '```mermaid',
    ...CONFIG,
    'flowchart LR',
    ...[...nodes, ...edges.map(({ from, to, labels }) => `${from} -->${labels ? `|${mermaidLabel(...labels)}|` : ''} ${to}`)].map(line => `  ${line}`),
    '```',
  ];
}

function distinct<T>(items: T[]): T[] {
  return [...new Set(items)];
}
