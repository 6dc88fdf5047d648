import { invalidInput } from '../validation/invalid-input';
import { IpNetwork } from '../validation/ip-network';
import { Check } from '../validation/props';

/** IPv6 addresses of the shared edge, each for one tenant. */
export interface AddressRange {
  /** The network, in CIDR notation. */
  readonly prefix: string;
  /** The port of all of them. */
  readonly port: number;
}

/** Port of the addresses of tenants where nobody says another: one that a process need not be root for. */
export const DEFAULT_ADDRESS_PORT = 7443;

/** What a network of addresses of tenants may be: their hosts are drawn from it, so it must not be small. */
export const ADDRESS_PREFIX: Check<string> = (field, prefix) => {
  const { family, size } = IpNetwork.parse(field, prefix);
  if (family !== 'ipv6' || size > 2n ** 64n || size < 2n ** 16n) {
    throw invalidInput(field, prefix, 'is not an IPv6 network from a /64 to a /112', 'Give the network that is routed to the edge, e.g. "2001:db8:0:1::/64"');
  }
};
