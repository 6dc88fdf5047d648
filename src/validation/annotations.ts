import { invalidInput } from './invalid-input';
import { validateLabelKey } from './labels';
import { mapOf } from './props';
import { validateText } from './text';

/** All keys and values of an object (kubernetes, `TotalAnnotationSizeLimitB`). */
const LARGEST = 256 * 1024;

/** Checks annotations as the Kubernetes API does: keys are those of labels, in any case, and values are texts. */
export function validateAnnotations(field: string, annotations: { [name: string]: string }): { [name: string]: string } {
  mapOf(validateText, (_, key) => validateLabelKey(field, key.toLowerCase()))(field, annotations);
  const size = Object.entries(annotations).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  if (size > LARGEST) {
    throw invalidInput(field, size, `bytes are more than the ${LARGEST} that an object may have`, 'Shorten them');
  }
  return annotations;
}
