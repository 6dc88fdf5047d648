import { Fault, nameOf, Rule } from './rule';
import { leadsTo, routesOfPort } from '../../manifests/by-port';
import { destinationOf, Platform } from '../../manifests/platform';
import { PublishedPort, publishedPorts } from '../../manifests/read-hypershift';
import { hasPortRange, PortRoute } from '../../manifests/read-shared-gateway';
import { Source } from '../../manifests/source';

export const portElsewhere: Rule = {
  code: 'HCP634',
  severity: 'error',
  title: 'a port of the shared address leads to two servers, or to another one than its node port says',
  check: platform => [...nodePortsWithoutRoute(platform), ...portsOfOtherServers(platform)],
};

/** The nodes dial the node port at the shared address, so the gateway must have that very port. */
function nodePortsWithoutRoute(platform: Platform): Fault[] {
  // Without a gateway that leads ports, the node ports are reached in another way.
  if (platform.portRoutes.length === 0 && !platform.sources.some(hasPortRange)) return [];
  return platform.controlPlanes.filter(({ system }) => system === 'HyperShift').flatMap(controlPlane => publishedPorts(controlPlane)
    .filter(({ port, server }) => !routesOfPort(port.value, platform).some(route => leadsTo(route, server)))
    .map(published => nodePortFault(controlPlane.source, published, platform)));
}

function nodePortFault(source: Source, { port, server }: PublishedPort, platform: Platform): Fault {
  const service = `${server.namespace}/${server.services[0]}`;
  const [other] = routesOfPort(port.value, platform);
  const [mine] = platform.portRoutes.filter(route => leadsTo(route, server));
  return {
    source,
    field: port.path,
    message: `is ${port.value}, where nodes dial the ${server.title} at the shared address, but ` + (other === undefined
      ? `the gateway leads ${mine === undefined ? 'no port' : `port ${mine.port}`} to Service ${service}`
      : `the gateway leads that port to Service ${other.namespace}/${other.service}`),
    remedy: `Lead port ${port.value} of the gateway to Service ${service}; the port of a HostedCluster cannot be changed`,
  };
}

/** HAProxy takes the first line of a port, others the oldest object. */
function portsOfOtherServers(platform: Platform): Fault[] {
  const first = new Map<string, PortRoute>();
  return platform.portRoutes.flatMap((route): Fault[] => {
    const key = `${route.gateway} ${route.port}`;
    const other = first.get(key);
    if (other === undefined) first.set(key, route);
    if (other === undefined) return [];
    const ofOneService = other.namespace === route.namespace && other.service === route.service;
    if (ofOneService && other.servicePort === route.servicePort) return [];
    const place = route.source === other.source ? 'another line' : nameOf(other.source);
    return [{
      source: route.source,
      field: route.path,
      message: ofOneService
        ? `port ${route.port} leads to port ${route.servicePort} of ${targetOf(route, platform)}, and to its port ${other.servicePort} in ${place}: clients of one server reach the other`
        : `port ${route.port} leads to ${targetOf(route, platform)}, and to ${targetOf(other, platform)} in ${place}: one tenant reaches the other`,
      remedy: 'Give each server a port of its own',
    }];
  });
}

function targetOf({ namespace, service }: PortRoute, platform: Platform): string {
  const target = destinationOf({ backend: { namespace, service } }, platform);
  return target === undefined ? `Service ${namespace}/${service}` : `Service ${namespace}/${service} of ${nameOf(target.source)}`;
}
