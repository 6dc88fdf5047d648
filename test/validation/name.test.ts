import * as fc from 'fast-check';
import { validateDns1035Label, validateDns1123Label, validatePort } from '../../src/validation/name';

const LONG = 'a'.repeat(64);

describe.each([
  ['validateDns1035Label', validateDns1035Label, 'starting with a letter and ending with a letter or digit'],
  ['validateDns1123Label', validateDns1123Label, 'starting and ending with a letter or digit'],
])('%s', (_, validate, shape) => {
  test.each(['a', 'tenant-01', 'a'.repeat(63)])('accepts %s', value => {
    expect(validate('name', value)).toBe(value);
  });

  test.each(['', '-a', 'a-', 'A', 'a.b', 'a_b', 'a b', 'ä'])('refuses "%s"', value => {
    expect(() => validate('name', value)).toThrow(
      new Error(`name: "${value}" is not a valid name. Use lower-case letters, digits and "-", ${shape}.`));
  });

  test.each([undefined, null, 7])('refuses %p, which the compiler cannot always see', value => {
    expect(() => validate('name', value as any)).toThrow(new Error(
      `name: ${value === undefined ? 'is not set' : `${value} is not a text`}. Give a text; if it comes from the environment or a file, make sure that it is set there.`));
  });

  test('refuses more than 63 characters', () => {
    expect(() => validate('name', LONG)).toThrow(new Error(`name: "${LONG}" is 64 characters long; Kubernetes allows 63. Shorten it.`));
  });
});

test('only a DNS-1123 label may start with a digit', () => {
  expect(validateDns1123Label('namespace', '01-tenant')).toBe('01-tenant');
  expect(() => validateDns1035Label('name', '01-tenant')).toThrow('starting with a letter');
});

describe('validatePort', () => {
  test('accepts every port', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 65535 }), port => validatePort('port', port) === port));
  });

  test('refuses a text', () => {
    expect(() => validatePort('port', '443' as any)).toThrow('port: "443" is not a port. Give a whole number');
  });

  test.each([0, -1, 65536, 443.5, NaN, Infinity])('refuses %d', port => {
    expect(() => validatePort('port', port)).toThrow(
      new Error(`port: ${port} is not a port. Give a whole number from 1 to 65535.`));
  });
});
