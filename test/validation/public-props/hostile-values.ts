import { Slot } from './public-api';

const LONG = 'x'.repeat(300);
/** Nothing, and what a caller without types may give instead of anything else. */
const WRONG = [null, 42, true, {}, () => undefined];
const TEXTS = ['', ' ', 'a\nb', 'a\u0000b', '\ud800', LONG, '../x', 'Ä b', '*', '-a', 'A_B', '{', '__proto__'];
const NUMBERS = [NaN, Infinity, -1, 0, 1.5, 2 ** 31, 2 ** 53, '1'];

/** An object that holds itself has no JSON. */
const circular: { self?: unknown } = {};
circular.self = circular;

/** Values that somebody may give at a place by mistake, or on purpose. */
export function hostileValues({ kind, optional }: Slot): unknown[] {
  return [...optional ? [] : [undefined], ...ofKind(kind)];
}

function ofKind(kind: Slot['kind']): unknown[] {
  switch (kind) {
    case 'text': return [...WRONG, ...TEXTS];
    case 'number': return [...WRONG, ...NUMBERS];
    case 'boolean': return [null, 'yes', 1, {}];
    case 'enum': return [...WRONG, '', 'no such'];
    case 'list': return [...WRONG, 'x', [], [undefined], [null], [42], [''], ['a', 'a'], ['a\nb'], Array(2)];
    case 'map': return [
      ...WRONG, 'x', [], { '': 'x' }, { 'a b': 'x' }, { [LONG]: 'x' }, { '../x': 'x' }, { 'a\nb': 'x' }, { '\ud800': 'x' }, { a: null }, { a: 42 }, { a: 'a\nb' },
      { a: LONG }, { a: '\ud800' }, { a: ' ' },
    ];
    case 'struct': return [...WRONG, 'x', []];
    case 'instance': return [...WRONG, 'x', []];
    case 'any': return [NaN, '\ud800', circular, () => undefined, Symbol('x'), 1n, null];
  }
}

/** A value as the name of a test or an error shows it. */
export function shown(value: unknown): string {
  if (value === circular) {
    return 'an object that holds itself';
  }
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') {
    return String(value);
  }
  return JSON.stringify(value)?.replace(LONG, 'x…') ?? 'undefined';
}

/** A copy of the arguments with another value at one place; instances of classes are kept as they are. */
export function withValue(container: any, [key, ...rest]: string[], value: unknown): any {
  const copy = Array.isArray(container) ? [...container] : { ...container };
  const name = key === '*' ? Object.keys(container)[0] : key;
  copy[name] = rest.length === 0 ? value : withValue(container[name], rest, value);
  return copy;
}

/** Whether a base gives a value at a place. */
export function isGiven(container: any, [key, ...rest]: string[]): boolean {
  if (typeof container !== 'object' || container === null) {
    return false;
  }
  const name = key === '*' ? Object.keys(container)[0] : key;
  return container[name] !== undefined && (rest.length === 0 || isGiven(container[name], rest));
}
