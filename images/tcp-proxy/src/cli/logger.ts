import pino, { Logger } from 'pino';

/** The longest text of a record; what is longer ends with an ellipsis. */
const LONGEST_TEXT = 2_000;
/** The most entries of a list or of an object, and how deep these may be. */
const MOST_ENTRIES = 50;
const DEEPEST = 4;
/** What is not visible ASCII: it could steer a terminal, reorder or hide text, or be taken for the end of a line. */
const NOT_PLAIN = /[^\x20-\x7e]/g;

/** Anything that is written to somewhere else, records as a whole. */
interface Output {
  write(record: string): void;
}

/** Records that wait for the end of `together`, by the output that they are for. */
let gathered: Map<Output, string> | undefined;

/** Has each output get what is logged meanwhile in one piece, as a system call costs more than a record. */
export function together(log: () => void): void {
  const outer = gathered;
  const texts = gathered = new Map<Output, string>();
  try {
    log();
  } finally {
    gathered = outer;
    texts.forEach((text, output) => output.write(text));
  }
}

function writeTo(output: Output, record: string): void {
  if (gathered) gathered.set(output, (gathered.get(output) ?? '') + record);
  else output.write(record);
}

/**
 * JSON lines on standard output, in ASCII.
 *
 * Much of what is logged comes from outside: names in ConfigMaps and certificates, answers of DNS, of API servers and of
 * HAProxy, what clients send. All of it passes here, and nothing of it can make, split, colour or bloat a record: JSON
 * escapes what ends a line, every character outside of ASCII is escaped too, and texts and lists are cut.
 */
export function createLogger(level: string, output: Output = pino.destination(1)): Logger {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: label => ({ level: label }),
      bindings: bindings => capped(bindings) as Record<string, unknown>,
      log: fields => capped(fields) as Record<string, unknown>,
    },
    hooks: {
      logMethod(args, method) {
        method.apply(this, args.map(arg => typeof arg === 'string' ? cappedText(arg) : arg) as typeof args);
      },
    },
  }, { write: record => writeTo(output, `${plain(record.slice(0, -1))}\n`) });
}

/** Inside of JSON, where what is escaped means the same. */
function plain(json: string): string {
  return json.replace(NOT_PLAIN, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function capped(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cappedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return cappedText(value.message);
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) {
    const rest = value.length - MOST_ENTRIES;
    return [...value.slice(0, MOST_ENTRIES).map(entry => capped(entry, depth + 1)), ...(rest > 0 ? [`… ${rest} more`] : [])];
  }
  return Object.fromEntries(Object.entries(value).slice(0, MOST_ENTRIES).map(([key, entry]) => [cappedText(key), capped(entry, depth + 1)]));
}

function cappedText(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
