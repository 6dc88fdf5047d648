import { invalidInput, InvalidInputError } from './invalid-input';

/**
 * Checks that an object is given and returns it. The compiler cannot in plain JavaScript, nor where TypeScript runs without
 * being checked.
 *
 * @param remedy what to write, e.g. `Give one, e.g. ControlPlanePlatform.kamaji()`
 */
export function required<T>(field: string, value: T, remedy: string): T {
  if (value === undefined) {
    throw invalidInput(field, value, 'is not given', remedy);
  }
  if (typeof value === 'function') {
    const reason = 'has not been called';
    throw new InvalidInputError({ field, value, reason, remedy }, `the function ${value.name || 'without a name'} ${reason}. ${remedy}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(field, value, 'is not of the right type', remedy);
  }
  return value;
}

/** As `required`, of a list. */
export function requiredList<T>(field: string, value: T[], remedy: string): T[] {
  if (Array.isArray(value)) {
    return value;
  }
  required(field, value, remedy);
  throw invalidInput(field, value, 'is not a list', remedy);
}
