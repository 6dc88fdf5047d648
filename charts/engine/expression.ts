import type { Marks, Piece } from './marks';

/** A text of the objects as a text of a template. */
export function textTemplate(marks: Marks, text: string): string {
  return marks.piecesOf(text).map(piece => typeof piece === 'string' ? literal(piece) : `{{ ${expressionOf(piece)} }}`).join('');
}

/** A scalar of the objects as one of a template, in YAML. */
export function scalarTemplate(marks: Marks, value: string | number | boolean | null): string {
  if (typeof value !== 'string') {
    return typeof value === 'number' ? textTemplate(marks, String(value)) : JSON.stringify(value);
  }
  const pieces = marks.piecesOf(value);
  const [first] = pieces;
  if (pieces.length === 1 && typeof first !== 'string') {
    return `{{ ${first.expression} | quote }}`;
  }
  if (pieces.length <= 1 && isPlain(value)) {
    return value;
  }
  return `"${pieces.map(piece => typeof piece === 'string' ? literal(JSON.stringify(piece).slice(1, -1)) : `{{ ${expressionOf(piece)} }}`).join('')}"`;
}

/** A text of the objects as an expression. */
export function textExpression(marks: Marks, text: string): string {
  const pieces = marks.piecesOf(text);
  const format = pieces.map(piece => typeof piece === 'string' ? piece.replace(/%/g, '%%') : '%v').join('');
  const values = pieces.flatMap(piece => typeof piece === 'string' ? [] : ` (${expressionOf(piece)})`);
  return `printf ${JSON.stringify(format)}${values.join('')}`;
}

/** Numbers of values are floating ones, and would be written as such. */
function expressionOf(piece: Exclude<Piece, string>): string {
  return typeof piece.of === 'number' ? `int ${/ /.test(piece.expression) ? `(${piece.expression})` : piece.expression}` : piece.expression;
}

function literal(text: string): string {
  return text.replace(/\{\{/g, '{{ "{{" }}');
}

/** What YAML takes for a text without quotes, in any of its versions. */
function isPlain(text: string): boolean {
  return /^[A-Za-z/][\w./-]*$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
}
