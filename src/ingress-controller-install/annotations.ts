import { validateLabels } from '../validation/labels';
import { validateText } from '../validation/text';

/** Checks annotations as the Kubernetes API does: keys are those of labels, values are any text. */
export function validateAnnotations(field: string, annotations: { [name: string]: string }): void {
  for (const [key, value] of Object.entries(annotations)) {
    validateLabels(field, { [key]: '' });
    validateText(`${field}["${key}"]`, value);
  }
}
