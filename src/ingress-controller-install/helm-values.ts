import { isPlain } from '../objects/deep-copy';
import { invalidInput } from '../validation/invalid-input';

/** Values of a Helm chart. */
export interface HelmValues { [key: string]: any }

/** Joins values as Helm does: maps key by key, anything else is replaced by what comes later. */
export function mergeHelmValues(...layers: HelmValues[]): HelmValues {
  const merged: HelmValues = {};
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value !== undefined) {
        merged[key] = isPlain(value) ? mergeHelmValues(isPlain(merged[key]) ? merged[key] : {}, value) : value;
      }
    }
  }
  return merged;
}

/**
 * Refuses `null` in values: Helm takes it for "without the chart's default", but cdk8s leaves it out of manifests, so
 * that the default would stay.
 */
export function refuseNulls(field: string, values: HelmValues): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) {
      throw invalidInput(`${field}.${key}`, value, 'would be lost, as cdk8s leaves null out of manifests', 'Give the value that the chart is to have, e.g. "", [] or false');
    }
    if (isPlain(value)) {
      refuseNulls(`${field}.${key}`, value);
    }
  }
}
