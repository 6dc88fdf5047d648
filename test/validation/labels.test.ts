import { validateLabels } from '../../src/validation/labels';

const LONG = 'a'.repeat(63);

describe('labels', () => {
  test.each<[string, string]>([
    ['team', 'platform'], ['app.kubernetes.io/name', 'a_B.c-1'], ['A_b.c', ''], [`example.com/${LONG}`, LONG], ['a', '1'], ['example.1/a', ''], ['example.1/a', ''],
  ])('may be %s: %s', (key, value) => {
    expect(validateLabels('labels', { [key]: value })).toEqual({ [key]: value });
  });

  test.each(['', '-a', 'a-', 'a b', 'example.com/', 'example.com/a/b', `${LONG}a`, 'ä'])('cannot have the key "%s"', key => {
    expect(() => validateLabels('labels', { [key]: 'a' })).toThrow(new Error(`labels: "${key}" is not the key of a label. ` +
      'Use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit, after a DNS name and "/" or alone.'));
  });

  test('cannot have a prefix that is no DNS name', () => {
    expect(() => validateLabels('labels', { 'Example.com/a': 'a' })).toThrow('labels: prefix of "Example.com/a": "Example.com" has upper-case letters');
  });

  test.each(['-a', 'a ', 'a/b', 'a:b', `${LONG}a`])('cannot have the value "%s"', value => {
    expect(() => validateLabels('labels', { team: value })).toThrow(new Error(`labels["team"]: "${value}" is not the value of a label. ` +
      'Use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit, or put the text into an annotation.'));
  });

  test.each([undefined, true, 1])('cannot have the value %p, which the API does not take for a text', value => {
    expect(() => validateLabels('labels', { team: value as any })).toThrow(`labels["team"]: ${value === undefined ? 'is not set' : `${value} is not a text`}. Give a text`);
  });
});
