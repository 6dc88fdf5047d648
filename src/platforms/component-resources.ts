import type { k8s } from 'cdk8s-plus-30';
import { invalidInput } from '../validation/invalid-input';
import { validateResources as validateAmounts } from '../validation/quantity';

/** Checks the resources of a component: operators pass on requests and limits, in quantities, and nothing else. */
export function validateResources(field: string, resources: k8s.ResourceRequirements): void {
  validateAmounts(field, resources);
  if (resources.claims) {
    throw invalidInput(`${field}.claims`, resources.claims, 'cannot be passed on by the operator', 'Give requests and limits alone');
  }
}

/** Requests and limits as the plain strings that custom resources carry. */
export function quantities(resources?: k8s.ResourceRequirements): { limits?: Record<string, string>; requests?: Record<string, string> } | undefined {
  const plain = (amounts?: { [name: string]: k8s.Quantity }) =>
    amounts && Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, String(quantity.value)]));
  return resources && { limits: plain(resources.limits), requests: plain(resources.requests) };
}
