import { invalidInput } from '../validation/invalid-input';
import { validateText } from '../validation/text';

/** Checks the name of a file that is also a key of a ConfigMap. */
export function validateFileName(field: string, name: string): string {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/.test(validateText(field, name))) {
    throw invalidInput(field, name, 'is not the name of a file', 'Use letters, digits, "-", "_" and ".", not starting with "."');
  }
  return name;
}
