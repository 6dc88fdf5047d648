import { createInterface } from 'readline';
import { getDefaultHighWaterMark, Readable, setDefaultHighWaterMark } from 'stream';
import type { Level, Logger } from 'pino';
import { together } from '../cli/logger';

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

/** How often lines of connections are taken: what HAProxy writes to has room for about 170, and it does not wait. */
const TAKE_MS = 20;
/** How long they are gathered: a write wakes whoever reads the agent's output, which for each line costs a third of what HAProxy needs for the connection. */
const GATHER_MS = 200;
/** What is more, in characters, is passed on at once; a line that is longer, and has not ended, in parts. */
const MOST_GATHERED = 2 ** 16;

/**
 * Passes each line of HAProxy's standard output on as one structured log line, some at a time. Its configuration logs connections there
 * without a severity (`format raw`), and what a client sent is in them: whatever looks like a severity is none.
 *
 * Between times nothing is read, if the stream keeps no more than a chunk (`withoutReadAhead`).
 *
 * @param onLine is told each line, too
 * @returns when the last line was passed on
 */
export function forwardConnections(output: Readable, logger: Logger, onLine: (line: string) => void = () => undefined): Promise<void> {
  let gathered = '';
  let taking: NodeJS.Timeout | undefined;
  let passing: NodeJS.Timeout | undefined;
  const log = (text: string) => together(() => text.split('\n').forEach(ended => {
    const line = ended.endsWith('\r') ? ended.slice(0, -1) : ended;
    if (line.trim() === '') return;
    logger.info(line);
    onLine(line);
  }));
  const pass = () => {
    clearTimeout(passing);
    passing = undefined;
    const end = gathered.lastIndexOf('\n') + 1;
    const complete = gathered.slice(0, end === 0 && gathered.length > MOST_GATHERED ? gathered.length : end);
    gathered = gathered.slice(complete.length);
    log(complete);
  };
  const take = () => {
    taking = undefined;
    for (let chunk = output.read(); chunk !== null; chunk = output.read()) gathered += chunk;
    if (gathered.length > MOST_GATHERED) pass();
    else passing ??= setTimeout(pass, GATHER_MS);
  };
  output.setEncoding('utf8').on('readable', () => taking ??= setTimeout(take, TAKE_MS));
  return new Promise(resolve => output.on('close', () => {
    clearTimeout(passing);
    log(gathered);
    gathered = '';
    resolve();
  }));
}

/** Makes streams that read no further until the chunk that they have is taken. */
export function withoutReadAhead<T>(make: () => T): T {
  const before = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return make();
  } finally {
    setDefaultHighWaterMark(false, before);
  }
}

function forward(output: Readable, log: (line: string) => void): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', line => {
    if (line.trim() !== '') log(line);
  });
}
