import { Json } from '../code/expression';
import { isRecord, own, Path, same } from '../json';

/** One field that would change. Of a list of texts it is one of them. */
export interface Change {
  readonly path: Path;
  /** As it is; undefined where it is not there. */
  readonly before?: Json;
  /** As it would be; undefined where it would not be there. */
  readonly after?: Json;
}

/** Lists in which the order means nothing. */
const SETS = ['certSANs', 'sans', 'dnsServiceIPs'];

/** Every field that differs, down to single values. */
export function differenceOf(before: Json | undefined, after: Json | undefined, path: Path = []): Change[] {
  if (same(before, after)) return [];
  if (isRecord(before ?? {}) && isRecord(after ?? {}) && !(isEmpty(before) && isEmpty(after))) {
    const keys = [...new Set([...keysOf(before), ...keysOf(after)])];
    return keys.flatMap(key => differenceOf(own(before, key), own(after, key), [...path, key]));
  }
  if (isTexts(before) && isTexts(after)) return textChanges(before ?? [], after ?? [], path);
  if (Array.isArray(before) && Array.isArray(after)) {
    return Array.from({ length: Math.max(before.length, after.length) }, (_, i) => differenceOf(before[i], after[i], [...path, i])).flat();
  }
  return [{ path, before, after }];
}

/** An object with nothing in it can mean a lot: that an addon is on. */
function isEmpty(value: Json | undefined): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

function keysOf(value: Json | undefined): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function isTexts(value: Json | undefined): value is string[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(item => typeof item === 'string'));
}

function textChanges(before: string[], after: string[], path: Path): Change[] {
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length + come.length > 0) return [...gone.map(text => ({ path, before: text })), ...come.map(text => ({ path, after: text }))];
  // Also an empty list beside none.
  return SETS.includes(String(path.at(-1))) ? [] : [{ path, before, after }];
}

/** Texts of one list that another lacks; of one that is there twice, each. */
function without(list: string[], other: string[]): string[] {
  const left = [...other];
  return list.filter(text => {
    const i = left.indexOf(text);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}
