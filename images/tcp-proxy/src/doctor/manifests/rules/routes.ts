import { Fault, nameOf, Rule } from './rule';
import { ControlPlane } from '../model/control-plane';
import { Host, takes } from '../model/host';
import { KeysOf, lookUp } from '../model/lookup';
import { claimantsOf, destinationOf, isOwnedBy, isRelevant, Platform } from '../model/platform';
import { Route } from '../model/route';

const IN_CLUSTER_NAME = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

export const apiWithoutRoute: Rule = {
  code: 'HCP201',
  severity: 'error',
  title: 'no route takes the API host',
  check: platform => platform.controlPlanes
    .filter(({ exposure, api }) => exposure !== 'none' && api !== undefined)
    .filter(controlPlane => !isRouted(controlPlane.api!, controlPlane, platform))
    .map(({ source, api, system }) => ({
      source,
      field: api!.path,
      message: `no route takes ${api!.host}: ${system}'s own one is for a class that nobody handles, and no other object has the host`,
      remedy: `Add a passthrough route for ${api!.host}, or give a class that a controller handles`,
    })),
};

export const konnectivityWithoutRoute: Rule = {
  code: 'HCP202',
  severity: 'error',
  title: 'no route takes the konnectivity host',
  check: platform => platform.controlPlanes
    .filter(({ exposure, konnectivity }) => exposure !== 'none' && konnectivity.enabled && konnectivity.host !== undefined)
    .filter(controlPlane => !isRouted(controlPlane.konnectivity.host!, controlPlane, platform))
    .map(({ source, konnectivity: { host }, system }) => ({
      source,
      field: host!.path,
      message: `no route takes ${host!.host}; ${system} makes none for it, and agents fail with "expected one server ID in the context, got []" (clastix/kamaji#1050)`,
      remedy: `Add a passthrough route for ${host!.host} to the konnectivity port of the Service`,
    })),
};

export const wrongService: Rule = {
  code: 'HCP203',
  severity: 'error',
  title: "a route leads a control plane's host to another Service",
  check: platform => platform.routes.flatMap(route => {
    if (route.byOperator || route.backend === undefined || route.host === undefined) return [];
    const { namespace, service } = route.backend;
    const claimants = claimantsOf(route, platform).filter(({ service: own }) => own !== undefined);
    const right = claimants.some(({ service: own }) => own!.namespace === namespace && own!.name === service);
    if (right || route.host.host.startsWith('*')) return [];
    return claimants
      .map(({ source, service: own }) => ({
        source: route.source,
        field: route.path,
        message: `${route.host!.host} is a host of ${nameOf(source)}, but leads to Service ${namespace}/${service}` +
          (destinationOf(route, platform) ? ', which is another control plane' : ''),
        remedy: `Lead it to Service ${own!.namespace}/${own!.name}`,
      }));
  }),
};

export const wrongPort: Rule = {
  code: 'HCP204',
  severity: 'error',
  title: 'a route leads to a port that is not that of the server',
  check: platform => platform.routes.flatMap(route => {
    const port = route.backend?.port;
    const service = destinationOf(route, platform)?.service;
    if (route.byOperator || typeof port?.value !== 'number' || service === undefined) return [];
    const { api, konnectivity } = destinationOf(route, platform)!;
    const isApi = route.host !== undefined && api !== undefined && takes(route.host.host, api.host);
    const isKonnectivity = route.host !== undefined && konnectivity.host !== undefined && takes(route.host.host, konnectivity.host.host);
    const wanted = [...isApi ? [service.apiPort] : [], ...isKonnectivity ? [service.konnectivityPort] : []];
    if (wanted.length === 0 || wanted.includes(port.value)) return [];
    return [{
      source: route.source,
      field: port.path,
      message: `${route.host!.host} leads to port ${port.value}, but the ${isApi ? 'API server' : 'konnectivity server'} has ${wanted[0]} of Service ` +
        `${service.namespace}/${service.name}`,
      remedy: `Write ${wanted[0]}`,
    }];
  }),
};

export const hostTwice: Rule = {
  code: 'HCP205',
  severity: 'error',
  title: 'two objects take one host at the same entry point',
  check: platform => {
    const first = new Map<string, Route>();
    return platform.routes.flatMap((route): Fault[] => {
      // What stands in every tenant has a rule of its own.
      if (route.host === undefined || IN_CLUSTER_NAME.test(route.host.host) || !isRelevant(route, platform)) return [];
      const key = `${entryPoint(route, platform)} ${route.host.host}`;
      const other = first.get(key);
      if (other === undefined) {
        first.set(key, route);
        return [];
      }
      const same = (nameOf(other.source) === nameOf(route.source) && other.path === route.path)
        || isOwnedBy(route.source, other.source) || isOwnedBy(other.source, route.source);
      return same ? [] : [{
        source: route.source,
        field: route.path,
        message: `${route.host.host} is also taken by ${describe(other)} at ${route.entry}`,
        remedy: route.byOperator || other.byOperator
          ? 'Leave one: give the control plane an ingress class that nobody handles, or take the other object away'
          : 'Leave one object for each host',
      }];
    });
  },
};

