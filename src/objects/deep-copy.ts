/**
 * A copy of a user's values that later changes of theirs do not reach: specs are written at synthesis, long after the
 * values were checked.
 *
 * Lists and plain objects are copied; instances of classes (quantities, tokens of cdk8s) are kept.
 */
export function deepCopy<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map(deepCopy) as T;
  }
  return isPlain(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deepCopy(item)])) as T : value;
}

/** Whether a value is an object without a class. */
export function isPlain(value: unknown): value is { [key: string]: any } {
  if (value === null || typeof value !== 'object') {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  // Not a comparison with Object.prototype, of which every realm has its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
