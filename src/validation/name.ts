import { invalidInput } from './invalid-input';
import { validateText } from './text';

export const DNS_1035_LABEL = /^[a-z]([a-z0-9-]*[a-z0-9])?$/;
export const DNS_1123_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/**
 * Checks a DNS-1035 label: the rule for Service names, and so for control planes, whose Service carries
 * their name (webhook of Kamaji and Steward).
 */
export function validateDns1035Label(field: string, value: string): string {
  return validateLabel(field, value, DNS_1035_LABEL, 'starting with a letter and ending with a letter or digit');
}

/** Checks a DNS-1123 label: the rule for namespaces and most object names. */
export function validateDns1123Label(field: string, value: string): string {
  return validateLabel(field, value, DNS_1123_LABEL, 'starting and ending with a letter or digit');
}

/** Checks a port number. */
export function validatePort(field: string, value: number): number {
  if (!Number.isInteger(value) || value < 1 || value > 65535) {
    throw invalidInput(field, value, 'is not a port', 'Give a whole number from 1 to 65535');
  }
  return value;
}

function validateLabel(field: string, value: string, pattern: RegExp, shape: string): string {
  validateText(field, value);
  if (value.length > 63) {
    throw invalidInput(field, value, `is ${value.length} characters long; Kubernetes allows 63`, 'Shorten it');
  }
  if (!pattern.test(value)) {
    throw invalidInput(field, value, 'is not a valid name', `Use lower-case letters, digits and "-", ${shape}`);
  }
  return value;
}
