import * as fc from 'fast-check';
import { adopted, dumped } from './support/adoptions';
import { JSON_SCHEMA_ROOT, specOf } from './support/any-spec';
import { Adoption } from '../src/adopt';
import { Json } from '../src/code/expression';
import { comparable } from '../src/difference/comparable';
import { Change } from '../src/difference/difference';
import { isRecord, pathText } from '../src/json';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

/** Every value of an object behind the path to it. An object, or a list, with something in it is there too, as an empty one would be. */
function leaves(value: Json, path: (string | number)[] = []): string[] {
  if (isRecord(value) && Object.keys(value).length > 0) {
    return [`${pathText(path)} {}`, ...Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]))];
  }
  if (Array.isArray(value) && value.length > 0) {
    return [`${pathText(path)} []`, ...value.flatMap((each, i) => leaves(each, typeof each === 'string' ? path : [...path, i]))];
  }
  return [`${pathText(path)} ${JSON.stringify(value)}`];
}

/** What the differences say goes or changes; where an object becomes empty, it goes with what was in it. */
function told(changes: Change[]): Set<string> {
  return new Set(changes.flatMap(({ path, before }) => [
    ...before === undefined ? [] : leaves(before, [...path]),
    ...path.map((_, i) => `${pathText(path.slice(0, i))} {}`),
  ]));
}

/** Undefined where there is an error that says why not. */
function adoptionOf(running: unknown): Adoption | undefined {
  try {
    return adopted([running])[0];
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigurationError', message: expect.stringMatching(/ cannot be described: management\/control-plane: .+\./) });
    return undefined;
  }
}

describe.each(Object.keys(JSON_SCHEMA_ROOT))('whatever a %s says', kind => {
  test('is in what is synthesized, or told as a difference', () => {
    let [described, refused] = [0, 0];
    fc.assert(fc.property(specOf(kind), (spec: any) => {
      const running = dumped(JSON_SCHEMA_ROOT[kind].dump);
      running.spec = JSON_SCHEMA_ROOT[kind].around(running.spec, spec);
      const adoption = adoptionOf(running);
      if (adoption === undefined) {
        refused += 1;
        return;
      }
      described += 1;
      const differences = told(adoption.changes);
      const made = new Set(leaves(adoption.applied));
      const lost = leaves(comparable(running)).filter(leaf => !made.has(leaf) && !differences.has(leaf));
      expect(lost).toEqual([]);
    }), { numRuns: 300 });
    // Two hosts that are one cannot be described, nor a port that the shared address lacks.
    expect(refused).toBeLessThan(described / 10);
  }, 300_000);
});
