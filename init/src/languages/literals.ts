/*
 * Texts as literals that nothing breaks out of: printable ASCII is written as it is, but for backslash and the quote, and all else as an escape.
 */

/** `'text'` of TypeScript. */
export function typescriptText(value: string): string {
  return literal(value, "'", code => code <= 0xffff ? `\\u${hex(code, 4)}` : `\\u{${hex(code, 1)}}`);
}

/** `"text"` of Python. */
export function pythonText(value: string): string {
  return literal(value, '"', code => code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`);
}

/** `"text"` of Go. */
export function goText(value: string): string {
  return literal(value, '"', code => code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`);
}

/** `"text"` of Java, which reads `\u` before anything else, so that a line end or a quote written so would end the text. */
export function javaText(value: string): string {
  return literal(value, '"', code => code < 0x80
    ? `\\${code.toString(8).padStart(3, '0')}`
    : [...String.fromCodePoint(code)].flatMap(character => character.split('')).map(unit => `\\u${hex(unit.charCodeAt(0), 4)}`).join(''));
}

/** Half a pair of UTF-16 is no character, and not every language can write it. */
function literal(value: string, quote: string, escape: (code: number) => string): string {
  const written = [...value.replace(/\p{Surrogate}/gu, '\ufffd')].map(character => {
    if (character === '\\' || character === quote) return `\\${character}`;
    return /^[ -~]$/.test(character) ? character : escape(character.codePointAt(0)!);
  });
  return `${quote}${written.join('')}${quote}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
