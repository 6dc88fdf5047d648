import { Fault, nameOf, Rule } from './rule';
import { pick, pickList, pickNumber, pickText, pickTexts } from '../../manifests/fields';
import { Host, takes } from '../../manifests/host';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { claimantsOf, destinationOf, Platform } from '../../manifests/platform';
import { TRAEFIK_ENTRY } from '../../manifests/read-routes';
import { Route } from '../../manifests/route';
import { Source } from '../../manifests/source';
import { argumentsOf } from '../../manifests/traefik-rule';

/** A route that leads a host of a control plane there. */
type HostRoute = Route & { readonly host: Host };

export const foreignWildcard: Rule = {
  code: 'HCP209',
  severity: 'error',
  title: 'a foreign wildcard takes the host of a control plane',
  check: platform => {
    const own = hostRoutes(platform);
    return platform.routes
      // HAProxy Technologies' controller looks wildcards up before exact hosts; others match exact hosts first.
      .filter(route => route.source.kind === 'Ingress' && route.host?.host.startsWith('*.') && route.passthrough.state === 'yes')
      .filter(route => destinationOf(route, platform) === undefined)
      .flatMap(route => {
        const taken = own.find(({ host, entry }) => entry === route.entry && takes(route.host!.host, host.host));
        return taken === undefined ? [] : [{
          source: route.source,
          field: route.path,
          message: `${route.host!.value} takes ${taken.host.host} of ${nameOf(taken.source)} too, whose clients end at ${backendText(route)}, whatever networks it allows`,
          remedy: 'Give control planes a domain of their own, and keep wildcards below it to whom you trust',
        }];
      });
  },
};

export const higherPriority: Rule = {
  code: 'HCP210',
  severity: 'error',
  title: 'a route of a higher priority takes the host of a control plane',
  check: platform => {
    const own = hostRoutes(platform).filter(({ priority }) => priority !== undefined);
    return platform.routes.filter(route => route.priority !== undefined && destinationOf(route, platform) === undefined).flatMap(route => {
      const taken = own.find(({ host, entry, priority }) => mayMeet(entry, route.entry) && route.priority! > priority!
        && (route.host === undefined ? hasPriority(route) : route.host.host.startsWith('*') && takes(route.host.host, host.host)));
      return taken === undefined ? [] : [{
        source: route.source,
        field: route.path.replace(/match$/, 'priority'),
        message: `${route.priority} is more than the ${taken.priority} of ${nameOf(taken.source)}, so clients of ${taken.host.host} may end at ${backendText(route)}`,
        remedy: `Give it less than ${taken.priority}, or an entry point of its own`,
      }];
    });
  },
};

/** A pattern that is only long may be for quite other hosts; one that has a priority is meant to win. */
function hasPriority({ source, path }: Route): boolean {
  const i = /\[(\d+)\]/.exec(path)?.[1];
  return i !== undefined && Boolean(pickNumber(source.object, `spec.routes.${i}.priority`));
}

export const httpForHost: Rule = {
  code: 'HCP306',
  severity: 'error',
  title: 'an object for HTTP takes the host of a passthrough route',
  check: platform => {
    const own = hostRoutes(platform).filter(({ passthrough }) => passthrough.state === 'yes');
    return platform.sources.flatMap(source => httpHosts(source, platform).flatMap(({ host, path, meets }): Fault[] => {
      const taken = (host.startsWith('*') ? own.filter(route => takes(host, route.host.host)) : lookUp(own, byHost, host)).find(meets);
      return taken === undefined ? [] : [{
        source,
        field: path,
        message: `${host} is for HTTP here, so TLS of ${taken.host.host} may be opened in the place of ${nameOf(taken.source)}: client certificates are lost`,
        remedy: 'Take the host away, or give the object an address, a port or an entry point of its own',
      }];
    }));
  },
};

interface HttpHost {
  readonly host: string;
  readonly path: string;
  /** Whether clients of the route may meet it. */
  meets(route: Route): boolean;
}

