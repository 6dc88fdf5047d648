import { BlockList, isIP } from 'node:net';
import type { AddressFamily } from '../../../../src/agent/contract/kubernetes-endpoints';

/**
 * What the API server refuses as an endpoint address (`ValidateNonSpecialIP` in its validation of Endpoints),
 * plus IPv4-mapped IPv6, which kube-proxy cannot program.
 */
const SPECIAL = new BlockList();
SPECIAL.addSubnet('0.0.0.0', 8, 'ipv4');
SPECIAL.addSubnet('127.0.0.0', 8, 'ipv4');
SPECIAL.addSubnet('169.254.0.0', 16, 'ipv4');
SPECIAL.addSubnet('224.0.0.0', 4, 'ipv4');
SPECIAL.addAddress('::', 'ipv6');
SPECIAL.addAddress('::1', 'ipv6');
SPECIAL.addSubnet('fe80::', 10, 'ipv6');
SPECIAL.addSubnet('ff00::', 8, 'ipv6');

/** The family of a valid address. */
export function familyOf(address: string): AddressFamily {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Why an address cannot be an endpoint, or undefined when it can. */
export function whyUnusable(address: string): string | undefined {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return 'is not an IP address';
  if (version === 6 && /^\[::ffff:/.test(bracketed(address))) return 'is an IPv4-mapped IPv6 address';
  if (SPECIAL.check(address, version === 4 ? 'ipv4' : 'ipv6')) return 'is unspecified, loopback, link-local or multicast';
  return undefined;
}

/**
 * The addresses that can be endpoints: in canonical form, without duplicates, sorted by their bytes. That is the
 * order into which the API server brings the addresses of Endpoints, so what is read back equals what was written.
 */
export function canonicalAddresses(addresses: readonly string[]): string[] {
  const usable = addresses.filter((address) => whyUnusable(address) === undefined).map(canonical);
  return [...new Set(usable)].sort();
}

/** RFC 5952 for IPv6: the API server compares addresses as strings. */
function canonical(address: string): string {
  return isIP(address) === 6 ? bracketed(address).slice(1, -1) : address;
}

function bracketed(address: string): string {
  return new URL(`http://[${address}]`).hostname;
}
