import { allowedKey } from '../agent/contract/routing-tables';
import { invalidInput } from '../validation/invalid-input';
import { IpFamily, IpNetwork } from '../validation/ip-network';

/**
 * The keys of a map for networks that a list of sources admits: `<network>/<prefix length>@<list>`.
 *
 * HAProxy has no table of networks for each tenant that could change without a reload. It masks the source with every
 * prefix length instead and looks the result up together with the list's name.
 */
export function allowedSourceKeys(field: string, cidrs: string[], list: string): string[] {
  return cidrs.map((cidr, i) => {
    const network = IpNetwork.parse(`${field}[${i}]`, cidr);
    const prefix = Number(cidr.split('/')[1]);
    return allowedKey(haproxyText(`${field}[${i}]`, network, prefix), prefix, list);
  });
}

/** Prefix lengths of an address family, the longest first. */
export function prefixLengths(family: IpFamily): number[] {
  const longest = family === 'ipv4' ? 32 : 128;
  return Array.from({ length: longest + 1 }, (_, i) => longest - i);
}

/** How HAProxy writes the first address of a network after `ipmask`. */
function haproxyText(field: string, network: IpNetwork, prefix: number): string {
  const first = network.nth(0n);
  if (network.family === 'ipv4' || prefix < 16 || !EMBEDS_IPV4.some(range => range.contains(first))) {
    return first;
  }
  // `ipmask` turns these into the IPv4 address in them, whatever the mask (HAProxy 3.0, tried).
  if (first === '::1' && prefix === 128) {
    return '0.0.0.1';
  }
  throw invalidInput(field, network.cidr, 'embeds IPv4 addresses, which HAProxy does not tell from those addresses themselves',
    'Give the IPv4 network');
}

const EMBEDS_IPV4 = ['::/96', '::ffff:0:0/96', '2002::/16'].map(cidr => IpNetwork.parse('range', cidr));