function httpHosts(source: Source, platform: Platform): HttpHost[] {
  switch (`${source.apiVersion.split('/')[0]} ${source.kind}`) {
    case 'traefik.io IngressRoute': return traefikHosts(source);
    case 'k8s.nginx.org VirtualServer': {
      const host = pickText(source.object, 'spec.host')?.toLowerCase();
      return host === undefined ? [] : [{ host, path: 'spec.host', meets: ({ entry }) => entry.startsWith('F5 NGINX') }];
    }
    case 'networking.istio.io Gateway': return istioHosts(source, platform);
    case 'gateway.networking.k8s.io HTTPRoute':
    case 'gateway.networking.k8s.io GRPCRoute': return gatewayHosts(source);
    default: return [];
  }
}

function traefikHosts(source: Source): HttpHost[] {
  const entryPoints = pickTexts(source.object, 'spec.entryPoints');
  const entries = entryPoints.length > 0 ? entryPoints.map(name => `${TRAEFIK_ENTRY} ${name}`) : [`${TRAEFIK_ENTRY} every entry point`];
  return pickList(source.object, 'spec.routes').flatMap((route, i) =>
    argumentsOf(pickText(route, 'match') ?? '', 'Host').filter(Boolean).map(host => ({
      host: host.toLowerCase(),
      path: `spec.routes[${i}].match`,
      meets: ({ entry }: Route) => entries.some(own => mayMeet(own, entry)),
    })));
}

function istioHosts(source: Source, { sources }: Platform): HttpHost[] {
  return pickList(source.object, 'spec.servers').flatMap((server, i) => {
    const mode = pickText(server, 'tls.mode');
    if (mode === undefined || mode === 'PASSTHROUGH' || mode === 'AUTO_PASSTHROUGH') return [];
    return pickTexts(server, 'hosts').map(written => ({
      host: written.slice(written.indexOf('/') + 1).toLowerCase(),
      path: `spec.servers[${i}].hosts`,
      meets: ({ entry }: Route) => entry.startsWith('Istio gateway ') && sources.some(gateway => `Istio gateway ${gateway.namespace}/${gateway.name}` === entry
        && gateway.kind === 'Gateway' && gateway.apiVersion === source.apiVersion && sameAddress(gateway, source, pick(server, 'port.number'))),
    }));
  });
}

/** Whether two Gateways of Istio configure the same pods, and the port passes TLS through in the other one. */
function sameAddress(gateway: Source, other: Source, port: unknown): boolean {
  const selectorOf = (source: Source) => JSON.stringify(Object.entries(pick(source.object, 'spec.selector') ?? {}).sort());
  return selectorOf(gateway) === selectorOf(other)
    && pickList(gateway.object, 'spec.servers').some(server => pick(server, 'tls.mode') === 'PASSTHROUGH' && pick(server, 'port.number') === port);
}

function gatewayHosts(source: Source): HttpHost[] {
  const gateways = pickList(source.object, 'spec.parentRefs').map(parent => `Gateway ${pickText(parent, 'namespace') ?? source.namespace}/${pickText(parent, 'name')}`);
  return pickTexts(source.object, 'spec.hostnames').filter(host => !host.startsWith('*')).map((host, i) => ({
    host: host.toLowerCase(),
    path: `spec.hostnames[${i}]`,
    meets: ({ entry }: Route) => gateways.some(gateway => entry === gateway || entry.startsWith(`${gateway} `)),
  }));
}

function mayMeet(a: string, b: string): boolean {
  const every = `${TRAEFIK_ENTRY} every entry point`;
  return a === b || (a === every && b.startsWith(TRAEFIK_ENTRY)) || (b === every && a.startsWith(TRAEFIK_ENTRY));
}

function hostRoutes(platform: Platform): HostRoute[] {
  return platform.routes.filter((route): route is HostRoute => route.host !== undefined && !route.host.host.startsWith('*') && claimantsOf(route, platform).length > 0
    && (route.byOperator || destinationOf(route, platform) !== undefined));
}

function backendText({ backend }: Route): string {
  return backend ? `Service ${backend.namespace}/${backend.service}` : 'another server';
}

const byHost: KeysOf<HostRoute> = ({ host }) => [host.host];
