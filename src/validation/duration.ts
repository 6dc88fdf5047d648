import { invalidInput } from './invalid-input';
import { validateText } from './text';

const SECONDS: { [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Checks a duration as Flux, Argo CD and cert-manager write them: numbers with the units ms, s, m and h. */
export function requireDuration(field: string, value: string): string {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(validateText(field, value)) || value.length > 32) {
    throw invalidInput(field, value, 'is not a duration', 'Give numbers with units, e.g. "10m" or "1h30m"');
  }
  return value;
}

/** The seconds of such a duration. */
export function secondsOf(duration: string): number {
  return [...duration.matchAll(/([\d.]+)(ms|s|m|h)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * SECONDS[unit], 0);
}
