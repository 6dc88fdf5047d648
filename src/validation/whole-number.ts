import { invalidInput } from './invalid-input';

/** The largest number of a field that is an int32, as most of Kubernetes' are. */
export const MAX_INT32 = 2 ** 31 - 1;

/**
 * A check for whole numbers.
 *
 * @param what  what it is a number of, e.g. `pods`
 * @param least the smallest that is allowed
 * @param most  the largest
 */
export function wholeNumber(what: string, least: number, most = MAX_INT32): (field: string, value: number) => number {
  const range = most === MAX_INT32 ? `a whole number of at least ${least}` : `a whole number from ${least} to ${most}`;
  return (field, value) => {
    if (!Number.isInteger(value) || value < least || value > most) {
      throw invalidInput(field, value, value === undefined ? 'is not set' : `is not a number of ${what}`, `Give ${range}`);
    }
    return value;
  };
}
