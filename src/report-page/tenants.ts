import { counted, grouped, Html, html, table } from './html';
import { LiveFacts, LiveTenant, liveByTenant } from './live-facts';
import { PageControlPlane, PageDocument, PageRoute } from './page-document';
import { day } from './summary';

/** A page of so few tenants shows them unfolded as far as their lines. */
const SHOWN_AT_ONCE = 50;

/** What people call how connections find a route. */
export const FOUND_BY: { readonly [foundBy: string]: string } = { 'sni': 'SNI host', 'port': 'port', 'own-address': 'own address' };

/** Every tenant below its namespace, to be searched and folded; without a script all of it is there, folded by namespaces. */
export function tenantsSection({ controlPlanes }: PageDocument, live: LiveFacts | undefined): Html {
  const seen = liveByTenant(live);
  const namespaces = byNamespace(controlPlanes);
  return html`<section id="tenants"><h2>Tenants</h2>
<div class="controls" hidden>
<input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="name, host, version, platform, address …" aria-label="Search tenants">
<output id="found" for="search"></output>
<button id="unfold" type="button">Unfold namespaces</button>
<button id="fold" type="button">Fold all</button>
</div>
${[...namespaces].map(([namespace, members], i) => html`
<details class="namespace" id="n${i}"${open(controlPlanes.length <= SHOWN_AT_ONCE)}>
<summary><strong>${namespace}</strong> <span>${counted(members.length, 'tenant')}</span> ${brokenAmong(members, seen)}</summary>
${members.map(member => tenant(member, seen.get(`${member.namespace}/${member.name}`)))}
</details>`)}
<p id="nothing" hidden>No tenant has that.</p>
</section>`;
}

/** In the order of the document. */
export function byNamespace(controlPlanes: readonly PageControlPlane[]): Map<string, PageControlPlane[]> {
  const namespaces = new Map<string, PageControlPlane[]>();
  for (const controlPlane of controlPlanes) {
    const members = namespaces.get(controlPlane.namespace) ?? [];
    namespaces.set(controlPlane.namespace, members);
    members.push(controlPlane);
  }
  return namespaces;
}

function open(is: boolean): Html {
  return is ? html` open` : html``;
}

function brokenAmong(members: readonly PageControlPlane[], seen: ReadonlyMap<string, LiveTenant>): Html | undefined {
  const broken = members.filter(({ namespace, name }) => seen.get(`${namespace}/${name}`)?.healthy === false).length;
  return broken > 0 ? html`<span class="bad">${grouped(broken)} not healthy</span>` : undefined;
}

function tenant(controlPlane: PageControlPlane, live: LiveTenant | undefined): Html {
  const { name, routes, platform, kubernetesVersion, replicas, kubernetesService, certSans = [] } = controlPlane;
  return html`<details class="tenant">
<summary><span class="name">${name}</span>
<span class="host">${routes[0]?.hostname ?? controlPlane.kubeconfigServer}</span>
<span>${platform}</span>
<span>${kubernetesVersion}</span>
<span>${kubernetesService?.way}</span>
${live && html`<span class="${live.healthy ? 'good' : 'bad'}">${live.healthy ? 'healthy' : 'not healthy'}</span>`}</summary>
${live && liveFacts(live)}
${table(['route', 'host', 'found by', 'port', 'leads to'], routes.map(route => [route.name, html`<code>${route.hostname}</code>`, FOUND_BY[route.foundBy] ?? route.foundBy, route.port, destination(route)]))}
<dl>
${fact('kubeconfig server', controlPlane.kubeconfigServer)}
${fact('platform', [platform, kubernetesVersion && `Kubernetes ${kubernetesVersion}`, replicas !== undefined && counted(replicas, 'API server')].filter(Boolean).join(', '))}
${fact('ingress controller', controlPlane.controller)}
${fact('cluster ID', controlPlane.clusterId)}
${fact('pods reach the API server by', kubernetesService && [kubernetesService.description, ...kubernetesService.endpoints].join(' '))}
${fact('TLS opened on the way', kubernetesService && yesNo(kubernetesService.opensTls))}
${fact('client certificates of pods', kubernetesService?.clientCertificates === undefined ? undefined : kubernetesService.clientCertificates ? 'arrive' : 'are lost; tokens work')}
${fact('who can be the API server', kubernetesService?.apiServerKeys)}
${fact('way to the nodes', controlPlane.nodes)}
${fact('tcp-proxy', proxyText(controlPlane))}
${fact('certificate SANs', certSans.join(', '))}
</dl>
</details>`;
}

/** What was seen of it. */
function liveFacts({ summary, faults, certificates, readyReplicas }: LiveTenant): Html {
  return html`<p class="seen">${summary}
${certificates.map(({ of, validUntil }) => ` Certificate of the ${of} until ${day(validUntil)}.`)}
${readyReplicas !== undefined && ` ${counted(readyReplicas, 'API server')} ready.`}</p>
${faults.length > 0 && html`<ul>${faults.map(({ hop, status, detail, remedy }) => html`
<li><strong class="bad">${hop}</strong> ${status}: ${detail}. ${remedy}</li>`)}</ul>`}`;
}

function destination({ serviceNamespace, serviceName, servicePort }: PageRoute): Html | string {
  return serviceName === undefined ? 'what its operator makes' : html`Service <code>${serviceNamespace}/${serviceName}</code>${servicePort !== undefined && ` port ${servicePort}`}`;
}

function proxyText({ tcpProxy }: PageControlPlane): string | undefined {
  if (!tcpProxy) {
    return undefined;
  }
  const { namespace, name, placement, replicas, upstream, upstreamHost, upstreamPort, certificate } = tcpProxy;
  const where = replicas === undefined ? `on every node${placement === 'static-pod' ? ' (static pod)' : ''}` : `on ${counted(replicas, 'node')}`;
  return `${namespace}/${name} ${where}, ${upstream} to ${upstreamHost} port ${upstreamPort}${certificate === undefined ? '' : `, certificate: ${certificate}`}`;
}

function fact(name: string, value: string | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : html`<dt>${name}</dt><dd>${value}</dd>`;
}

function yesNo(yes: boolean | undefined): string {
  return yes === undefined ? UNKNOWN : yes ? 'yes' : 'no';
}

const UNKNOWN = 'not known';
