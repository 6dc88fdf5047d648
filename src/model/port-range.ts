import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { all, Check, struct } from '../validation/props';

/** Ports of the shared address, each for one tenant. */
export interface PortRange {
  /** The first port. */
  readonly first: number;
  /** The last port. */
  readonly last: number;
}

/** What a range of ports may be. */
export const PORT_RANGE: Check<PortRange> = all(struct<PortRange>({ first: validatePort, last: validatePort }), (field, { first, last }) => {
  if (first > last) {
    throw invalidInput(field, { first, last }, 'ends before it begins', 'Give the smaller port as first');
  }
});

/** Whether a port is one of a range. */
export function isInPortRange(port: number, range?: PortRange): boolean {
  return range !== undefined && range.first <= port && port <= range.last;
}
