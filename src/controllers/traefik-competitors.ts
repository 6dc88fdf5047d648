import { Competitor, items, takesHost } from './competitors';
import { ingressClassOf } from '../manifests/ingress-class';
import { TRAEFIK } from '../manifests/ingress-controllers';
import { argumentsOf, traefikPriority } from '../manifests/traefik-rule';
import { PassthroughRoute } from '../model/exposure-props';

/** What decides whether Traefik prefers another object to a route. */
export interface TraefikRouting {
  /** Class that the provider is limited to. */
  readonly className?: string;
  /** Priority of the routes. */
  readonly priority: number;
  entryPointOf(route: PassthroughRoute): string;
}

const GROUPS = ['traefik.io', 'traefik.containo.us'];

/** The kinds that Traefik makes routers of. */
export const TRAEFIK_COMPETITORS = [
  ...GROUPS.flatMap(group => [`${group} IngressRoute`, `${group} IngressRouteTCP`]), 'networking.k8s.io Ingress', 'extensions Ingress',
];

/**
 * Which routes a manifest takes away. An HTTPS router for the host wins whatever the priorities; one of TCP wins by its own
 * (traefik/traefik, `ServeTCP` in `pkg/server/router/tcp/router.go`).
 */
export function traefikCompetitor({ kind, metadata, spec }: any, routing: TraefikRouting): Competitor | undefined {
  const { className } = routing;
  const classOf = ingressClassOf({ metadata, spec });
  if (className === undefined ? classOf !== undefined && classOf !== TRAEFIK.usualClass : classOf !== className) {
    return undefined;
  }
  if (kind === 'Ingress') {
    const hosts = items(spec?.rules).map(({ host }) => host);
    return ({ hostname }) => hosts.includes(hostname);
  }
  const entryPoints = items(spec?.entryPoints);
  const takes: ((hostname: string) => boolean)[] = items(spec?.routes)
    .filter(({ match }) => typeof match === 'string')
    .map(route => kind === 'IngressRoute' ? takenByHttp(route.match) : takenByTcp(spec, route, routing.priority));
  return route => (entryPoints.length === 0 || entryPoints.includes(routing.entryPointOf(route))) && takes.some(take => take(route.hostname));
}

/** The entry points that an object names. */
export function traefikEntryPointsOf({ metadata, spec }: any): string[] {
  const named = metadata?.annotations?.['traefik.ingress.kubernetes.io/router.entrypoints'];
  return [...items(spec?.entryPoints), ...typeof named === 'string' ? named.split(',').map(name => name.trim()) : []];
}

/** Only these become hosts of the TLS router; a rule without is one for every host, which comes after TCP. */
function takenByHttp(rule: string): (hostname: string) => boolean {
  const hosts = argumentsOf(rule, 'Host|HostSNI').map(lowerCase);
  return hostname => hosts.includes(hostname);
}

function takenByTcp(spec: any, route: { readonly match: string }, ours: number): (hostname: string) => boolean {
  const { match } = route;
  if (!spec.tls || traefikPriority(route) < ours) {
    return () => false;
  }
  const hosts = argumentsOf(match, 'HostSNI').map(lowerCase);
  const patterns = argumentsOf(match, 'HostSNIRegexp').map(expression);
  return hostname => hosts.some(host => takesHost(host, hostname)) || patterns.some(pattern => pattern?.test(hostname));
}

/** Traefik compares hosts so. */
function lowerCase(host: string): string {
  return host.toLowerCase();
}

/** Go's syntax is a little different from ours. */
function expression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
