import { invalidInput } from '../validation/invalid-input';

/**
 * Quotes one word of a HAProxy configuration line.
 *
 * Words are separated by spaces; `#` starts a comment, `\` escapes, `"` and `'` quote, and `$` inside
 * double quotes is an environment variable (HAProxy configuration manual, section 2.2). Single quotes take
 * everything literally except a single quote.
 *
 * @throws when the word has a control character: a line break would start another directive; or half of a
 *   surrogate pair, which would be written as another character
 */
export function quote(word: string): string {
  if (/^[A-Za-z0-9_.,:;/@%*+=?!~^<>|[\](){}&-]+$/.test(word)) {
    return word;
  }
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(word)) {
    throw invalidInput('haproxy', word, 'has a control character, which no HAProxy value may have', 'Remove it');
  }
  if (/\p{Surrogate}/u.test(word)) {
    throw invalidInput('haproxy', word, 'has half a character (a lone surrogate), which cannot be written', 'Remove it');
  }
  return `'${word.replace(/'/g, "'\\''")}'`;
}
