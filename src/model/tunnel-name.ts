import { createHash } from 'crypto';
import { Exposure } from './exposure';
import { LONGEST_COMMON_NAME } from '../agent/contract/route-limits';

/** Characters of a hash that stand for what does not fit. */
const HASH_LENGTH = 32;

/**
 * Who a tenant is in a tunnel: the common name of its client certificate, and the key of its line at the gateway.
 *
 * It is `<namespace>.<name>` of the control plane. A common name has at most 64 characters (X.520), so that a longer one is a part of
 * the name and a hash of both, without a dot: it is never that of another tenant.
 */
export function tunnelName({ namespace, name }: Pick<Exposure, 'namespace' | 'name'>): string {
  const whole = `${namespace}.${name}`;
  if (whole.length <= LONGEST_COMMON_NAME) {
    return whole;
  }
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  return `${name.slice(0, LONGEST_COMMON_NAME - HASH_LENGTH - 1)}-${hash}`;
}
