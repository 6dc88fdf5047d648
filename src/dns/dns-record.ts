/** The types of the records that lead to the shared address. */
export enum DnsRecordType {
  /** An IPv4 address. */
  A = 'A',
  /** An IPv6 address. */
  AAAA = 'AAAA',
  /** Another name for the canonical one. */
  CNAME = 'CNAME',
}

/** All records of one name and type. */
export interface DnsRecord {
  /** The name, without a final dot; `*.` and a domain for a wildcard. */
  readonly name: string;
  /** The type. */
  readonly type: DnsRecordType;
  /** Addresses in their canonical form, or the one canonical name without a final dot. */
  readonly values: string[];
  /** How long resolvers may keep them, in seconds. */
  readonly ttlSeconds: number;
}
