import { Section } from '../../haproxy/section';

/** Longest name in DNS, and more than the longest cluster ID. */
const LONGEST_NAME = 253;

/**
 * Takes the name of a tenant from what a client sent. It is a key of the maps and goes to the log, so it has the
 * characters of host names and cluster IDs or is none: a line break in it would make a record of its own.
 */
export function addTenantName(frontend: Section, name: string): void {
  frontend
    .comment('By way of a variable: a condition on fc_pp_tlv itself ends the process (HAProxy 3.0.11).')
    .add('tcp-request', 'content', 'set-var(txn.name)', name)
    .add('tcp-request', 'content', 'set-var(txn.tenant)', 'var(txn.name)', 'if',
      '{', 'var(txn.name)', '-m', 'len', 'le', LONGEST_NAME, '}', '!{', 'var(txn.name)', '-m', 'reg', '[^a-zA-Z0-9._-]', '}');
}
