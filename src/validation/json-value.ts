import { invalidInput } from './invalid-input';
import { validateText } from './text';

/** So deep is no document that somebody wrote. */
const MOST_DEPTH = 64;

/** Checks that a value can be written: texts, finite numbers, true, false, null, lists and maps of them. Instances of classes, e.g. tokens of cdk8s, are left alone. */
export function validateJson(field: string, value: unknown, depth = 0): void {
  switch (typeof value) {
    case 'string':
      validateText(field, value);
      return;
    case 'number':
      if (!Number.isFinite(value)) {
        throw invalidInput(field, value, 'is not a number that can be written', 'Give a finite number');
      }
      return;
    case 'bigint': case 'function': case 'symbol':
      throw invalidInput(field, value, 'cannot be written', 'Give texts, numbers, lists and objects');
    case 'object':
      if (value !== null) {
        validateParts(field, value, depth);
      }
  }
}

/** As `validateJson`, of a map. */
export function validateJsonObject(field: string, value: { [name: string]: any }): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidInput(field, value, 'is not a map', 'Give an object of keys and values');
  }
  validateJson(field, value);
}

function validateParts(field: string, value: object, depth: number): void {
  if (depth >= MOST_DEPTH) {
    throw invalidInput(field, undefined, `is more than ${MOST_DEPTH} levels deep, or holds itself`, 'Give a document that can be written');
  }
  if (Array.isArray(value)) {
    value.forEach((item, i) => validateJson(`${field}[${i}]`, item, depth + 1));
  } else if (isPlain(value)) {
    for (const [key, item] of Object.entries(value)) {
      validateText(`${field}: key`, key);
      validateJson(`${field}.${key}`, item, depth + 1);
    }
  }
}

/** Not a comparison with Object.prototype, of which every realm has its own. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
