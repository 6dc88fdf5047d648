import { createHash } from 'crypto';

/** A number from 0 to `count - 1` that follows from a text alone, as if drawn at random for each text. */
export function stableNumber(text: string, count: bigint): bigint {
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`) % count;
}
