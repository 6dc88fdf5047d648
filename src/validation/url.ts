import { invalidInput } from './invalid-input';
import { validateLine } from './text';

/** Checks a URL of HTTP or HTTPS. */
export function validateHttpUrl(field: string, url: string): string {
  return validateUrl(field, url, 'https', 'http');
}

/**
 * Checks a URL.
 *
 * @param schemes those that are allowed; the first is that of the example
 */
export function validateUrl(field: string, url: string, ...schemes: string[]): string {
  validateLine(field, url);
  const match = /^([a-z]+):\/\/[^/?#\s]/.exec(url);
  if (!match || !schemes.includes(match[1]) || /\s/.test(url) || !URL.canParse(url)) {
    throw invalidInput(field, url, 'is not a URL', `Write "${schemes[0]}://host/path"${schemes.length > 1 ? ` (or ${schemes.slice(1).join(', ')})` : ''}`);
  }
  return url;
}
