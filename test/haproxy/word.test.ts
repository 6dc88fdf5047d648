import * as fc from 'fast-check';
import { HaproxyConfig } from '../../src/haproxy/config';
import { quote } from '../../src/haproxy/word';
import { temporaryFolder } from '../data-path/support/chain';
import { HaproxyProcess } from '../data-path/support/haproxy-process';
import { stopParts } from '../data-path/support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

describe('quote', () => {
  test('leaves a plain word as it is', () => {
    expect(quote('unix@/run/tcp-proxy/haproxy.sock')).toBe('unix@/run/tcp-proxy/haproxy.sock');
  });

  test('makes something of nothing', () => {
    expect(quote('')).toBe("''");
  });

  test('refuses control characters, which could start another directive', () => {
    fc.assert(fc.property(
      fc.string(),
      fc.oneof(fc.integer({ min: 0, max: 0x1f }), fc.constant(0x7f)),
      fc.string(),
      (before, control, after) => {
        expect(() => quote(before + String.fromCharCode(control) + after)).toThrow('has a control character');
      },
    ));
  });

  test('refuses half a character, which has no bytes', () => {
    expect(() => quote('\ud800')).toThrow('has half a character');
  });
});

describeWithHaproxy('quote, read by HAProxy', () => {
  // What tends to go wrong, again and again, and any text.
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(...' \'"\\$#%{}[]()<>|&;,~!*?=@`^', 'a', '0', '\u00a0', 'ü', '€', '😀'), minLength: 1 }),
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.string({ minLength: 1, maxLength: 3_000 }),
  // eslint-disable-next-line no-control-regex
  ).filter(text => !/[\u0000-\u001f\u007f]/.test(text) && !/\p{Surrogate}/u.test(text));

  test('every printable word survives', async () => {
    await fc.assert(fc.asyncProperty(fc.array(word, { minLength: 50, maxLength: 100 }), async words => {
      expect(await asReadByHaproxy(words)).toEqual(words);
    }), { numRuns: 20 });
  });

  test('a word cannot leave its quotes, its line or its place', async () => {
    const words = ['${HOME}', '"$HOME"', '\\', "'", "\\'", "'\\''", '#', 'a b', ' ', '%[env(HOME)]', '\u2028', 'x\\n', '\\x41', '; setenv X y'];
    expect(await asReadByHaproxy(words)).toEqual(words);
  });
});

/** Lets HAProxy read words, as the values of environment variables, and returns what it made of them. */
async function asReadByHaproxy(words: string[]): Promise<string[]> {
  const folder = await temporaryFolder();
  const config = new HaproxyConfig();
  const global = config.section('global').add('stats', 'socket', `unix@${folder}/haproxy.sock`, 'level', 'admin');
  words.forEach((text, i) => global.add('setenv', `WORD_${i}`, text));
  const haproxy = await HaproxyProcess.start(folder, 'words', config.render());
  const environment = await haproxy.command('show env');
  await stopParts();
  return [...environment.matchAll(/^WORD_\d+=([^\n]*)$/gm)].map(match => match[1]);
}
