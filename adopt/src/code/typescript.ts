import { Call, Expression, isFields, Member } from './expression';

const WIDTH = 110;
const INDENT = '  ';
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Whatever is no printable ASCII: it could end a line, hide what follows, or turn it round for the reader. */
const UNPRINTABLE = /[^\x20-\x7e]/g;
const MAX_COMMENT = 300;

/** An expression as TypeScript, which evaluates to the same value whatever texts are in it. */
export function typescriptOf(value: Expression, indent = ''): string {
  const line = inline(value);
  return indent.length + line.length <= WIDTH ? line : block(value, indent);
}

/** A text as a literal of printable ASCII. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(UNPRINTABLE, escaped)}'`;
}

/** A text of others as it may stand behind `//`. */
export function comment(text: string): string {
  const printable = text.slice(0, MAX_COMMENT).replace(UNPRINTABLE, unit => (unit === '\n' || unit === '\t' ? ' ' : escaped(unit)));
  return text.length > MAX_COMMENT ? `${printable}...` : printable;
}

/** What the program imports of the library for an expression: the first words of what it calls and names. */
export function importsOf(value: Expression): string[] {
  if (value instanceof Call) return [value.callee.split('.')[0], ...value.args.flatMap(importsOf)];
  if (value instanceof Member) return [value.name.split('.')[0]];
  if (Array.isArray(value)) return value.flatMap(importsOf);
  return isFields(value) ? Object.values(value).flatMap(importsOf) : [];
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function inline(value: Expression): string {
  if (value instanceof Call) return `${value.callee}(${value.args.map(inline).join(', ')})`;
  if (value instanceof Member) return value.name;
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'string') return literal(value);
  if (!isFields(value)) return Object.is(value, -0) ? '-0' : String(value);
  const entries = Object.entries(value);
  return entries.length === 0 ? '{}' : `{ ${entries.map(([name, each]) => `${key(name)}: ${inline(each)}`).join(', ')} }`;
}

function block(value: Expression, indent: string): string {
  const deeper = indent + INDENT;
  const lines = (parts: string[]) => parts.map(part => `${deeper}${part},\n`).join('');
  if (value instanceof Call) {
    const [first, ...rest] = value.args;
    if (value.args.length === 0) return inline(value);
    return rest.length === 0 && typeof first !== 'string'
      ? `${value.callee}(${block(first, indent)})`
      : `${value.callee}(\n${lines(value.args.map(each => typescriptOf(each, deeper)))}${indent})`;
  }
  if (Array.isArray(value)) return `[\n${lines(value.map(each => typescriptOf(each, deeper)))}${indent}]`;
  if (!isFields(value)) return inline(value);
  return `{\n${lines(Object.entries(value).map(([name, each]) => `${key(name)}: ${typescriptOf(each, deeper)}`))}${indent}}`;
}

/** In brackets, `__proto__` is a property like others. */
function key(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(name) ? name : literal(name);
}
