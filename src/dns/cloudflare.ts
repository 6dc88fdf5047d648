import { DnsFile, DnsOutput } from './dns-output';
import { DnsTarget } from './dns-target';
import { TenantDns } from './tenant-dns';
import { recordLines, recordsOfZone } from './zone-file';
import { invalidInput } from '../validation/invalid-input';

/** Cloudflare's limit for an imported file, in bytes. */
const MAX_IMPORT_BYTES = 262_144;

/**
 * Zone files as Cloudflare imports them. Names of a tunnel must be proxied, all others must not: Cloudflare's proxy
 * opens TLS, which takes the SNI host and client certificates away.
 */
export class CloudflareOutput extends DnsOutput {
  public override files(dns: TenantDns): DnsFile[] {
    if (!dns.target.isKnown) {
      throw invalidInput('target', undefined, 'holds no address for Cloudflare to answer with',
        'Use DnsTarget.cloudflareTunnel, DnsTarget.addresses or DnsTarget.canonicalName');
    }
    return dns.zones.flatMap(zone => {
      const records = recordsOfZone(dns, zone);
      const groups = [true, false].map(proxied => ({
        proxied,
        lines: records.filter(({ name }) => isProxied(dns._tree.get(name)!) === proxied).flatMap(record => recordLines(record, zone)),
      })).filter(({ lines }) => lines.length > 0);
      return groups.map(({ proxied, lines }) => ({
        name: `${zone}.cloudflare-${proxied ? 'proxied' : 'dns-only'}.txt`,
        text: requireImportable(zone, [
          `; Import with "Proxy imported DNS records" ${proxied ? 'on' : 'off'}.`,
          `$ORIGIN ${zone}.`,
          ...lines,
          '',
        ].join('\n')),
      }));
    });
  }
}

/** Whether Cloudflare's proxy must stand before a target. */
export function isProxied(target: DnsTarget): boolean {
  return target.tunnelId !== undefined;
}

function requireImportable(zone: string, text: string): string {
  if (text.length > MAX_IMPORT_BYTES) {
    throw invalidInput('zones', zone, `has records of ${text.length} bytes; Cloudflare imports ${MAX_IMPORT_BYTES}`,
      'Use wildcardDomains, ExternalDnsEndpoint, or a TenantDns for each part of the tenants');
  }
  return text;
}
