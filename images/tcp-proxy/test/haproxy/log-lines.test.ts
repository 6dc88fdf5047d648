import { spawn } from 'child_process';
import { PassThrough, Readable } from 'stream';
import type { Logger } from 'pino';
import { createLogger } from '../../src/cli/logger';
import { forwardConnections, forwardMessages, parseLogLine, withoutReadAhead } from '../../src/haproxy/log-lines';

test.each([
  ['[ALERT]    (21) : config : unknown proxy mode', 'error', 'config : unknown proxy mode'],
  ['[WARNING]  (21) : Server probe/upstream is DOWN', 'warn', 'Server probe/upstream is DOWN'],
  ['[NOTICE]   (21) : New worker (22) forked', 'info', 'New worker (22) forked'],
  ['<0>forged', 'info', '<0>forged'],
  ['127.0.0.1:1 api', 'info', '127.0.0.1:1 api'],
])('%s', (line, level, message) => {
  expect(parseLogLine(line)).toEqual({ level, message });
});

async function forwarded(forward: (output: Readable, logger: Logger) => unknown, text: string): Promise<[string, string][]> {
  const records: string[] = [];
  const output = Readable.from([text]);
  void forward(output, createLogger('trace', { write: piece => records.push(...piece.split('\n').filter(Boolean)) }));
  await new Promise(resolve => output.on('close', resolve));
  await new Promise(resolve => setImmediate(resolve));
  return records.map(record => JSON.parse(record)).map(({ level, msg }) => [level, msg]);
}

test('a connection is logged at info, whatever it sent; a message of HAProxy has its severity', async () => {
  const text = '<0>a\n[ALERT]    (1) : b\n\n\u001b[31mc\n';
  expect(await forwarded(forwardConnections, text)).toEqual([['info', '<0>a'], ['info', '[ALERT]    (1) : b'], ['info', '\u001b[31mc']]);
  expect(await forwarded(forwardMessages, text)).toEqual([['info', '<0>a'], ['error', 'b'], ['info', '\u001b[31mc']]);
});

/** What an output got, in pieces, of records that a program's standard output is passed on as. */
async function piecesOf(output: Readable): Promise<string[][]> {
  const pieces: string[][] = [];
  await forwardConnections(output, createLogger('info', {
    write: text => pieces.push(text.split('\n').filter(Boolean).map(record => JSON.parse(record).msg)),
  }));
  return pieces.filter(piece => piece.length > 0);
}

test('connections that end together are written together, each as a record of its own, and none is lost at the end', async () => {
  const program = 'for (let i = 0; i < 5000; i++) require("fs").writeSync(1, `connection ${i}\\n`); require("fs").writeSync(1, "the last, cut");';
  const { stdout } = withoutReadAhead(() => spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] }));
  const pieces = await piecesOf(stdout!);
  expect(pieces.flat()).toEqual([...Array.from({ length: 5000 }, (_, i) => `connection ${i}`), 'the last, cut']);
  expect(pieces.length).toBeLessThan(500);
});

test('a line and a character that come in parts are one, and a line without an end is passed on in parts', async () => {
  const output = new PassThrough();
  const pieces = piecesOf(output);
  const bytes = Buffer.from('é one\r\ntwo\n');
  for (const byte of bytes) output.write(Buffer.from([byte]));
  output.end('x'.repeat(200_000));
  const [one, two, ...rest] = (await pieces).flat();
  expect([one, two]).toEqual(['é one', 'two']);
  expect(rest.length).toBeGreaterThanOrEqual(1);
  for (const part of rest) expect(part).toMatch(/^x{2000}…$/);
});
