import { ControlPlane, Server, serversOf } from './control-plane';
import { Field } from './fields';
import { KeysOf, lookUp } from './lookup';
import { Platform } from './platform';
import { PortRoute } from './read-shared-gateway';

/** The ports of shared gateways that have the number. */
export function routesOfPort(port: number, platform: Platform): PortRoute[] {
  return lookUp(platform.portRoutes, byPort, String(port));
}

export function leadsTo({ namespace, service }: PortRoute, server: Server): boolean {
  return server.namespace === namespace && server.services.includes(service);
}

/** Whether a shared gateway finds the API server by the port that clients connect to. */
export function isApiFoundByPort(controlPlane: ControlPlane, platform: Platform): boolean {
  return isFoundByPort(controlPlane, 0, controlPlane.publicPort, platform);
}

/** Whether a shared gateway finds the konnectivity server by the port that agents connect to. */
export function isKonnectivityFoundByPort(controlPlane: ControlPlane, platform: Platform): boolean {
  return isFoundByPort(controlPlane, 1, controlPlane.konnectivity.port, platform);
}

function isFoundByPort(controlPlane: ControlPlane, index: 0 | 1, port: Field<number> | undefined, platform: Platform): boolean {
  if (controlPlane.service === undefined || port === undefined) return false;
  const server = serversOf(controlPlane)[index];
  return routesOfPort(port.value, platform).some(route => leadsTo(route, server));
}

const byPort: KeysOf<PortRoute> = ({ port }) => [String(port)];
