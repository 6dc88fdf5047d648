import { counted, grouped, Html, html } from './html';
import { daysLeft, LiveFacts } from './live-facts';
import { PageControlPlane, PageDocument } from './page-document';
import { most, tally } from './tally';

const SHOWN_VALUES = 6;
const UNKNOWN = 'not known';
const MONTHS = 12;

/** The numbers that somebody asks for first. */
export function tiles({ controlPlanes, costs }: PageDocument, live: LiveFacts | undefined): Html {
  const versions = [...new Set(controlPlanes.flatMap(({ kubernetesVersion }) => kubernetesVersion ?? []))].sort(byVersion);
  const servers = controlPlanes.reduce((sum, { replicas = 0 }) => sum + replicas, 0);
  // Who has an address of its own pays for it.
  const sharing = controlPlanes.filter(({ routes: [api] }) => api && api.foundBy !== 'own-address').length;
  const saved = costs && MONTHS * (sharing * costs.loadBalancerPerTenant - costs.sharedEdge);
  const opened = controlPlanes.filter(({ kubernetesService }) => kubernetesService?.opensTls);
  const certificates = live?.tenants.flatMap(tenant => tenant.certificates).sort((a, b) => a.validUntil < b.validUntil ? -1 : 1);
  return html`<div class="tiles">
${tile(grouped(controlPlanes.length), controlPlanes.length === 1 ? 'control plane' : 'control planes', `in ${counted(new Set(controlPlanes.map(({ namespace }) => namespace)).size, 'namespace')}`)}
${saved !== undefined && tile(`${grouped(Math.abs(saved))} ${costs!.currency}`, saved < 0 ? 'more in a year' : 'saved in a year', 'against a LoadBalancer for each tenant')}
${versions.length > 0 && tile(versions[versions.length - 1], 'newest Kubernetes', versions.length === 1 ? 'the only version' : `oldest ${versions[0]}`)}
${servers > 0 && tile(grouped(servers), servers === 1 ? 'API server' : 'API servers', `${counted(controlPlanes.filter(({ replicas }) => replicas === 1).length, 'tenant')} with one alone`)}
${controlPlanes.some(({ kubernetesService }) => kubernetesService) && tile(grouped(opened.length), opened.length === 1 ? 'tenant with opened TLS' : 'tenants with opened TLS', 'between pods and API server')}
${live && tile(`${grouped(live.tenants.filter(({ healthy }) => healthy).length)} of ${grouped(live.tenants.length)}`, 'healthy', `seen ${day(live.at)}`)}
${live && certificates && certificates.length > 0 && tile(day(certificates[0].validUntil), 'first certificate expires', inDays(daysLeft(certificates[0], live)))}
</div>`;
}

/** What somebody should look at; nothing where there is nothing. */
export function attention({ controlPlanes }: PageDocument, live: LiveFacts | undefined): Html | undefined {
  const count = (is: (controlPlane: PageControlPlane) => boolean) => controlPlanes.filter(is).length;
  const seen = live?.tenants ?? [];
  const expiring = live ? seen.filter(({ certificates }) => certificates.some(certificate => daysLeft(certificate, live) < EXPIRING_DAYS)).length : 0;
  const lines = ([
    [seen.filter(({ healthy }) => !healthy).length, 'not healthy when they were looked at'],
    [expiring, `with a certificate that ends within ${EXPIRING_DAYS} days`],
    [seen.filter(({ readyReplicas }) => readyReplicas === 0).length, 'without a ready API server'],
    [count(({ kubernetesService }) => kubernetesService?.description === 'none'), 'whose pods have no way to the API server that is known'],
    [count(({ nodes }) => nodes === 'none'), 'whose API server has no way to the nodes: no logs, exec and webhooks'],
    [count(({ tcpProxy }) => tcpProxy?.certificate === 'none'), 'with a tcp-proxy whose certificate nobody makes'],
    [count(({ replicas }) => replicas === 0), 'without an API server, as its number is 0'],
  ] as const).filter(([number]) => number > 0);
  return lines.length === 0 ? undefined : html`<ul class="attention">${lines.map(([number, text]) => html`
<li><strong>${counted(number, 'tenant')}</strong> ${text}</li>`)}
</ul>`;
}

/** Certificates that end sooner are worth a word. */
export const EXPIRING_DAYS = 30;

/** Platforms, versions, controllers, replicas and ways, each with how many there are. */
export function breakdown({ controlPlanes }: PageDocument): Html {
  const panel = (title: string, valueOf: (controlPlane: PageControlPlane) => string | undefined) => bars(title, controlPlanes, valueOf);
  return html`<div class="panels">
${panel('Platform', ({ platform }) => platform)}
${panel('Kubernetes', ({ kubernetesVersion }) => kubernetesVersion)}
${panel('Ingress controller', ({ controller }) => controller)}
${panel('API servers of a tenant', ({ replicas }) => replicas === undefined ? undefined : String(replicas))}
${panel('Way of pods to kubernetes.default.svc', ({ kubernetesService, tcpProxy }) =>
  kubernetesService && (kubernetesService.description === 'none' ? 'none that is known' : tcpProxy ? `tcp-proxy (${tcpProxy.upstream})` : kubernetesService.way))}
${panel('Way of the API server to nodes', ({ nodes }) => nodes)}
</div>`;
}

/** Nothing where nothing is known of any of them. */
function bars(
  title: string, controlPlanes: readonly PageControlPlane[], valueOf: (controlPlane: PageControlPlane) => string | undefined,
): Html | undefined {
  const counts = most(tally(controlPlanes, controlPlane => valueOf(controlPlane) ?? UNKNOWN), SHOWN_VALUES, values => `${values} others`);
  if (counts.every(([value]) => value === UNKNOWN)) {
    return undefined;
  }
  return html`<section class="panel"><h3>${title}</h3>${counts.map(([value, count]) => html`
<div class="row"><span class="value">${value}</span><span class="count">${grouped(count)}</span>
${bar(count, controlPlanes.length)}</div>`)}
</section>`;
}

/** A bar as long as its part of the whole. */
export function bar(part: number, whole: number, kind = ''): Html {
  const width = whole > 0 ? Math.max(1, Math.round(1000 * part / whole) / 10) : 0;
  return html`<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="100" height="6"/><rect class="part ${kind}" width="${width}" height="6"/></svg>`;
}

function tile(value: string, title: string, more: string): Html {
  return html`<div class="tile"><strong>${value}</strong><span>${title}</span><small>${more}</small></div>`;
}

/** A day of a time in ISO 8601. */
export function day(time: string): string {
  return time.slice(0, 10);
}

export function inDays(days: number): string {
  return days < 0 ? 'expired' : `in ${counted(days, 'day')}`;
}

function byVersion(a: string, b: string): number {
  const [left, right] = [a, b].map(version => version.split('.').map(number => parseInt(number, 10) || 0));
  return left.map((number, i) => number - (right[i] ?? 0)).find(difference => difference !== 0) ?? 0;
}
