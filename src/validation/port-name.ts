import { invalidInput } from './invalid-input';
import { validateText } from './text';

/** Checks the name of a port of a pod (kubernetes, `IsValidPortName`). */
export function validatePortName(field: string, name: string): string {
  if (!/^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/.test(validateText(field, name)) || name.length > 15) {
    throw invalidInput(field, name, 'is not the name of a port', 'Use up to 15 lower-case letters, digits and single "-", with a letter among them');
  }
  return name;
}
