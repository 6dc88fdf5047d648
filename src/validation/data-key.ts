import { invalidInput } from './invalid-input';
import { validateText } from './text';

/** Checks a key of a Secret or a ConfigMap as the Kubernetes API does (`IsConfigMapKey`). */
export function validateDataKey(field: string, key: string): string {
  if (!/^[-._a-zA-Z0-9]{1,253}$/.test(validateText(field, key)) || key === '.' || key.startsWith('..')) {
    throw invalidInput(field, key, 'is not a key of a Secret or ConfigMap', 'Use letters, digits, "-", "_" and "."');
  }
  return key;
}
