import { isListeningPort } from './gateway-ports';
import type { SharedIngressGatewayProps, TenantAddressRange } from './gateway-props';
import { ADDRESS_PREFIX, AddressRange, DEFAULT_ADDRESS_PORT } from '../model/address-range';
import { isInPortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork } from '../validation/ip-network';
import { validatePort } from '../validation/name';
import { Checks, flag, optional } from '../validation/props';

/** What each property of a range may be by itself. */
export const ADDRESS_RANGE: Checks<TenantAddressRange> = { prefix: ADDRESS_PREFIX, port: optional(validatePort), localRoute: optional(flag) };

/** The addresses of tenants at a gateway, checked against what else it is and listens on. */
export function resolveAddressRange({ addressRange, portRange, hostNetwork, ipv6 }: SharedIngressGatewayProps): AddressRange | undefined {
  if (!addressRange) {
    return undefined;
  }
  const { prefix, port = DEFAULT_ADDRESS_PORT } = addressRange;
  if (hostNetwork === false) {
    throw invalidInput('hostNetwork', hostNetwork, 'keeps the addresses of addressRange from the pods: a Service leads to a pod by the pod\'s own address',
      'Leave it out, or leave addressRange out');
  }
  if (ipv6 === false) {
    throw invalidInput('ipv6', ipv6, 'takes the addresses of addressRange away', 'Leave it out, or leave addressRange out');
  }
  if (isListeningPort(port) || isInPortRange(port, portRange)) {
    throw invalidInput('addressRange.port', port, 'is a port on which the gateway listens for something else, or is privileged', `Leave it out for ${DEFAULT_ADDRESS_PORT}, or give another`);
  }
  return { prefix, port };
}

/** Refuses an address or a port that the gateway does not listen on. */
export function requireServedAddress(address: string, port: number, range?: AddressRange): void {
  if (range === undefined) {
    throw invalidInput('kubernetesService.address', address, 'is not served by the gateway, which has no addresses of tenants', 'Give the SharedIngressGateway an addressRange');
  }
  if (!IpNetwork.parse('addressRange.prefix', range.prefix).contains(address)) {
    throw invalidInput('kubernetesService.address', address, `is not among the addresses of the gateway for tenants, ${range.prefix}`,
      'Leave address and prefix out, give an address among them, or change addressRange of the gateway');
  }
  if (port !== range.port) {
    throw invalidInput('kubernetesService.port', port, `is not the port of the gateway for addresses of tenants, ${range.port}`,
      'Leave it out, or change addressRange.port of the gateway');
  }
}
