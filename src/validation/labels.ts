import { validateDnsSubdomain } from './hostname';
import { invalidInput } from './invalid-input';
import { mapOf } from './props';
import { validateText } from './text';

export const LABEL_NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const SHAPE = 'Use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit';

/**
 * Checks labels as the Kubernetes API does and returns them unchanged: a key is a name of at most 63 characters, with
 * a DNS name and "/" before it or not, and a value is such a name or empty.
 */
export function validateLabels(field: string, labels: { [name: string]: string }): { [name: string]: string } {
  mapOf(validateLabelValue, (_, key) => validateLabelKey(field, key))(field, labels);
  return labels;
}

/** Checks the key of a label, an annotation or a taint. */
export function validateLabelKey(field: string, key: string): string {
  validateText(field, key);
  const slash = key.indexOf('/');
  if (slash >= 0) {
    validateDnsSubdomain(`${field}: prefix of "${key}"`, key.slice(0, slash));
  }
  if (!isName(key.slice(slash + 1))) {
    throw invalidInput(field, key, 'is not the key of a label', `${SHAPE}, after a DNS name and "/" or alone`);
  }
  return key;
}

/** Checks the value of a label or a taint. */
export function validateLabelValue(field: string, value: string): string {
  validateText(field, value);
  if (value !== '' && !isName(value)) {
    throw invalidInput(field, value, 'is not the value of a label', `${SHAPE}, or put the text into an annotation`);
  }
  return value;
}

function isName(text: string): boolean {
  return text.length <= 63 && LABEL_NAME.test(text);
}
