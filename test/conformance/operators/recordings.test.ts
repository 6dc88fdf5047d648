import { OperatorAnswer } from './answer';
import { casesOf } from './cases';
import { answered, claimed } from './claims';
import { recordings } from './recordings';

/** The platform of this library that each recorded operator runs. */
const PLATFORM_TYPES: { [system: string]: string } = { Kamaji: 'kamaji' };

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('each operator that was recorded is one of this library', () => {
  expect(recordings().map(({ system }) => system).filter(system => !(system in PLATFORM_TYPES))).toEqual([]);
});

describe.each(recordings().map(recording => [`${recording.system} ${recording.version}`, recording] as const))('what %s answered', (_, { system, answers }) => {
  const cases = casesOf(PLATFORM_TYPES[system]);

  test('is there for each case of the matrix, and for no other', () => {
    const unknown = cases.filter(({ hash }) => !(hash in answers)).map(({ title }) => `${title}: its manifests changed, so record it again (CONTRIBUTING.md)`);
    expect(unknown).toEqual([]);
    const hashes = new Set(cases.map(({ hash }) => hash));
    expect(Object.keys(answers).filter(hash => !hashes.has(hash))).toEqual([]);
  });

  test('is what this library says of it', () => {
    const compare = (of: (found: typeof cases[number], answer: OperatorAnswer) => unknown) =>
      Object.fromEntries(cases.filter(({ hash }) => hash in answers).map(found => [found.title, of(found, answers[found.hash])]));
    expect(compare(answered)).toEqual(compare(claimed));
  });
});
