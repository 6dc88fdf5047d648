import { createHash } from 'crypto';
import { relativeName } from './dns-name';
import { DnsRecord, DnsRecordType } from './dns-record';
import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** One line of a zone file for each value, below `$ORIGIN`. */
export function recordLines(record: DnsRecord, zone: string): string[] {
  const { name, ttlSeconds, type, values } = record;
  return values.map(value => `${relativeName(name, zone)} ${ttlSeconds} IN ${type} ${type === DnsRecordType.CNAME ? absolute(value) : value}`);
}

/** The records of one zone. */
export function recordsOfZone(dns: TenantDns, zone: string): DnsRecord[] {
  return dns.records.filter(({ name }) => dns.zoneOf(name) === zone);
}

/** A name as it stands in a zone file whatever the origin. */
export function absolute(name: string): string {
  return `${name}.`;
}

/**
 * The mailbox of a zone's contact as the SOA record writes it: a name whose first label is the part before the `@`
 * (RFC 1035, sections 5.1 and 8).
 */
export function mailboxName(field: string, mailbox: string): string {
  const at = validateText(field, mailbox).lastIndexOf('@');
  const local = mailbox.slice(0, at);
  const domain = mailbox.slice(at + 1);
  if (at < 1 || local.length > 63 || !/^[\x21-\x7e]+$/.test(local) || !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(domain)) {
    throw invalidInput(field, mailbox, 'is not a mail address', 'Give the address of who runs the zone, e.g. "hostmaster@example.com"');
  }
  return `${escapeLabel(local)}.${absolute(domain)}`;
}

/** A label of a zone file. Characters are escaped by their number, as BIND takes `\[` for the start of a bit string. */
export function escapeLabel(label: string): string {
  return label.replace(/[^A-Za-z0-9_-]/g, character => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`);
}

/** A serial that changes with the content: 1 to 2^32 - 1. It may go backwards, which only secondaries mind. */
export function contentSerial(content: string): number {
  return createHash('sha256').update(content).digest().readUInt32BE() % (2 ** 32 - 1) + 1;
}
