import { Json } from './code/expression';

/** A path in an object: keys, and positions in lists. */
export type Path = readonly (string | number)[];

export function isRecord(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key of its own; undefined where there is none. */
export function own(value: Json | undefined, key: string | number): Json | undefined {
  return typeof value === 'object' && value !== null && Object.prototype.hasOwnProperty.call(value, key) ? (value as Record<string | number, Json>)[key] : undefined;
}

/** What stands at a path such as `spec.kubernetes.version`. */
export function at(value: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce(own, value);
}

/** Whether two values are the same, whatever the order of keys. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => same(each, b[i]));
  if (isRecord(a) && isRecord(b)) {
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every(key => own(b, key) !== undefined && same(own(a, key), own(b, key)));
  }
  return a === b;
}

/** A path for people: `spec.services[0].service`, and `metadata.annotations["example.com/a"]`. */
export function pathText(path: Path): string {
  return path.map((part, i) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[A-Za-z_][\w-]*$/.test(part) ? `${i === 0 ? '' : '.'}${part}` : `[${JSON.stringify(part)}]`;
  }).join('');
}
