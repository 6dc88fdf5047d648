import { requireAnswerable, requireCompleteChains } from './answerable';
import { closestDomain, wildcardDomain } from './dns-name';
import { DnsFile, DnsOutput } from './dns-output';
import { DnsRecord, DnsRecordType } from './dns-record';
import { validateFileName } from './file-name';
import { TenantDns } from './tenant-dns';
import { absolute, contentSerial, recordsOfZone } from './zone-file';
import { validatePort } from '../validation/name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';

/** For CoreDNS. */
export interface CoreDnsOutputProps {
  /**
   * Port that the server blocks answer on.
   * @default 53
   */
  readonly port?: number;
  /**
   * Name of the file. ConfigMaps `coredns-custom`, as AKS and k3s read them, want `.server` at its end.
   * @default tenant-dns.server
   */
  readonly fileName?: string;
}

const CHECKS: Checks<CoreDnsOutputProps> = {
  port: optional(validatePort),
  fileName: optional(validateFileName),
};

/**
 * A server block for each zone, made of the plugin `template` alone, which CoreDNS' own images hold: it needs no file
 * beside the Corefile. It answers for the whole zone: names without a record do not exist.
 *
 * A wildcard answers one label deep. Names have SOA records in negative answers, so that resolvers may keep these.
 */
export class CoreDnsOutput extends DnsOutput {
  private readonly port: number;
  private readonly fileName: string;

  public constructor(props: CoreDnsOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.port = validatePort('port', props.port ?? 53);
    this.fileName = validateFileName('fileName', props.fileName ?? 'tenant-dns.server');
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('CoreDNS', dns);
    requireCompleteChains('CoreDNS', dns, dns.zones);
    return [{ name: this.fileName, text: dns.zones.map(zone => this.serverBlock(dns, zone)).join('\n') }];
  }

  private serverBlock(dns: TenantDns, zone: string): string {
    const records = recordsOfZone(dns, zone);
    const nodes = dns._tree.nodeNames().filter(name => closestDomain(wildcardDomain(name) ?? name, dns.zones) === zone);
    const exact = nodes.filter(name => wildcardDomain(name) === undefined);
    const wildcards = nodes.filter(name => wildcardDomain(name) !== undefined);
    const soa = soaRecord(zone, records);
    // A rule without names would match all.
    const noData = (names: string[]) => names.length === 0 ? [] : rule('ANY', matches(names), ['rcode NOERROR', `authority "${soa}"`]);
    return [
      `${zone}:${this.port} {`,
      '    errors',
      // The first rule that matches answers, so that a name of its own comes before the wildcard over it.
      ...answers(records.filter(({ name }) => wildcardDomain(name) === undefined)),
      ...noData([zone, ...exact]),
      ...answers(records.filter(({ name }) => wildcardDomain(name) !== undefined)),
      ...noData(wildcards),
      ...rule('ANY', [], ['rcode NXDOMAIN', `authority "${soa}"`]),
      '}',
      '',
    ].join('\n');
  }
}

/** Names with the same answer share a rule. */
function answers(records: DnsRecord[]): string[] {
  const byAnswer = new Map<string, { record: DnsRecord; names: string[] }>();
  for (const record of records) {
    const key = `${record.type} ${record.values.join(' ')}`;
    const group = byAnswer.get(key) ?? { record, names: [] };
    byAnswer.set(key, group);
    group.names.push(record.name);
  }
  return [...byAnswer.values()].flatMap(({ record: { type, values, ttlSeconds }, names }) => {
    const isAlias = type === DnsRecordType.CNAME;
    return rule(isAlias ? 'ANY' : type, matches(names),
      values.map(value => `answer "{{ .Name }} ${ttlSeconds} IN ${type} ${isAlias ? absolute(value) : value}"`));
  });
}

function rule(type: string, match: string[], lines: string[]): string[] {
  return [`    template IN ${type} {`, ...[...match, ...lines, ...(match.length > 0 ? ['fallthrough'] : [])].map(line => `        ${line}`), '    }'];
}

/** One expression for all names of a domain. */
function matches(names: string[]): string[] {
  const labelsOf = new Map<string, string[]>();
  for (const name of [...new Set(names)].sort()) {
    const [label, ...rest] = name.split('.');
    const domain = rest.join('.');
    const labels = labelsOf.get(domain) ?? [];
    labelsOf.set(domain, labels);
    labels.push(label === '*' ? '[^.]+' : label);
  }
  return [...labelsOf].map(([domain, labels]) => `match "^(${labels.join('|')})[.]${absolute(domain).replace(/[.]/g, '[.]')}$"`);
}

function soaRecord(zone: string, records: DnsRecord[]): string {
  const serial = contentSerial(JSON.stringify(records));
  return `${absolute(zone)} 60 IN SOA ns.dns.${absolute(zone)} hostmaster.${absolute(zone)} ${serial} 3600 900 1209600 60`;
}
