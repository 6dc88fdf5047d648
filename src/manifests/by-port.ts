import { ControlPlane, Server, serversOf } from './control-plane';
import { Field } from './fields';
import { KubernetesEndpoints } from './kubernetes-endpoints';
import { KeysOf, lookUp } from './lookup';
import { Platform } from './platform';
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
export function endpointsAtPort(controlPlane: ControlPlane, platform: Platform): KubernetesEndpoints[] {
  if (controlPlane.service === undefined) return [];
  const [api] = serversOf(controlPlane);
  return platform.kubernetesEndpoints.filter(({ ports }) => ports.some(({ value }) =>
    routesOfPort(value, platform).some(route => leadsTo(route, api) && route.servicePort === api.port)));
}

function isFoundByPort(controlPlane: ControlPlane, index: 0 | 1, port: Field<number> | undefined, platform: Platform): boolean {
  if (controlPlane.service === undefined || port === undefined) return false;
  const server = serversOf(controlPlane)[index];
  return routesOfPort(port.value, platform).some(route => leadsTo(route, server));
}

const byPort: KeysOf<PortRoute> = ({ port }) => [String(port)];
