import { UNSAFE_CHARACTERS } from '../src/validation/unsafe-characters';

const MAX_LENGTH = 500;

/**
 * One line of text that cannot steer a terminal. What an endpoint says about itself (names in certificates, bodies of
 * responses, errors) and what a file says goes through here before it is shown.
 */
export function printable(text: string, maxLength = MAX_LENGTH): string {
  const line = text.slice(0, maxLength).replace(/\s+/g, ' ').replace(UNSAFE_CHARACTERS, '?').trim();
  return text.length > maxLength ? `${line}…` : line;
}
