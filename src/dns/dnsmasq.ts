import { requireAnswerable } from './answerable';
import { wildcardDomain } from './dns-name';
import { DnsFile, DnsOutput } from './dns-output';
import { DnsTarget } from './dns-target';
import { validateFileName } from './file-name';
import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps, flag, optional } from '../validation/props';
import { required } from '../validation/required';

/** For dnsmasq and Pi-hole. */
export interface DnsmasqOutputProps {
  /**
   * Answer for the zones alone: names without a record do not exist. Otherwise they are looked up elsewhere.
   * @default false
   */
  readonly answerWholeZones?: boolean;
  /**
   * Name of the file.
   * @default tenant-dns.conf
   */
  readonly fileName?: string;
}

const CHECKS: Checks<DnsmasqOutputProps> = {
  answerWholeZones: optional(flag),
  fileName: optional(validateFileName),
};

/**
 * dnsmasq. It answers wildcards with a TTL of its own (`local-ttl`, 0 unless set) and, where a wildcard has addresses
 * of one family alone, says of the other that the name does not exist, upon which some resolvers give up. So every
 * known host has a line of its own beside the wildcard.
 */
export class DnsmasqOutput extends DnsOutput {
  protected readonly comments: string[] = [];
  private readonly answerWholeZones: boolean;
  private readonly fileName: string;

  public constructor(props: DnsmasqOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.answerWholeZones = props.answerWholeZones ?? false;
    this.fileName = validateFileName('fileName', props.fileName ?? 'tenant-dns.conf');
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('dnsmasq', dns);
    const wildcards = dns.names.filter(name => wildcardDomain(name) !== undefined);
    const exact = [...new Set([...dns.names, ...dns.hosts])].filter(name => wildcardDomain(name) === undefined).sort();
    const lines = [
      ...this.comments,
      ...(this.answerWholeZones ? dns.zones.map(zone => `local=/${zone}/`) : []),
      ...wildcards.flatMap(name => addressesOf(dns, name).map(address => `address=/${name}/${address}`)),
      ...exact.flatMap(name => [
        // Otherwise it would ask elsewhere for the family that the name has no address of.
        `local=/${name}/`,
        ...addressesOf(dns, name).map(address => `host-record=${name},${address},${dns.ttlSeconds}`),
      ]),
    ];
    return [{ name: this.fileName, text: `${lines.join('\n')}\n` }];
  }
}

/** Pi-hole runs dnsmasq's code. */
export class PiHoleOutput extends DnsmasqOutput {
  protected override readonly comments = [
    '# Pi-hole 6 and newer read this folder with: pihole-FTL --config misc.etc_dnsmasq_d true',
  ];
}

/** dnsmasq follows a canonical name only to addresses that it knows itself. */
function addressesOf(dns: TenantDns, name: string): string[] {
  const { ipv4, ipv6 } = dns._addressesOf(name) ?? DnsTarget.annotatedObject();
  if (ipv4.length + ipv6.length === 0) {
    throw invalidInput('target', dns._tree.targetOf(name)?.canonical, `is the canonical name of ${name}, and dnsmasq looks up no canonical names elsewhere`,
      'Use DnsTarget.addresses, or give its addresses in additionalNames');
  }
  return [...ipv4, ...ipv6];
}
