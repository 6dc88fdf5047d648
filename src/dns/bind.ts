import { requireAnswerable, requireCompleteChains } from './answerable';
import { closestDomain } from './dns-name';
import { DnsFile, DnsOutput } from './dns-output';
import { TenantDns, validateTtl } from './tenant-dns';
import { absolute, contentSerial, mailboxName, recordLines, recordsOfZone } from './zone-file';
import { validateDnsName } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For BIND. */
export interface BindOutputProps {
  /**
   * Names of the zones' name servers, the primary first, without final dots.
   * @default - none: the files hold the records alone, for `$INCLUDE` in a zone that exists
   */
  readonly nameServers?: string[];
  /**
   * Mail address of who runs the zones.
   * @default - hostmaster at the zone
   */
  readonly contact?: string;
  /**
   * Serial of the zones: 1 to 4294967295. Secondaries fetch a zone when its serial has grown, so give one that grows with
   * every change, e.g. the number of commits (`git rev-list --count HEAD`).
   * @default - made of the content: it changes with it but does not always grow, so more than one name server needs a serial
   */
  readonly serial?: number;
  /**
   * How often secondaries ask for a new serial, in seconds.
   * @default 3600
   */
  readonly refreshSeconds?: number;
  /**
   * How soon secondaries ask again when the primary does not answer, in seconds.
   * @default 900
   */
  readonly retrySeconds?: number;
  /**
   * When secondaries that cannot reach the primary stop answering, in seconds.
   * @default 1209600
   */
  readonly expireSeconds?: number;
  /**
   * How long resolvers may keep that a name does not exist, in seconds: a new tenant's name may stay unknown that long.
   * @default 60
   */
  readonly negativeTtlSeconds?: number;
}

const CHECKS: Checks<BindOutputProps> = {
  nameServers: optional(listOf(validateDnsName)),
  contact: optional(validateText),
  serial: optional(validateSerial),
  refreshSeconds: optional(validateTtl),
  retrySeconds: optional(validateTtl),
  expireSeconds: optional(validateTtl),
  negativeTtlSeconds: optional(validateTtl),
};

function validateSerial(field: string, serial: number): void {
  if (!(Number.isInteger(serial) && serial >= 1 && serial < 2 ** 32)) {
    throw invalidInput(field, serial, 'is not a serial', 'Give a whole number from 1 to 4294967295 that grows with every change');
  }
}

/** Zone files (RFC 1035, section 5), one for each zone, named `<zone>.zone`. */
export class BindOutput extends DnsOutput {
  private readonly props: BindOutputProps;

  public constructor(props: BindOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    mailboxName('contact', props.contact ?? 'hostmaster@example.com');
    if (props.serial === undefined && (props.nameServers ?? []).length > 1) {
      throw invalidInput('serial', undefined, 'is not set, and a serial made of the content may go backwards, upon which secondaries keep the old zone',
        'Give a number that grows with every change, e.g. that of commits: git rev-list --count HEAD');
    }
    this.props = props;
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('BIND', dns);
    if (this.props.nameServers?.length) {
      requireCompleteChains('BIND', dns, dns.zones);
    }
    return dns.zones.map(zone => ({ name: `${zone}.zone`, text: this.zoneText(dns, zone) }));
  }

  private zoneText(dns: TenantDns, zone: string): string {
    const lines = recordsOfZone(dns, zone).flatMap(record => recordLines(record, zone));
    const text = (header: string[]) => [`$ORIGIN ${absolute(zone)}`, ...header, ...lines, ''].join('\n');
    if (!this.props.nameServers?.length) {
      return text([]);
    }
    const header = (serial: number) => this.authorityLines(dns, zone, serial);
    return text(header(this.props.serial ?? contentSerial(text(header(0)))));
  }

  private authorityLines(dns: TenantDns, zone: string, serial: number): string[] {
    const { nameServers = [], contact = `hostmaster@${zone}`, refreshSeconds = 3600, retrySeconds = 900, expireSeconds = 1_209_600 } = this.props;
    nameServers.forEach(server => requireNameServerAddress(dns, zone, server));
    return [
      `@ ${dns.ttlSeconds} IN SOA ${absolute(nameServers[0])} ${mailboxName('contact', contact)} (`,
      `    ${serial} ; serial`,
      `    ${refreshSeconds} ; refresh`,
      `    ${retrySeconds} ; retry`,
      `    ${expireSeconds} ; expire`,
      `    ${this.props.negativeTtlSeconds ?? 60} ) ; how long a missing name is remembered`,
      ...nameServers.map(server => `@ ${dns.ttlSeconds} IN NS ${absolute(server)}`),
    ];
  }
}

/** BIND refuses a zone whose name servers lie in it without an address, or are canonical names' aliases (RFC 2181, section 10.3). */
function requireNameServerAddress(dns: TenantDns, zone: string, server: string): void {
  if (closestDomain(server, dns.zones) !== zone) {
    return;
  }
  const target = dns._tree.targetOf(server);
  if (!target) {
    throw invalidInput('nameServers', server, `lies in the zone "${zone}" but has no address there`, 'Give its addresses in additionalNames of the TenantDns');
  }
  if (target.canonical !== undefined) {
    throw invalidInput('nameServers', server, `has a CNAME record in the zone "${zone}"; name servers need addresses (RFC 2181, section 10.3)`,
      'Give its addresses in additionalNames of the TenantDns');
  }
}
