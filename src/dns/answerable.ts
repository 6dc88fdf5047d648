import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';

/** Checks that a server other than Cloudflare's and external-dns' can answer for the names. */
export function requireAnswerable(server: string, { target }: TenantDns): void {
  if (!target.isKnown) {
    throw invalidInput('target', undefined, `holds no address for ${server} to answer with; an object's status is for external-dns' annotations alone`,
      'Use DnsTarget.addresses or DnsTarget.canonicalName');
  }
  if (target.tunnelId !== undefined) {
    throw invalidInput('target', target.canonical, `is the name of a Cloudflare Tunnel, which has no public address: ${server} cannot lead clients to it`,
      'Use DnsOutput.cloudflare or ExternalDnsEndpoint');
  }
}

/** Checks that canonical names lead to addresses, or out of the zones that a server answers for alone. */
export function requireCompleteChains(server: string, dns: TenantDns, zones: string[]): void {
  for (const { name, values: [canonical] } of dns.records.filter(({ type }) => type === 'CNAME')) {
    if (zones.some(zone => canonical === zone || canonical.endsWith(`.${zone}`)) && !dns._tree.targetOf(canonical)) {
      throw invalidInput('target', canonical, `is the canonical name of ${name} and lies in a zone that ${server} answers for, but has no record there`,
        'Give its addresses in additionalNames');
    }
  }
}
