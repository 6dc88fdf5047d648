import { createInterface } from 'readline';
import { Readable } from 'stream';
import type { Level, Logger } from 'pino';

/** HAProxy's own severities, as in `[WARNING]  (123) : text` on its standard error. */
const SEVERITIES: Record<string, Level> = { ALERT: 'error', WARNING: 'warn', NOTICE: 'info', DIAG: 'info' };
/** More than any record of ours. */
const LONGEST = 2_048;

export interface LogLine {
  readonly level: Level;
  readonly message: string;
}

/** Finds the severity of a line of HAProxy's standard error; a line without one is `info`. */
export function parseErrorLine(line: string): LogLine {
  const own = /^\[(ALERT|WARNING|NOTICE|DIAG)\]\s*(?:\(\d+\)\s*:\s*)?(.*)$/.exec(line);
  return own ? { level: SEVERITIES[own[1]], message: printable(own[2]) } : { level: 'info', message: printable(line) };
}

/**
 * A line of HAProxy's standard output: a record about a connection. It has no severity. What looks like one would be
 * something that a client sent.
 */
export function parseRecord(line: string): LogLine {
  return { level: 'info', message: printable(line) };
}

/** The configuration lets no such character into a record; one by another hand may. */
function printable(text: string): string {
  return text.slice(0, LONGEST).replace(/[^\x20-\x7e]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Passes each line of HAProxy's output on as one structured log line. */
export function forwardLog(output: Readable, logger: Logger, parse: (line: string) => LogLine): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', line => {
    if (line.trim() === '') return;
    const { level, message } = parse(line);
    logger[level](message);
  });
}
