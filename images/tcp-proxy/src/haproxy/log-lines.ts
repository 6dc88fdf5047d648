import { createInterface } from 'readline';
import { Readable } from 'stream';
import type { Level, Logger } from 'pino';

/** HAProxy's own severities, as in `[WARNING]  (123) : text` on its standard error. */
const SEVERITIES: Record<string, Level> = { ALERT: 'error', WARNING: 'warn', NOTICE: 'info', DIAG: 'info' };

/** Severities of syslog, as in `<4>text`, which `log stdout format short` writes. */
const SYSLOG: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'info', 'info', 'debug'];

export interface LogLine {
  readonly level: Level;
  readonly message: string;
}

/** Finds the severity of a line that HAProxy wrote; a line without one is `info`. */
export function parseLogLine(line: string): LogLine {
  const own = /^\[(ALERT|WARNING|NOTICE|DIAG)\]\s*(?:\(\d+\)\s*:\s*)?(.*)$/.exec(line);
  if (own) return { level: SEVERITIES[own[1]], message: own[2] };
  const syslog = /^<(\d{1,3})>\s*(.*)$/.exec(line);
  if (syslog) return { level: SYSLOG[Number(syslog[1]) % 8], message: syslog[2] };
  return { level: 'info', message: line };
}

/** Passes each line of HAProxy's output on as one structured log line. */
export function forwardLog(output: Readable, logger: Logger): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', line => {
    if (line.trim() === '') return;
    const { level, message } = parseLogLine(line);
    logger[level](message);
  });
}
