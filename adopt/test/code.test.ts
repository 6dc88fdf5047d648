import * as fc from 'fast-check';
import { adopted, CONTROLLER, dumped } from './support/adoptions';
import { synthesized, typeErrors } from './support/program';
import { evaluate } from '../src/code/evaluate';
import { Call, Expression, Fields, Member } from '../src/code/expression';
import { comment, literal, typescriptOf } from '../src/code/typescript';
import { programOf } from '../src/program';

/** Any text, also with halves of surrogates, and what ends lines and literals. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units)),
  fc.constantFrom("'", '\\', '\\\'', '${x}', '`', '\n', '\r\n', '\u2028', '*/', '//', '</script>', '__proto__', 'constructor', '\u202e', '\ud800', ''),
);
const keys = fc.oneof(texts, fc.constantFrom('__proto__', 'constructor', 'a-b', 'a.b', '0', 'const'));
const { value: values } = fc.letrec<{ value: Expression }>(tie => ({
  value: fc.oneof({ maxDepth: 4, withCrossShrink: true },
    texts, fc.boolean(), fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map(entries => Object.fromEntries(entries) as Fields)),
}));

function evaluated(text: string): unknown {
  return new Function(`'use strict'; return (${text});`)();
}

describe('what is written', () => {
  test('evaluates to the same value whatever texts, keys and numbers are in it', () => {
    fc.assert(fc.property(values, value => {
      expect(evaluated(typescriptOf(value))).toEqual(value);
      expect(Object.is(evaluated(typescriptOf(value)), value) || typeof value !== 'number').toBe(true);
    }), { numRuns: 2000 });
  });

  test('is printable ASCII, and as broken into lines the same', () => {
    fc.assert(fc.property(values, value => {
      const text = typescriptOf(value, ' '.repeat(120));
      expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      expect(evaluated(text)).toEqual(value);
    }), { numRuns: 1000 });
  });

  test('a comment ends where its line does', () => {
    fc.assert(fc.property(texts, text => expect(evaluated(`// ${comment(text)}\n1`)).toBe(1)), { numRuns: 2000 });
  });

  test('a text of any length is one literal', () => {
    fc.assert(fc.property(texts, text => expect(evaluated(literal(text))).toBe(text)), { numRuns: 2000 });
  });

  test('calls and members are those of the names', () => {
    const names = { Store: { of: (...args: unknown[]) => ({ args }), KIND: 'kind' } };
    const value = new Call('Store.of', [{ kind: new Member('Store.KIND'), list: [new Call('Store.of')] }]);
    expect(typescriptOf(value)).toBe('Store.of({ kind: Store.KIND, list: [Store.of()] })');
    expect(evaluate(value, name => (names as any)[name])).toEqual({ args: [{ kind: 'kind', list: [{ args: [] }] }] });
  });
});

describe('a program for an object with hostile texts', () => {
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation();
  });
  afterEach(() => jest.restoreAllMocks());

  /** Half of a surrogate cannot be in a file, and two characters not in YAML. */
  const wellFormed = texts.filter(text => Buffer.from(text, 'utf8').toString('utf8') === text && !/[\ufffe\uffff]/.test(text));

  test('has them as they are, wherever the API takes any text', () => {
    fc.assert(fc.property(wellFormed, wellFormed, (text, other) => {
      const running = dumped('kamaji-node-port');
      running.metadata.annotations = { 'example.com/text': text };
      running.spec.dataStoreSchema = other;
      const program = programOf(adopted([running]), CONTROLLER);
      expect(program).toMatch(/^[\x20-\x7e\n]*$/);
      const made = synthesized(program).find(({ kind }) => kind === 'TenantControlPlane');
      expect([made.metadata.annotations['example.com/text'], made.spec.dataStoreSchema]).toEqual([text, other]);
    }), { numRuns: 60 });
  }, 120_000);

  test('compiles', () => {
    const running = dumped('kamaji-node-port');
    running.metadata.annotations = { 'example.com/text': "'); process.exit(1); ('\u2028\u202e*/" };
    expect(typeErrors({ hostile: programOf(adopted([running]), CONTROLLER) })).toEqual([]);
  }, 120_000);
});
