import * as fc from 'fast-check';
import { parseBounded, requireWithin } from '../../src/kubernetes/bounded-json';

const ANY = { bytes: 2 ** 20, depth: 1_000, nodes: 2 ** 20 };

/** Keys, values, objects and arrays, as a parser has made them. */
function nodesOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + nodesOf(item), 1);
  if (typeof value === 'object' && value !== null) return Object.values(value).reduce((sum: number, item) => sum + 1 + nodesOf(item), 1);
  return 1;
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}

test('what is within the limits is read as it is', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const json = JSON.stringify(value);
    expect(parseBounded(json, ANY)).toEqual(JSON.parse(json));
    expect(parseBounded(Buffer.from(JSON.stringify(value, null, 2)), ANY)).toEqual(JSON.parse(json));
  }));
});

test('the nesting is counted exactly, whatever texts look like it', () => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('[', '{', '}', ']', '"', '\\', ',', ':', 'a', 'é') }), (value) => {
    const json = JSON.stringify(value);
    const depth = depthOf(value);
    expect(parseBounded(json, { ...ANY, depth })).toEqual(JSON.parse(json));
    if (depth > 0) expect(() => parseBounded(json, { ...ANY, depth: depth - 1 })).toThrow(`is nested deeper than ${depth - 1}`);
  }));
});

test('no more is made of a text than twice what is counted', () => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: fc.constantFrom('[', '"', '\\', ',', 'a') }), (value) => {
    const json = JSON.stringify(value);
    const nodes = Math.ceil(nodesOf(value) / 2) - 1;
    if (nodes > 0) expect(() => parseBounded(json, { ...ANY, nodes })).toThrow(`has more than ${nodes} parts`);
  }));
});

test.each([
  ['arrays in each other', '['.repeat(2_000_000), 'is nested deeper than 100'],
  ['objects in each other', '{"a":'.repeat(800_000), 'is nested deeper than 100'],
  ['small objects', `[${'{},'.repeat(1_000_000)}{}]`, 'has more than 1000 parts'],
  ['objects of many shapes', `[${Array.from({ length: 100_000 }, (_, i) => `{"a${i}":0}`).join()}]`, 'has more than 1000 parts'],
  ['an object of many keys', `{${Array.from({ length: 100_000 }, (_, i) => `"a${i}":0`).join()}}`, 'has more than 1000 parts'],
  ['numbers', `[${'0,'.repeat(1_000_000)}0]`, 'has more than 1000 parts'],
  ['a long text', JSON.stringify('x'.repeat(4_200_000)), 'is longer than 4190000 bytes'],
])('%s are refused before they are parsed', (_, json, reason) => {
  // Had it been parsed, the fault would be another.
  expect(() => parseBounded(`${json}\u0000`, { bytes: 4_190_000, depth: 100, nodes: 1_000 })).toThrow(reason);
});

test('what is no JSON is no JSON, and its length is in bytes', () => {
  expect(() => parseBounded('{"a"', ANY)).toThrow(SyntaxError);
  expect(() => parseBounded(']]]]', ANY)).toThrow(SyntaxError);
  expect(() => parseBounded('', ANY)).toThrow(SyntaxError);
  expect(() => requireWithin(Buffer.from('"é"'), { ...ANY, bytes: 3 })).toThrow('is longer than 3 bytes');
});

test('a key that is the name of the prototype changes no prototype', () => {
  const read = parseBounded<Record<string, unknown>>('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}', ANY);
  expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
