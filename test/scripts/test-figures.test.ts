import { readFileSync } from 'fs';
import { countIn, figuresOf, testFigures, TESTING_PAGE, withTestFigures } from '../../scripts/test-figures';

const PAGE = readFileSync(TESTING_PAGE, 'utf8');

/** Fewer are soon twice as many. */
const MANY = 20;

describe('the figures of docs/how-this-is-tested.md', () => {
  const written = figuresOf(PAGE);
  const today = testFigures();
  const titles = ({ kinds, others }: typeof today) => [...kinds, ...others].map(([title]) => title);

  test('are those of the script, of a commit: `npx tsx scripts/test-figures.ts` writes them', () => {
    expect(written.stamp).toMatch(/^Counted on \d{4}-\d\d-\d\d at the commit [0-9a-f]+\.$/);
    expect(PAGE).toBe(withTestFigures(PAGE, written.figures, written.stamp));
    expect(titles(written.figures)).toEqual(titles(today));
  });

  test('are not of another age: none is half or twice of what there is', () => {
    const numbers = ({ kinds, others }: typeof today) =>
      [...kinds, ...others].flatMap(([title, ...counts]) => counts.map((count, i) => ({ title, i, count })));
    const then = numbers(written.figures);
    const isOff = (one: number, other: number) => Math.max(one, other) > MANY && (one > 2 * other || 2 * one < other);

    expect(numbers(today).filter(({ count }, n) => isOff(count, then[n].count))).toEqual([]);
  });

  test('add up', () => {
    const all = today.kinds[today.kinds.length - 1];
    const sums = all.slice(1).map((_, i) => today.kinds.slice(0, -1).reduce((sum, [, ...counts]) => sum + counts[i], 0));
    expect(all).toEqual(['all', ...sums]);
    expect(Math.min(...today.kinds.map(([, files]) => files as number))).toBeGreaterThan(0);
  });

  test('count tests, those with a table, and properties', () => {
    const text = `
      describe('a', () => {
        test('b', () => { expect(test.name).toBe('test("c")'); });
        it.skip('d', () => fc.assert(fc.property(fc.string(), e => e.length >= 0)));
        test.each([[1], [2]])('f %d', () => undefined);
        test.each<[string]>([['g']])('h %s', async () => { await fc.assert(i); });
      });`;
    expect(countIn(text)).toEqual({ tests: 4, tables: 2, properties: 2 });
  });

  test.each(['no marks', '<!-- /figures --><!-- figures -->\n'])('need their marks: %s', page => {
    expect(() => withTestFigures(page, today, '')).toThrow('has no <!-- figures --> … <!-- /figures -->');
  });
});
