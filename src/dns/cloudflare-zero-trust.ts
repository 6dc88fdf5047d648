import { DnsFile, DnsOutput } from './dns-output';
import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily } from '../validation/ip-network';
import { Checks, checkProps, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For Cloudflare Zero Trust. */
export interface CloudflareZeroTrustOutputProps {
  /**
   * Addresses of the private DNS servers that answer for the zones, as the tunnel's connector reaches them. They may be
   * of this same `TenantDns`, e.g. by `DnsOutput.coreDns()`.
   * @default - the note says where to fill them in
   */
  readonly dnsServers?: string[];
}

const CHECKS: Checks<CloudflareZeroTrustOutputProps> = {
  dnsServers: optional(listOf(validateText)),
};

/**
 * A note for the administrator of Cloudflare Zero Trust: which addresses and names WARP clients must find through a
 * tunnel. Traffic stays TCP, so TLS and client certificates pass unopened, of kubelets and konnectivity agents too.
 */
export class CloudflareZeroTrustOutput extends DnsOutput {
  private readonly dnsServers: string[];

  public constructor(props: CloudflareZeroTrustOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.dnsServers = props.dnsServers ?? [];
    this.dnsServers.forEach((address, i) => {
      if (!ipFamily(address)) {
        throw invalidInput(`dnsServers[${i}]`, address, 'is not an IP address', 'Give the address of a DNS server: WARP asks it before it can resolve names');
      }
    });
  }

  public override files(dns: TenantDns): DnsFile[] {
    const { target, zones, routes, hosts } = dns;
    const addresses = [...target.ipv4, ...target.ipv6, ...this.dnsServers];
    if (target.ipv4.length + target.ipv6.length === 0) {
      throw invalidInput('target', target.canonical, 'is no address; private networks of a tunnel are networks',
        'Use DnsTarget.addresses with the internal addresses of the ingress controller');
    }
    const networks = [...new Set(addresses)].map(address => `${address}/${ipFamily(address) === 'ipv4' ? 32 : 128}`);
    const ports = [...new Set(routes.map(route => route.port))].sort((a, b) => a - b);
    const servers = this.dnsServers.length > 0 ? this.dnsServers.join(', ') : 'the DNS servers that answer for it';
    const text = [
      '# Cloudflare Zero Trust: access to the tenants\' API servers with WARP',
      '',
      '1. Private network: route these to the tunnel.',
      ...networks.map(network => `   - \`cloudflared tunnel route ip add ${network} <tunnel>\``),
      '2. Split tunnels of the device profile. In the mode "Exclude", no excluded network may hold these; in the mode "Include", add them.',
      ...networks.map(network => `   - ${network}`),
      '3. Local domain fallback, or a resolver policy, sends these names to a private DNS server.',
      ...zones.map(zone => `   - ${zone}: ${servers}`),
      `4. Network policy: allow TCP port${ports.length > 1 ? 's' : ''} ${ports.join(', ')}${this.dnsServers.length > 0 ? ', and UDP and TCP port 53 of the DNS servers' : ''}.`,
      '   TLS inspection must leave these hosts alone: it would replace the certificate that clients verify with the tenant\'s own CA.',
      '5. Check from a WARP client: these resolve to the addresses above.',
      ...hosts.map(host => `   - ${host}`),
      '',
    ].join('\n');
    return [{ name: 'cloudflare-zero-trust.md', text }];
  }
}
