import { invalidInput } from './invalid-input';
import { validateText } from './text';

export const SUBDOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/**
 * Checks the name of an object that something refers to, e.g. a Secret or a class: a DNS-1123 subdomain
 * (kubernetes, `NameIsDNSSubdomain` in apimachinery).
 */
export function validateObjectName(field: string, value: string): string {
  validateText(field, value);
  if (value.length > 253) {
    throw invalidInput(field, value, `is ${value.length} characters long; Kubernetes allows 253`, 'Shorten it');
  }
  if (!SUBDOMAIN.test(value)) {
    throw invalidInput(field, value, value === '' ? 'is empty' : 'is not the name of an object',
      'Use lower-case letters, digits, "-" and ".", starting and ending with a letter or digit');
  }
  return value;
}
