import { requireAnswerable } from './answerable';
import { DnsFile, DnsOutput } from './dns-output';
import { DnsRecordType } from './dns-record';
import { TenantDns } from './tenant-dns';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps, flag, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For Infoblox NIOS. */
export interface InfobloxOutputProps {
  /**
   * DNS view.
   * @default - the default view
   */
  readonly view?: string;
  /**
   * Comment of every record.
   * @default - none
   */
  readonly comment?: string;
  /**
   * Create the zones as authoritative zones too; their name servers are assigned in NIOS.
   * @default false
   */
  readonly createZones?: boolean;
}

const RECORDS: { [type in DnsRecordType]: { readonly object: string; readonly value: string } } = {
  A: { object: 'arecord', value: 'address' },
  AAAA: { object: 'aaaarecord', value: 'address' },
  CNAME: { object: 'cnamerecord', value: 'canonical_name' },
};

const CHECKS: Checks<InfobloxOutputProps> = {
  view: optional(validateText),
  comment: optional(validateText),
  createZones: optional(flag),
};

/**
 * A file for the CSV import of Infoblox NIOS (CSV Import Reference; names of fields as of NIOS 8.6). Records of their own
 * types, as a host record would also claim the address in IPAM, once for each tenant.
 */
export class InfobloxOutput extends DnsOutput {
  private readonly props: InfobloxOutputProps;

  public constructor(props: InfobloxOutputProps) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.props = { view: validateCell('view', props.view), comment: validateCell('comment', props.comment), createZones: props.createZones };
  }

  public override files(dns: TenantDns): DnsFile[] {
    requireAnswerable('Infoblox', dns);
    const { view = '', comment = '', createZones } = this.props;
    const rows: string[][] = [];
    if (createZones) {
      rows.push(['header-authzone', 'fqdn*', 'zone_format*', 'view', 'comment'],
        ...dns.zones.map(zone => ['authzone', zone, 'FORWARD', view, comment]));
    }
    for (const type of Object.values(DnsRecordType)) {
      const { object, value } = RECORDS[type];
      const records = dns.records.filter(record => record.type === type);
      if (records.length > 0) {
        rows.push([`header-${object}`, 'fqdn*', `${value}*`, 'view', 'ttl', 'comment'],
          ...records.flatMap(record => record.values.map(item => [object, record.name, item, view, String(record.ttlSeconds), comment])));
      }
    }
    return [{ name: 'tenant-dns.csv', text: rows.map(row => `${row.map(csvField).join(',')}\r\n`).join('') }];
  }
}

/** A cell of a CSV file (RFC 4180). */
export function csvField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Spreadsheets, in which such files are looked at, calculate a cell that starts with one of these. */
function validateCell(field: string, text?: string): string | undefined {
  if (text !== undefined && (/^[=+@\t\r-]/.test(validateText(field, text)) || /[\x00-\x1f\x7f]/.test(text))) {
    throw invalidInput(field, text, 'starts with a character that spreadsheets take for a formula, or holds a control character',
      'Write it as one line that starts with a letter or digit');
  }
  return text;
}
