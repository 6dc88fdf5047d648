import { invalidInput } from './invalid-input';

/**
 * Checks that a text is one. The compiler cannot where it was told to trust the user, e.g. `process.env.NAMESPACE!`,
 * nor in plain JavaScript.
 */
export function validateText(field: string, value: string): string {
  if (typeof value !== 'string') {
    throw invalidInput(field, value, value === undefined ? 'is not set' : 'is not a text', 'Give a text; if it comes from the environment or a file, make sure that it is set there');
  }
  if (/\p{Surrogate}/u.test(value)) {
    throw invalidInput(field, value, 'has half a character (a lone surrogate), which cannot be written', 'Remove it');
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

/** Checks a text that is one line, as most are: a line break or another control character is a mistake. */
export function validateLine(field: string, value: string): string {
  requireText(field, value, 'Give a text');
  if (/\p{Cc}/u.test(value)) {
    throw invalidInput(field, value, 'has a line break or another control character', 'Remove it');
  }
  if (value !== value.trim()) {
    throw invalidInput(field, value, 'has spaces around it', 'Remove them');
  }
  return value;
}
