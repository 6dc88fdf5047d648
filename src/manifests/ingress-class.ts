import { pickRecord, pickText } from './fields';
import { CLASS_ANNOTATION } from './ingress-controllers';

/** The class of an Ingress, or of an object that has its field or annotation: that before `spec.ingressClassName`. */
export function ingressClassOf(object: unknown): string | undefined {
  const annotation = pickRecord(object, 'metadata.annotations')[CLASS_ANNOTATION];
  return pickText(object, 'spec.ingressClassName') ?? (typeof annotation === 'string' ? annotation : undefined);
}
