/** How much of a JSON text is parsed. */
export interface JsonLimits {
  readonly bytes: number;
  /** Of objects and arrays within each other. */
  readonly depth: number;
  /** Keys, values, objects and arrays together: what a parser has to make something of. */
  readonly nodes: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Parses JSON from whoever may want to harm this process. A text of a few megabytes can become hundreds in memory, or keep
 * the parser busy for a second: what decides are the number and the nesting of its parts, so they are counted first.
 *
 * @throws Error when it is beyond a limit, SyntaxError when it is no JSON
 */
export function parseBounded<T>(json: Buffer | string, limits: JsonLimits): T {
  const bytes = typeof json === 'string' ? Buffer.from(json) : json;
  requireWithin(bytes, limits);
  return JSON.parse(typeof json === 'string' ? json : json.toString('utf8')) as T;
}

/**
 * Where the text is no JSON, the count is of no meaning from there on. The parser gives up at the same byte.
 *
 * @throws Error when it is beyond a limit
 */
export function requireWithin(json: Buffer, { bytes, depth, nodes }: JsonLimits): void {
  if (json.length > bytes) throw new Error(`is longer than ${bytes} bytes`);
  let level = 0;
  let count = 1;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (quoted) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) quoted = false;
      continue;
    }
    switch (byte) {
      case QUOTE:
        quoted = true;
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        if (++level > depth) throw new Error(`is nested deeper than ${depth}`);
        count++;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        level--;
        break;
      case COMMA:
      case COLON:
        count++;
        break;
    }
    if (count > nodes) throw new Error(`has more than ${nodes} parts`);
  }
}
