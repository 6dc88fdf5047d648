import { invalidInput } from '../validation/invalid-input';

/** Checks a duration as Flux and Argo CD write them: numbers with the units ms, s, m and h. */
export function requireDuration(field: string, value: string): string {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(value)) {
    throw invalidInput(field, value, 'is not a duration', 'Give numbers with units, e.g. "10m" or "1h30m"');
  }
  return value;
}
