import type { k8s } from 'cdk8s-plus-30';
import { invalidInput } from '../validation/invalid-input';
import { validateResources as validateAmounts } from '../validation/quantity';
import { required } from '../validation/required';

/** Checks the resources of a component: operators pass on requests and limits, in quantities, and nothing else. */
export function validateResources(field: string, resources: k8s.ResourceRequirements): void {
  const { claims } = required(field, resources, 'Give requests and limits');
  if (claims) {
    throw invalidInput(`${field}.claims`, claims, 'cannot be passed on by the operator', 'Give requests and limits alone');
  }
  validateAmounts(field, resources);
}

/** Requests and limits as the plain strings that custom resources carry. */
export function quantities(resources?: k8s.ResourceRequirements): { limits?: Record<string, string>; requests?: Record<string, string> } | undefined {
  const plain = (amounts?: { [name: string]: k8s.Quantity }) =>
    amounts && Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, String(quantity.value)]));
  return resources && { limits: plain(resources.limits), requests: plain(resources.requests) };
}
