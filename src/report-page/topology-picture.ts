import { counted, Html, html } from './html';
import { LiveFacts, liveByTenant } from './live-facts';
import { PageControlPlane, PageDocument } from './page-document';
import { most, tally } from './tally';
import { byNamespace } from './tenants';

/** So many boxes stand on the right; the others are in one. */
const MOST_GROUPS = 12;
const WIDTH = 1000;
const BOX = { width: 250, height: 36, gap: 6 };
const EDGE_WIDTH = 220;
/** As a box of the font's size holds them. */
const MOST_LETTERS = 30;

interface Box {
  readonly title: string;
  readonly more: string;
  readonly kind: string;
  /** Of the page, where it leads. */
  readonly anchor?: string;
}

/**
 * Who connects through the shared address to what: clients on the left, the address in the middle, control planes on the right, one box each
 * or, where there are many, one for each namespace.
 */
export function topologyPicture({ controlPlanes, sharedAddresses }: PageDocument, live: LiveFacts | undefined): Html {
  const clients = clientsOf(controlPlanes);
  const groups = groupsOf(controlPlanes, live);
  const height = Math.max(clients.length, groups.length, 3) * (BOX.height + BOX.gap) + BOX.gap;
  const top = (count: number, i: number) => (height - count * (BOX.height + BOX.gap) + BOX.gap) / 2 + i * (BOX.height + BOX.gap);
  const middle = height / 2;
  const [edgeLeft, edgeRight] = [(WIDTH - EDGE_WIDTH) / 2, (WIDTH + EDGE_WIDTH) / 2];
  const lines = Math.min(sharedAddresses.length, 2);
  return html`<svg class="topology" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Clients connect to the shared address, which leads to the control planes">
${clients.map((_, i) => curve(BOX.width, top(clients.length, i) + BOX.height / 2, edgeLeft, middle))}
${groups.map((_, i) => curve(edgeRight, middle, WIDTH - BOX.width, top(groups.length, i) + BOX.height / 2))}
<g class="edge"><rect x="${edgeLeft}" y="${middle - 45}" width="${EDGE_WIDTH}" height="90" rx="10"/>
<text class="title" x="${WIDTH / 2}" y="${middle - 8 * lines + 4}">shared address</text>
${sharedAddresses.slice(0, 2).map((address, i) => html`<text x="${WIDTH / 2}" y="${middle + 14 + 18 * i}">${shortened(i === 1 && sharedAddresses.length > 2 ? `and ${sharedAddresses.length - 1} more` : address)}</text>`)}</g>
${clients.map((client, i) => box(client, 0, top(clients.length, i)))}
${groups.map((group, i) => box(group, WIDTH - BOX.width, top(groups.length, i)))}
</svg>`;
}

function clientsOf(controlPlanes: readonly PageControlPlane[]): Box[] {
  const client = (title: string, members: readonly PageControlPlane[]): Box[] =>
    members.length === 0 ? [] : [{ title, more: `of ${counted(members.length, 'tenant')}`, kind: 'client' }];
  const routed = (name: string) => controlPlanes.filter(({ routes }) => routes.some(route => route.name === name && route.foundBy !== 'own-address'));
  const ways = tally(controlPlanes.filter(({ kubernetesService }) => kubernetesService), ({ kubernetesService }) => kubernetesService!.way);
  return [
    ...client('kubectl, CI and kubelets', routed('kube-apiserver')),
    ...client('konnectivity agents', routed('konnectivity-server')),
    ...ways.flatMap(([way]) => WAYS[way] === undefined ? [] : client(WAYS[way], controlPlanes.filter(({ kubernetesService, tcpProxy }) =>
      kubernetesService?.way === way && (way !== 'tcp-proxy' || (tcpProxy !== undefined && tcpProxy.upstream !== 'direct'))))),
  ];
}

const WAYS: { readonly [way: string]: string | undefined } = {
  'tcp-proxy': 'pods by a tcp-proxy', 'port': 'pods by a port', 'ipv6-address': 'pods by an IPv6 address', 'host-injection': 'pods by the public host',
};

function groupsOf(controlPlanes: readonly PageControlPlane[], live: LiveFacts | undefined): Box[] {
  const seen = liveByTenant(live);
  const kindOf = (members: readonly PageControlPlane[]) =>
    members.some(({ namespace, name }) => seen.get(`${namespace}/${name}`)?.healthy === false) ? 'broken' : 'served';
  const namespaces = byNamespace(controlPlanes);
  const anchors = new Map([...namespaces.keys()].map((namespace, i) => [namespace, `#n${i}`]));
  if (controlPlanes.length <= MOST_GROUPS) {
    return controlPlanes.map(each => ({
      title: each.name, more: [each.platform, each.kubernetesVersion].filter(Boolean).join(' ') || each.namespace, kind: kindOf([each]), anchor: anchors.get(each.namespace),
    }));
  }
  const counts = most(tally(controlPlanes, ({ namespace }) => namespace), MOST_GROUPS, () => '');
  return counts.map(([namespace, count]): Box => namespace === ''
    ? { title: `${namespaces.size - MOST_GROUPS + 1} further namespaces`, more: counted(count, 'tenant'), kind: 'served', anchor: '#tenants' }
    : { title: namespace, more: counted(count, 'tenant'), kind: kindOf(namespaces.get(namespace)!), anchor: anchors.get(namespace) });
}

function box({ title, more, kind, anchor }: Box, x: number, y: number): Html {
  const drawn = html`<g class="${kind}"><title>${title}</title><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/>
<text class="title" x="${x + 14}" y="${y + 15.5}">${shortened(title)}</text><text x="${x + 14}" y="${y + 29}">${shortened(more)}</text></g>`;
  return anchor === undefined ? drawn : html`<a href="${anchor}">${drawn}</a>`;
}

function curve(fromX: number, fromY: number, toX: number, toY: number): Html {
  const bend = (toX - fromX) / 2;
  return html`<path d="M${fromX} ${fromY}C${fromX + bend} ${fromY} ${toX - bend} ${toY} ${toX} ${toY}"/>`;
}

function shortened(text: string): string {
  return text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text;
}
