import { DnsRecordType } from './dns-record';
import { nameFactories } from '../validation/factories';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { IpFamily, ipFamily, IpNetwork } from '../validation/ip-network';
import { requiredList } from '../validation/required';
import { validateText } from '../validation/text';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Addresses that no node reaches the shared address by, and why. */
const UNREACHABLE: [why: string, networks: string[]][] = [
  ['is the unspecified address', ['0.0.0.0/32', '::/128']],
  ['is a loopback address, at which every client finds itself', ['127.0.0.0/8', '::1/128']],
  ['is a link-local address, which means another machine on every link', ['169.254.0.0/16', 'fe80::/10']],
  ['is a multicast address, which no connection leads to', ['224.0.0.0/4', 'ff00::/8']],
  ['is an IPv4 address written as IPv6; clients without IPv6 would not find it', ['::ffff:0:0/96']],
];

/** Where names lead to. */
export class DnsTarget {
  /**
   * The addresses of what routes at the shared address. IPv4 addresses become A records, IPv6 addresses AAAA records.
   *
   * @throws without an address, and on addresses that clients cannot connect to: loopback, link-local, multicast, IPv4-mapped
   */
  public static addresses(addresses: string[]): DnsTarget {
    const remedy = 'Give the addresses of the ingress controller\'s load balancer, or use DnsTarget.canonicalName';
    if (requiredList('addresses', addresses, remedy).length === 0) {
      throw invalidInput('addresses', addresses, 'holds no address for the names to lead to', remedy);
    }
    const canonical = addresses.map((address, i) => validateAddress(`addresses[${i}]`, address));
    const twice = canonical.findIndex((address, i) => canonical.indexOf(address) !== i);
    if (twice >= 0) {
      throw invalidInput(`addresses[${twice}]`, addresses[twice], 'is listed twice', 'Remove it');
    }
    return new DnsTarget(canonical);
  }

  /** Another DNS name, e.g. that of a cloud's load balancer: CNAME records. The name carries no final dot. */
  public static canonicalName(name: string): DnsTarget {
    validateText('canonicalName', name);
    if (ipFamily(name)) {
      throw invalidInput('canonicalName', name, 'is an address; a CNAME record leads to a name', 'Use DnsTarget.addresses');
    }
    return new DnsTarget([], validateDnsName('canonicalName', name));
  }

  /**
   * A Cloudflare Tunnel: proxied CNAME records to `<ID>.cfargotunnel.com`, which only Cloudflare's DNS can answer.
   *
   * @param tunnelId the tunnel's UUID
   */
  public static cloudflareTunnel(tunnelId: string): DnsTarget {
    if (!UUID.test(validateText('tunnelId', tunnelId))) {
      throw invalidInput('tunnelId', tunnelId, 'is not the ID of a tunnel', 'Give the UUID that "cloudflared tunnel list" prints, in lower case');
    }
    return new DnsTarget([], `${tunnelId}.cfargotunnel.com`, tunnelId);
  }

  /** Whatever address the status of the Service or Gateway shows that carries external-dns' annotations. Of use for these alone. */
  public static annotatedObject(): DnsTarget {
    return new DnsTarget([]);
  }

  /** IPv4 addresses. */
  public readonly ipv4: string[];
  /** IPv6 addresses in the form of RFC 5952. */
  public readonly ipv6: string[];

  private constructor(
    addresses: string[],
    /** The canonical name of CNAME records. */
    public readonly canonical?: string,
    /** UUID of the Cloudflare Tunnel. */
    public readonly tunnelId?: string,
  ) {
    const ofFamily = (family: IpFamily) => Object.freeze(addresses.filter(address => ipFamily(address) === family)) as string[];
    this.ipv4 = ofFamily('ipv4');
    this.ipv6 = ofFamily('ipv6');
  }

  /** Whether it says where names lead to; otherwise an object's status does. */
  public get isKnown(): boolean {
    return this.canonical !== undefined || this.ipv4.length + this.ipv6.length > 0;
  }

  /** @internal The values of each type of record. */
  public get _values(): [DnsRecordType, string[]][] {
    const values: [DnsRecordType, string[]][] = [
      [DnsRecordType.A, this.ipv4],
      [DnsRecordType.AAAA, this.ipv6],
      [DnsRecordType.CNAME, this.canonical === undefined ? [] : [this.canonical]],
    ];
    return values.filter(([, ofType]) => ofType.length > 0);
  }
}

nameFactories(DnsTarget);

function validateAddress(field: string, address: string): string {
  const family = ipFamily(validateText(field, address));
  if (!family) {
    throw invalidInput(field, address, 'is not an IP address', 'Give an IPv4 or IPv6 address, or use DnsTarget.canonicalName for a name');
  }
  for (const [why, networks] of UNREACHABLE) {
    if (networks.some(network => IpNetwork.parse(field, network).contains(address))) {
      throw invalidInput(field, address, why, 'Give the address at which nodes reach the ingress controller');
    }
  }
  return IpNetwork.parse(field, `${address}/${family === 'ipv4' ? 32 : 128}`).nth(0n);
}
