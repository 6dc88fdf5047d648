import { createInterface } from 'readline';
import { Readable } from 'stream';
import type { Level, Logger } from 'pino';

/** HAProxy's own severities, as in `[WARNING]  (123) : text` on its standard error. */
const SEVERITIES: Record<string, Level> = { ALERT: 'error', WARNING: 'warn', NOTICE: 'info', DIAG: 'info' };

export interface LogLine {
  readonly level: Level;
  readonly message: string;
}

/** Finds the severity of a line of HAProxy's standard error; a line without one is `info`. */
export function parseLogLine(line: string): LogLine {
  const own = /^\[(ALERT|WARNING|NOTICE|DIAG)\]\s*(?:\(\d+\)\s*:\s*)?(.*)$/.exec(line);
  return own ? { level: SEVERITIES[own[1]], message: own[2] } : { level: 'info', message: line };
}

/** Passes each line of HAProxy's standard error on as one structured log line, with its severity. */
export function forwardMessages(output: Readable, logger: Logger): void {
  forward(output, line => {
    const { level, message } = parseLogLine(line);
    logger[level](message);
  });
}

/**
 * Passes each line of HAProxy's standard output on as one structured log line. Its configuration logs connections there
 * without a severity (`format raw`), and what a client sent is in them: whatever looks like a severity is none.
 */
export function forwardConnections(output: Readable, logger: Logger): void {
  forward(output, line => logger.info(line));
}

function forward(output: Readable, log: (line: string) => void): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', line => {
    if (line.trim() !== '') log(line);
  });
}