export const inClusterName: Rule = {
  code: 'HCP206',
  severity: 'error',
  title: 'a route at the shared address takes names that every tenant has',
  check: platform => {
    const seen = new Set<string>();
    return platform.routes.filter(({ host }) => host !== undefined && IN_CLUSTER_NAME.test(host.host)).flatMap(route => {
      const key = nameOf(route.source);
      if (seen.has(key)) return [];
      seen.add(key);
      return [{
        source: route.source,
        field: route.path,
        message: `${route.host!.host} ${route.byOperator ? 'is taken by the IngressRouteTCP that Steward makes for Traefik' : 'is taken'}: ` +
          'pods of every tenant ask for it, so clients of one tenant reach another',
        remedy: route.byOperator
          ? 'Set controllerType: generic with an ingressClassName that nobody handles, and make the two IngressRouteTCP yourself'
          : 'Take the kubernetes* names away; a tcp-proxy in the tenant asks for the public host',
      }];
    });
  },
};

export const everyHost: Rule = {
  code: 'HCP207',
  severity: 'error',
  title: 'a route takes every host, or a wildcard, and leads to one control plane',
  check: platform => platform.routes
    .filter(route => !route.byOperator && !route.opaque && destinationOf(route, platform) !== undefined)
    .filter(({ host }) => host === undefined || host.host.startsWith('*'))
    .map(route => ({
      source: route.source,
      field: route.path,
      message: `${route.host === undefined ? 'every host' : route.host.value} leads to ${nameOf(destinationOf(route, platform)!.source)}, ` +
        'also clients without SNI and those of tenants whose own route is missing',
      remedy: 'Name the host of the control plane',
    })),
};

export const staleHost: Rule = {
  code: 'HCP208',
  severity: 'warning',
  title: 'a route leads a host to a control plane that does not have it',
  check: platform => platform.routes
    .filter(route => !route.byOperator && route.host !== undefined && !route.host.host.startsWith('*') && !IN_CLUSTER_NAME.test(route.host.host))
    .flatMap(route => {
      const destination = destinationOf(route, platform);
      if (destination?.api === undefined || claimantsOf(route, platform).length > 0) return [];
      const covered = destination.sans?.value.some(san => takes(san.toLowerCase(), route.host!.host));
      return covered ? [] : [{
        source: route.source,
        field: route.path,
        message: `${route.host!.host} leads to ${nameOf(destination.source)}, whose hosts are ${hostsOf(destination).join(' and ')}, and which has no such SAN`,
        remedy: 'Write one of its hosts, or take the route away if the host is an old one',
      }];
    }),
};

function isRouted({ host }: Host, { service }: ControlPlane, platform: Platform): boolean {
  const patterns = lookUp(platform.routes, byHost, PATTERN).some(route => route.opaque
    ? service !== undefined && route.backend?.service === service.name && route.backend.namespace === service.namespace
    : route.host !== undefined && takes(route.host.host, host));
  // An object of a controller that is not known here may be the route.
  return patterns || lookUp(platform.routes, byHost, host).length > 0 || platform.unknownText.includes(`"${host}"`);
}

/** Key of the routes that take more than one host. */
const PATTERN = '*';
const byHost: KeysOf<Route> = ({ host, opaque }) => (opaque || host?.host.startsWith('*') ? [PATTERN] : host ? [host.host] : []);

/** Class and product: several objects of one class are read by one controller. Listeners of a Gateway that share a port share it too. */
function entryPoint({ entry }: Route, platform: Platform): string {
  const [kind, gateway, section] = entry.split(' ');
  if (kind !== 'Gateway') return entry;
  const listener = platform.listeners.find(({ source, name }) => `${source.namespace}/${source.name}` === gateway && name === section);
  return listener ? `Gateway ${gateway} port ${listener.port}` : entry;
}

function describe({ source, byOperator }: Route): string {
  return byOperator ? `the route that the operator makes for ${nameOf(source)}` : nameOf(source);
}

function hostsOf({ api, konnectivity }: ControlPlane): string[] {
  return [api, konnectivity.host].flatMap(host => (host ? [host.host] : []));
}
