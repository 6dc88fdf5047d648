import fc from 'fast-check';
import { ReportedPlatform } from './platform';
import { markdownCode, markdownTable, markdownText } from '../../src/report/markdown-text';
import { mermaidLabel } from '../../src/report/mermaid-text';

const anyText = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'|\\`*_[]<>~&$#"%{};\n\r\t a1.-') }));
const onOneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('a text in a table of Markdown', () => {
  /** The cells of a row, as a reader of tables finds them: a pipe ends one unless a backslash is before it. */
  const cellsOf = (row: string) => row.match(/(?:\\.|[^|\\])+/gs)!.map(cell => cell.trim());

  test('never breaks the table', () => {
    fc.assert(fc.property(anyText, anyText, fc.constantFrom(markdownText, markdownCode), (a, b, shown) => {
      const lines = markdownTable(['x', 'y', 'z'], [[shown(a), shown(b), 'end']]);

      expect(lines.join('\n').split(/\r?\n|\r/)).toHaveLength(3);
      expect(lines[2].match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(4);
      expect(cellsOf(lines[2]).pop()).toBe('end');
    }));
  });

  test('reads as it was given, without any markup', () => {
    fc.assert(fc.property(anyText, text => {
      const shown = markdownText(text);

      expect(shown.replace(/\\([\\`*_[\]<>|~&$#])/g, '$1')).toBe(onOneLine(text).trim());
      expect(shown.replace(/\\./gs, '')).not.toMatch(/[\\`*_[\]<>|~&$#]/);
    }));
  });

  test.each(['tenants/tenant-01', '*.k8s.example.com', 'https://a.example.com:443', '--proxy-server-port=443'])('is code when it is a name: %s', name => {
    expect(markdownCode(name)).toBe(`\`${name}\``);
  });
});

describe('a label of Mermaid', () => {
  test('reads as it was given, and holds nothing that could be syntax', () => {
    fc.assert(fc.property(anyText, text => {
      const [, label] = /^"([^"]*)"$/.exec(mermaidLabel(text))!;

      expect(label.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))).toBe(onOneLine(text));
      expect(label.replace(/#\d+;/g, '')).toMatch(/^[\p{L}\p{N} .:/,()-]*$/u);
    }));
  });

  test.each([
    ['- item', '#45; item'], ['1. item', '1#46; item'], ['10.0.0.1', '10.0.0.1'], ['www.example.com', 'www#46;example.com'],
    ['https://example.com', 'https:#47;/example.com'], ['fa:fa-car', 'fa#58;fa-car'], ['*.example.com', '#42;.example.com'],
  ])('does not become a list, link or icon: %s', (text, label) => {
    expect(mermaidLabel(text)).toBe(`"${label}"`);
  });
});

test('a title and a currency break nothing', () => {
  const made = new ReportedPlatform();
  made.tenant('tenant-01');

  const markdown = made.report({ title: 'A | B\n# C <b>', prices: { currency: '| $', loadBalancer: 1 } }).markdown();

  expect(markdown).toMatch(/^# A \\\| B \\# C \\<b\\>\n\n/);
  expect(markdown).toContain('| 1 | 1.00 \\| \\$ | 1.00 \\| \\$ | 0.00 \\| \\$ | 0.00 \\| \\$ |');
});
