import { endpointsAtPort } from './by-port';
import { ControlPlane, mayBeAt, serversOf } from './control-plane';
import { KubernetesEndpoints } from './kubernetes-endpoints';
import { KeysOf, lookUp } from './lookup';
import { Platform } from './platform';
import { AddressRoute } from './read-shared-gateway';
import { canonicalAddress, ipFamily } from '../validation/ip-network';

/** The lines of shared gateways that have the address, however it is written. */
export function routesOfAddress(address: string, platform: Platform): AddressRoute[] {
  return lookUp(platform.addressRoutes, byAddress, inOneForm(address));
}

/** The endpoints of `default/kubernetes` that hold an address which a shared gateway leads to the API server. */
export function endpointsAtAddress({ service, ...of }: ControlPlane, platform: Platform): KubernetesEndpoints[] {
  if (service === undefined) return [];
  const [api] = serversOf({ service, ...of });
  const routes = lookUp(platform.addressRoutes, byTarget, `${service.namespace}/${service.name}`).filter(({ servicePort }) => mayBeAt(api, servicePort));
  const addresses = [...new Set(routes.map(({ address }) => inOneForm(address)))];
  return [...new Set(addresses.flatMap(address => lookUp(platform.kubernetesEndpoints, byPublishedAddress, address)))];
}

/** The endpoints of `default/kubernetes` that lead to the API server by a port or an address of an edge. */
export function endpointsAtEdge(controlPlane: ControlPlane, platform: Platform): KubernetesEndpoints[] {
  return [...new Set([...endpointsAtPort(controlPlane, platform), ...endpointsAtAddress(controlPlane, platform)])];
}

/** Addresses compare in one form; what is none, as it is written. */
export function inOneForm(address: string): string {
  return ipFamily(address) === undefined ? address : canonicalAddress(address);
}

const byAddress: KeysOf<AddressRoute> = ({ address }) => [inOneForm(address)];
const byTarget: KeysOf<AddressRoute> = ({ namespace, service }) => [`${namespace}/${service}`];
const byPublishedAddress: KeysOf<KubernetesEndpoints> = ({ addresses }) => addresses.map(({ value }) => inOneForm(value));
