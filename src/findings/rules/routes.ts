import { Fault, nameOf, Rule } from './rule';
import { isApiFoundByPort, isKonnectivityFoundByPort } from '../../manifests/by-port';
import { ControlPlane, mayBeAt, Server, serversOf } from '../../manifests/control-plane';
import { Host, takes } from '../../manifests/host';
import { KeysOf, lookUp } from '../../manifests/lookup';
import { isOwnedBy } from '../../manifests/owners';
import { claimantsOf, destinationOf, isRelevant, Platform } from '../../manifests/platform';
import { Backend, Route } from '../../manifests/route';

const IN_CLUSTER_NAME = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

export const apiWithoutRoute: Rule = {
  code: 'HCP201',
  severity: 'error',
  title: 'no route takes the API host',
  check: platform => platform.controlPlanes
    .filter(({ exposure, api }) => exposure !== 'none' && api !== undefined)
    .filter(controlPlane => !isRouted(controlPlane.api!, controlPlane, platform) && !isApiFoundByPort(controlPlane, platform))
    .map(({ source, api, system, described }) => ({
      source,
      field: api!.path,
      message: `no route takes ${api!.host}: ${described ? 'no' : `${system}'s own one is for a class that nobody handles, and no other`} object has the host`,
      remedy: `Add a passthrough route for ${api!.host}${described ? '' : ', or give a class that a controller handles'}`,
    })),
};

export const konnectivityWithoutRoute: Rule = {
  code: 'HCP202',
  severity: 'error',
  title: 'no route takes the konnectivity host',
  check: platform => platform.controlPlanes
    .filter(({ exposure, konnectivity }) => exposure !== 'none' && konnectivity.enabled && konnectivity.host !== undefined)
    .filter(controlPlane => !isRouted(controlPlane.konnectivity.host!, controlPlane, platform) && !isKonnectivityFoundByPort(controlPlane, platform))
    .map(({ source, konnectivity: { host }, system }) => ({
      source,
      field: host!.path,
      message: `no route takes ${host!.host}; ${system} makes none for it, and agents fail with "expected one server ID in the context, got []" (clastix/kamaji#1050)`,
      remedy: `Add a passthrough route for ${host!.host} to the konnectivity port of the Service`,
    })),
};

export const furtherWithoutRoute: Rule = {
  code: 'HCP211',
  severity: 'error',
  title: 'no route takes another host of a control plane',
  check: platform => platform.controlPlanes.flatMap(controlPlane => (controlPlane.furtherServers ?? [])
    .filter(({ host }) => host !== undefined && !isRouted(host, controlPlane, platform))
    .map(({ title, host }) => ({
      source: controlPlane.source,
      field: host!.path,
      message: `no route takes ${host!.host} of the ${title}`,
      remedy: `Add a passthrough route for ${host!.host}`,
    }))),
};

export const wrongService: Rule = {
  code: 'HCP203',
  severity: 'error',
  title: "a route leads a control plane's host to another Service",
  check: platform => platform.routes.flatMap(route => {
    if (route.byOperator || route.backend === undefined || route.host === undefined) return [];
    const { namespace, service } = route.backend;
    const wanted = claimantsOf(route, platform)
      .flatMap(({ source, ...of }) => serversFor(route.host!, { source, ...of }).map(server => ({ source, server })));
    const right = wanted.some(({ server }) => server.namespace === namespace && server.services.includes(service));
    if (right || route.host.host.startsWith('*')) return [];
    return wanted.map(({ source, server }) => ({
      source: route.source,
      field: route.path,
      message: `${route.host!.host} is a host of ${nameOf(source)}, but leads to Service ${namespace}/${service}` +
        (destinationOf(route, platform) ? ', which is that of another server' : ''),
      remedy: `Lead it to Service ${server.namespace}/${server.services[0]}`,
    }));
  }),
};

export const wrongPort: Rule = {
  code: 'HCP204',
  severity: 'error',
  title: 'a route leads to a port that is not that of the server',
  check: platform => [
    ...platform.routes.flatMap(route => {
      const destination = destinationOf(route, platform);
      if (route.byOperator || route.host === undefined || destination === undefined) return [];
      return portFaults(route, route.host.host, route.backend!, serversFor(route.host, destination));
    }),
    ...platform.clusterIds.flatMap(({ source, clusterId, namespace, service, port, path }) => {
      const destination = destinationOf({ backend: { namespace, service } }, platform);
      return destination === undefined ? [] : portFaults({ source }, `cluster ID ${clusterId}`, { namespace, service, port: { value: port, path } }, [serversOf(destination)[0]]);
    }),
    ...platform.tunnelRoutes.flatMap(({ source, commonName, namespace, service, port, path }) => {
      const destination = destinationOf({ backend: { namespace, service } }, platform);
      return destination === undefined ? [] : portFaults({ source }, `client certificate ${commonName}`, { namespace, service, port: { value: port, path } }, [serversOf(destination)[0]]);
    }),
    ...platform.portRoutes.flatMap(({ source, port, namespace, service, servicePort, path }) => {
      const destination = destinationOf({ backend: { namespace, service } }, platform);
      return destination === undefined || destination.service?.furtherPorts?.includes(servicePort) ? [] : portFaults({ source }, `port ${port}`, { namespace, service, port: { value: servicePort, path } }, serversOf(destination));
    }),
    ...platform.addressRoutes.flatMap(({ source, address, namespace, service, servicePort, path }) => {
      const destination = destinationOf({ backend: { namespace, service } }, platform);
      return destination === undefined ? [] : portFaults({ source }, `address ${address}`, { namespace, service, port: { value: servicePort, path } }, [serversOf(destination)[0]]);
    }),
  ],
};

function portFaults({ source }: Pick<Route, 'source'>, what: string, { namespace, service, port }: Backend, servers: Server[]): Fault[] {
  const there = servers.filter(server => server.namespace === namespace && server.services.includes(service));
  if (typeof port?.value !== 'number' || there.length === 0 || there.some(server => mayBeAt(server, port.value as number))) return [];
  return [{
    source,
    field: port.path,
    message: `${what} leads to port ${port.value}, but the ${there[0].title} has ${there[0].port} of Service ${namespace}/${service}`,
    remedy: `Write ${there[0].port}`,
  }];
}

/** The servers that a host, exact or with a wildcard, is for. */
function serversFor({ host }: Host, controlPlane: ControlPlane): Server[] {
  return serversOf(controlPlane).filter(server => server.host !== undefined && takes(host, server.host.host));
}

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
        || isOwnedBy(route.source, other.source, platform.sources) || isOwnedBy(other.source, route.source, platform.sources);
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
      // Another server beside it, which has hosts of its own.
      const port = route.backend?.port?.value;
      if (typeof port === 'number' && !serversOf(destination).some(server => server.port === port)) return [];
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
