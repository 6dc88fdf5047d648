import * as fc from 'fast-check';
import { adopted, dumped } from './support/adoptions';
import { JSON_SCHEMA_ROOT, specOf } from './support/any-spec';
import { lostOf } from './support/leaves';
import { Adoption } from '../src/adopt';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

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
      expect(lostOf(running, adoption)).toEqual([]);
    }), { numRuns: 300 });
    // Two hosts that are one cannot be described, nor a port that the shared address lacks.
    expect(refused).toBeLessThan(described / 10);
  }, 300_000);
});
