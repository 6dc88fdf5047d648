import { isDeepStrictEqual } from 'util';
import { casesOf, distinct } from './cases';
import { answered, claimed } from './claims';
import { recordings } from './recordings';
import { PLATFORMS } from '../matrix';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

test('each operator that was recorded is one of this library', () => {
  const known = Object.values(PLATFORMS).map(({ make }) => make(() => 30000).platform.type);
  expect(recordings().map(({ platformType }) => platformType).filter(type => !known.includes(type))).toEqual([]);
});

describe.each(recordings().map(recording => [`${recording.system} ${recording.version}`, recording.platformType, recording] as const))('what %s answered to %s', (_, platformType, { answers }) => {
  const cases = casesOf(platformType);

  test('is there for each case of the matrix and of the examples, and for no other', () => {
    const unknown = distinct(cases).filter(({ hash }) => !(hash in answers));
    expect(unknown.map(({ title }) => `${title}: its manifests changed, so record it again (CONTRIBUTING.md)`)).toEqual([]);
    const hashes = new Set(cases.map(({ hash }) => hash));
    expect(Object.keys(answers).filter(hash => !hashes.has(hash))).toEqual([]);
  });

  test('is what this library says of it', () => {
    const compared = cases.filter(({ hash }) => hash in answers)
      .map(of => ({ title: of.title, answered: answered(of, answers[of.hash]), claimed: claimed(of) }));
    const different = compared.filter(({ answered: is, claimed: ought }) => !isDeepStrictEqual(is, ought));
    // The first alone: one fault shows in hundreds of cases.
    const first = different.slice(0, 1);
    expect(first.map(({ title, answered: is }) => [title, is])).toEqual(first.map(({ title, claimed: ought }) => [title, ought]));
    expect(different.map(({ title }) => title)).toEqual([]);
  });
});
