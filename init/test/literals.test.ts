import * as fc from 'fast-check';
import { goText, javaText, pythonText, typescriptText } from '../src/languages/literals';

/*
 * Readers of literals, after the grammars of the languages; scripts/languages.sh gives hostile texts to the languages themselves.
 */
const HEX = (digits: string) => String.fromCodePoint(parseInt(digits, 16));

/** The text that a literal is, or an error where the literal ends before its end, or has what it must not. */
function read(literal: string, quote: string, escapes: [RegExp, (digits: string) => string][]): string {
  expect(literal).toMatch(/^[ -~]*$/);
  expect([literal[0], literal[literal.length - 1]]).toEqual([quote, quote]);
  let rest = literal.slice(1, -1);
  let text = '';
  while (rest !== '') {
    const found = escapes.map(([pattern, of]) => ({ match: pattern.exec(rest), of })).find(({ match }) => match);
    if (found) {
      text += found.of(found.match![1]);
      rest = rest.slice(found.match![0].length);
    } else {
      expect(rest[0]).not.toBe('\\');
      expect(rest[0]).not.toBe(quote);
      text += rest[0];
      rest = rest.slice(1);
    }
  }
  return text;
}

const UNIT: [RegExp, (digits: string) => string] = [/^\\u([0-9a-f]{4})/, HEX];
const LONG: [RegExp, (digits: string) => string] = [/^\\U([0-9a-f]{8})/, HEX];

const LANGUAGES: [string, (text: string) => string, (literal: string) => string][] = [
  ['TypeScript', typescriptText, literal => read(literal, "'", [[/^\\u\{([0-9a-f]+)\}/, HEX], UNIT, [/^\\(['\\])/, each => each]])],
  ['Python', pythonText, literal => read(literal, '"', [LONG, UNIT, [/^\\(["\\])/, each => each]])],
  ['Go', goText, literal => read(literal, '"', [LONG, UNIT, [/^\\(["\\])/, each => each]])],
  // Java reads `\u` first, unless another backslash is before it.
  ['Java', javaText, literal => {
    const units = literal.replace(/\\\\|\\u([0-9a-f]{4})/g, (all, digits?: string) => digits ? HEX(digits) : all);
    expect(units.slice(1, -1)).not.toMatch(/[\r\n]/);
    return read(units.replace(/[^ -~]/gu, character => `\\<${character.codePointAt(0)!.toString(16)}>`), '"', [
      [/^\\<([0-9a-f]+)>/, HEX], [/^\\([0-7]{3})/, digits => String.fromCharCode(parseInt(digits, 8))], [/^\\(["\\])/, each => each],
    ]);
  }],
];

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\\', '"', "'", '`', '$', '{', '}', 'u', '0', '2', '\n', '\r', '\u2028', '\u0000', '😀', '%', '*/', '#') }),
);

test.each(LANGUAGES)('no text breaks out of a literal of %s, and each is read as it was', (_, write, readBack) => {
  fc.assert(fc.property(HOSTILE, text => {
    expect(readBack(write(text))).toBe(text);
  }), { numRuns: 500 });
});

test.each(LANGUAGES)('half a pair of UTF-16 is replaced in %s', (_, write, readBack) => {
  expect(readBack(write('a\ud800b'))).toBe('a\ufffdb');
});
