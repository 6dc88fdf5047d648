import fc from 'fast-check';
import { Assignment, assignments, Choice, conditionOf, yesOrNo } from '../../charts/engine/choice';
import { merge, Merged, NO_END } from '../../charts/engine/merge';

const CHOICES: Choice[] = [yesOrNo('a', '$.Values.a'), yesOrNo('b', '$.Values.b')];
const VARIANTS = assignments(CHOICES);

/** The parts that a variant has. */
function variantOf(merged: Merged, variant: Assignment): unknown {
  switch (merged.kind) {
    case 'scalar': return merged.alternatives.find(({ present }) => present.has(variant))!.content;
    case 'text': return merged.lines.filter(({ present }) => present.has(variant)).map(({ content }) => `${content}\n`).join('').replace(`${NO_END}\n`, '');
    case 'list': return merged.items.filter(({ present }) => present.has(variant)).map(({ content }) => variantOf(content, variant));
    case 'map': return Object.fromEntries(merged.entries.filter(({ present }) => present.has(variant)).map(({ key, content }) => [key, variantOf(content, variant)]));
  }
}

const { tree } = fc.letrec(tie => ({
  tree: fc.oneof({ maxDepth: 3 }, fc.constantFrom<unknown>('x', 'y', 1, 2, true), fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 6 }), tie('map')),
  map: fc.record({ one: tie('tree'), two: tie('tree'), three: tie('tree') }, { requiredKeys: [], noNullPrototype: true }),
}));

test('each variant is found in what is merged', () => {
  fc.assert(fc.property(fc.array(fc.record({ root: tree }, { noNullPrototype: true }), { minLength: 4, maxLength: 4 }), values => {
    const merged = merge(new Map(VARIANTS.map((variant, i) => [variant, values[i]])));
    VARIANTS.forEach((variant, i) => expect(variantOf(merged, variant)).toEqual(values[i]));
  }));
});

test('each variant of a text is found in what is merged, to the byte', () => {
  const text = fc.tuple(fc.array(fc.constantFrom('', 'global', '  daemon', 'x'), { minLength: 2 }), fc.boolean()).map(([lines, ended]) => `${lines.join('\n')}${ended ? '\n' : '.'}`);
  fc.assert(fc.property(fc.array(text, { minLength: 4, maxLength: 4 }), texts => {
    const merged = merge(new Map(VARIANTS.map((variant, i) => [variant, texts[i]])));
    VARIANTS.forEach((variant, i) => expect(variantOf(merged, variant)).toBe(texts[i]));
  }));
});

test.each([
  [['yes yes', 'yes no'], '$.Values.a'],
  [['no yes', 'no no'], 'not $.Values.a'],
  [['yes no'], 'and $.Values.a (not $.Values.b)'],
  [['yes yes', 'yes no', 'no yes'], 'or $.Values.a (and (not $.Values.a) $.Values.b)'],
  [['yes yes', 'yes no', 'no yes', 'no no'], undefined],
])('what is there in %j is there if %s', (present, condition) => {
  expect(conditionOf(CHOICES, VARIANTS, new Set(VARIANTS.filter(({ a, b }) => present.includes(`${a} ${b}`))))).toBe(condition);
});

test('a choice that is alone is tried with the first options of the others, and what depends on more is an error', () => {
  const alone = CHOICES.map(choice => ({ ...choice, alone: true }));
  const tried = assignments(alone);
  expect(tried).toEqual([{ a: 'yes', b: 'yes' }, { a: 'no', b: 'yes' }, { a: 'yes', b: 'no' }]);
  const three = [yesOrNo('c', '$.Values.c'), ...CHOICES];
  const withoutOne = assignments(three).filter(({ c, a, b }) => !(c === 'no' && a === 'yes' && b === 'yes') && !(c === 'yes' && a === 'no' && b === 'no'));
  const present = new Set(withoutOne.filter(({ c }) => c === 'yes').slice(0, 1));
  expect(() => conditionOf([three[1]], withoutOne, present)).toThrow('a choice is not alone');
});
