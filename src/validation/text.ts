import { invalidInput } from './invalid-input';

/**
 * Checks that a text is one. The compiler cannot where it was told to trust the user, e.g. `process.env.NAMESPACE!`,
 * nor in plain JavaScript.
 */
export function validateText(field: string, value: string): string {
  if (typeof value !== 'string') {
    throw invalidInput(field, value, 'is not a text', 'Give a text; if it comes from the environment or a file, make sure that it is set there');
  }
  return value;
}

/** Checks that a text is one with more in it than spaces. */
export function requireText(field: string, value: string, remedy: string): string {
  if (validateText(field, value).trim() === '') {
    throw invalidInput(field, value, 'is empty', remedy);
  }
  return value;
}
