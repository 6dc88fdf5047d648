import { ControlPlane, mayBeAt, Server, serversOf } from './control-plane';
import { Field } from './fields';
import { KubernetesEndpoints } from './kubernetes-endpoints';
import { KeysOf, lookUp } from './lookup';
import { destinationOf, Platform } from './platform';
import { PortRoute } from './read-shared-gateway';

/** The ports of edges that have the number. */
export function routesOfPort(port: number, platform: Platform): PortRoute[] {
  return lookUp(platform.portRoutes, byPort, String(port));
}

export function leadsTo({ namespace, service }: PortRoute, server: Server): boolean {
  return server.namespace === namespace && server.services.includes(service);
}

/** Whether an edge finds the API server by the port that clients connect to. */
export function isApiFoundByPort(controlPlane: ControlPlane, platform: Platform): boolean {
  return isFoundByPort(controlPlane, 0, controlPlane.publicPort, platform);
}

/** Whether an edge finds the konnectivity server by the port that agents connect to. */
export function isKonnectivityFoundByPort(controlPlane: ControlPlane, platform: Platform): boolean {
  return isFoundByPort(controlPlane, 1, controlPlane.konnectivity.port, platform);
}

/** The endpoints of `default/kubernetes` that hold a port which an edge leads to the API server. */
export function endpointsAtPort({ service, ...of }: ControlPlane, platform: Platform): KubernetesEndpoints[] {
  if (service === undefined) return [];
  const [api] = serversOf({ service, ...of });
  const ports = lookUp(platform.portRoutes, byTarget, `${service.namespace}/${service.name}`).filter(({ servicePort }) => mayBeAt(api, servicePort)).map(({ port }) => port);
  return [...new Set(ports)].flatMap(port => lookUp(platform.kubernetesEndpoints, byPublishedPort, String(port)));
}

/** Whether a port leads to an API server; undefined where nothing is known of the Service. */
export function isOfApi(route: PortRoute, platform: Platform): boolean | undefined {
  const { namespace, service } = route;
  const controlPlane = destinationOf({ backend: { namespace, service } }, platform);
  if (controlPlane === undefined) return undefined;
  const [api] = serversOf(controlPlane);
  return leadsTo(route, api) && mayBeAt(api, route.servicePort);
}

function isFoundByPort(controlPlane: ControlPlane, index: 0 | 1, port: Field<number> | undefined, platform: Platform): boolean {
  if (controlPlane.service === undefined || port === undefined) return false;
  const server = serversOf(controlPlane)[index];
  return routesOfPort(port.value, platform).some(route => leadsTo(route, server));
}

const byPort: KeysOf<PortRoute> = ({ port }) => [String(port)];
const byTarget: KeysOf<PortRoute> = ({ namespace, service }) => [`${namespace}/${service}`];
const byPublishedPort: KeysOf<KubernetesEndpoints> = ({ ports }) => ports.map(({ value }) => String(value));
