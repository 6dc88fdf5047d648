import type { k8s } from 'cdk8s-plus-30';
import { invalidInput } from '../validation/invalid-input';

/** Checks the resources of a component: operators pass on requests and limits, in quantities, and nothing else. */
export function validateResources(field: string, resources: k8s.ResourceRequirements | undefined): void {
  if (resources?.claims) {
    throw invalidInput(`${field}.claims`, resources.claims, 'cannot be passed on by the operator', 'Give requests and limits alone');
  }
  for (const kind of ['requests', 'limits'] as const) {
    for (const [name, quantity] of Object.entries(resources?.[kind] ?? {})) {
      if (quantity?.value === undefined) {
        throw invalidInput(`${field}.${kind}.${name}`, quantity ?? null, 'is not a Quantity, so that it would be lost',
          'Give k8s.Quantity.fromString() or fromNumber() of it');
      }
    }
  }
}

/** Requests and limits as the plain strings that custom resources carry. */
export function quantities(resources?: k8s.ResourceRequirements): { limits?: Record<string, string>; requests?: Record<string, string> } | undefined {
  const plain = (amounts?: { [name: string]: k8s.Quantity }) =>
    amounts && Object.fromEntries(Object.entries(amounts).map(([name, quantity]) => [name, String(quantity.value)]));
  return resources && { limits: plain(resources.limits), requests: plain(resources.requests) };
}
