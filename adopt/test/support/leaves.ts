import { Adoption } from '../../src/adopt';
import { Json } from '../../src/code/expression';
import { comparable } from '../../src/difference/comparable';
import { Change } from '../../src/difference/difference';
import { isRecord, pathText } from '../../src/json';

/** Every value of an object behind the path to it. An object, or a list, with something in it is there too, as an empty one would be. */
export function leaves(value: Json, path: (string | number)[] = []): string[] {
  if (isRecord(value) && Object.keys(value).length > 0) {
    return [`${pathText(path)} {}`, ...Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]))];
  }
  if (Array.isArray(value) && value.length > 0) {
    return [`${pathText(path)} []`, ...value.flatMap((each, i) => leaves(each, typeof each === 'string' ? path : [...path, i]))];
  }
  return [`${pathText(path)} ${JSON.stringify(value)}`];
}

/** What the differences say goes or changes; where an object becomes empty, it goes with what was in it. */
export function told(changes: Change[]): Set<string> {
  return new Set(changes.flatMap(({ path, before }) => [
    ...before === undefined ? [] : [`${pathText(path)} []`, ...leaves(before, [...path])],
    ...path.map((_, i) => `${pathText(path.slice(0, i))} {}`),
  ]));
}

/** What of an object is neither in what is made of it nor told. */
export function lostOf(running: Json, { applied, changes }: Adoption): string[] {
  const [made, differences] = [new Set(leaves(applied)), told(changes)];
  return leaves(comparable(running)).filter(leaf => !made.has(leaf) && !differences.has(leaf));
}
