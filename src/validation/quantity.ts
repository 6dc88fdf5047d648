import { invalidInput } from './invalid-input';
import { mapOf, optional } from './props';
import { required } from './required';
import { validateText } from './text';

/** What `k8s.ResourceRequirements` of every cdk8s-plus is. */
export interface Resources {
  readonly claims?: unknown;
  readonly limits?: { [name: string]: Amount };
  readonly requests?: { [name: string]: Amount };
}

/** What `k8s.Quantity` of every cdk8s-plus is. */
interface Amount {
  readonly value: string | number | any;
}

const QUANTITY = /^\+?(\d+(\.\d*)?|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** Checks an amount of a resource as the Kubernetes API writes it, e.g. `8Gi` or `100m`. */
export function validateQuantity(field: string, value: string): string {
  if (!QUANTITY.test(validateText(field, value)) || value.length > 32) {
    throw invalidInput(field, value, 'is not an amount', 'Give a number with a unit of Kubernetes, e.g. "8Gi", "64Mi" or "100m"');
  }
  return value;
}

/** Checks requests and limits: `Quantity` has any text or number in it. */
export function validateResources(field: string, resources: Resources): void {
  const amounts = required(field, resources, 'Give requests and limits');
  for (const kind of ['requests', 'limits'] as const) {
    optional(mapOf(validateAmount))(`${field}.${kind}`, amounts[kind]);
  }
}

function validateAmount(field: string, amount: Amount): void {
  if (typeof amount !== 'object' || amount === null || !('value' in amount)) {
    throw invalidInput(field, amount, 'is not a Quantity, so that it would be lost', 'Give k8s.Quantity.fromString() or fromNumber() of it');
  }
  if (typeof amount.value === 'number' ? !Number.isFinite(amount.value) || amount.value < 0 : !QUANTITY.test(validateText(field, amount.value))) {
    throw invalidInput(field, amount.value, 'is not an amount', 'Give a number with a unit of Kubernetes, e.g. k8s.Quantity.fromString("64Mi")');
  }
}
