/**
 * Type of the TLV in which the edge of a fleet tells another gateway what it found a tenant by. Not 0xE0, 0xEA or 0xEE, in which clouds carry
 * IDs; headers of tenants' proxies, which may carry it, never get to the port where it counts.
 */
export const FOUND_BY_TLV = 0xe2;

/** What the edge found a tenant by: the table of the other gateway in which it is to look. */
export type FoundBy = 'hosts' | 'cluster-ids' | 'ports';

/** The fields of its value, as HAProxy's `field` counts them. A host is in the connection itself. */
export const FOUND_BY_FIELDS = { table: 'field(1,:)', key: 'field(2,:)' } as const;

/** Its value as a format of HAProxy. */
export function foundByFormat(table: FoundBy): string {
  return `${table}:${table === 'hosts' ? '' : '%[var(txn.tenant)]'}`;
}
