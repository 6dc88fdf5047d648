import { ReportedDnsRecord } from './report-document';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';

/** Checks the addresses of the shared edge: IP addresses, or one DNS name, as a CNAME stands alone (RFC 1034, 3.6.2). */
export function validateSharedAddresses(field: string, addresses: string[]): string[] {
  const names = addresses.filter(address => !ipFamily(address));
  names.forEach(name => validateDnsName(field, name));
  if (names.length > 0 && addresses.length > 1) {
    throw invalidInput(field, addresses, `has the DNS name "${names[0]}" beside another address, and a CNAME stands alone`,
      'Give IP addresses alone, or the one DNS name of the load balancer');
  }
  if (new Set(addresses).size < addresses.length) {
    throw invalidInput(field, addresses, 'has an address twice', 'Give each address once');
  }
  return [...addresses];
}

/** The records that lead names to the shared edge. */
export function dnsRecords(names: string[], addresses: string[]): ReportedDnsRecord[] {
  return names.flatMap(name => addresses.map(value => ({ name, type: recordType(value), value })));
}

/** Wildcards, each of which covers several of the names. */
export function wildcards(names: string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const wildcard = name.replace(/^[^.]+/, '*');
    counts.set(wildcard, (counts.get(wildcard) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([wildcard]) => wildcard).sort();
}

/** The type of the record that leads a name to an address, or to a DNS name. */
export function recordType(address: string): string {
  const family = ipFamily(address);
  return family === undefined ? 'CNAME' : { ipv4: 'A', ipv6: 'AAAA' }[family];
}
