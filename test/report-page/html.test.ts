import * as fc from 'fast-check';
import { grouped, html } from '../../src/report-page/html';

const ANY_TEXT = fc.oneof(
  fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'<>&"\'=/ \n\u202e\u0000\ud800ab'.split('')) }),
  fc.constantFrom('</script><script>alert(1)</script>', '" onmouseover="alert(1)', "' x='", '<!--', '&lt;', ']]>', '\u2028'),
);

/** As a browser reads it; there are no other entities. */
function read(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ({ 'amp': '&', 'lt': '<', 'gt': '>', 'quot': '"', '#39': "'" })[name as 'amp']!);
}

describe('what is put into HTML', () => {
  test('is text, and is read as what it was', () => {
    fc.assert(fc.property(ANY_TEXT, text => {
      const { text: written } = html`${text}`;
      expect(written).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      expect(read(written)).toBe(text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '\uFFFD'));
    }));
  });

  test('ends no element, attribute or comment', () => {
    fc.assert(fc.property(ANY_TEXT, text => {
      expect(html`<a title="${text}">${[text, html`<b>${text}</b>`]}</a>`.text).toMatch(/^<a title="[^"<>]*">[^<>]*<b>[^<>]*<\/b><\/a>$/);
    }));
  });

  test('has no character that hides or reorders others', () => {
    expect(html`${'team-\u202etxt.exe\u200b\u0007'}`.text).toBe('team-\uFFFDtxt.exe\uFFFD\uFFFD');
  });

  test('is nothing where there is nothing', () => {
    expect(html`a${undefined}b${false}c${[]}d${0}`.text).toBe('abcd0');
  });
});

test.each([[0, 0, '0'], [999, 0, '999'], [1000, 0, '1,000'], [1234567.891, 2, '1,234,567.89'], [-1234.5, 2, '-1,234.50'], [-999, 0, '-999']])(
  'the number %d with %d decimals is %s', (value, decimals, text) => {
    expect(grouped(value, decimals)).toBe(text);
  });
