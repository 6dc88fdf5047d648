import { Readable } from 'stream';
import { createLogger } from '../../src/cli/logger';
import { forwardConnections, forwardMessages, parseLogLine } from '../../src/haproxy/log-lines';

test.each([
  ['[ALERT]    (21) : config : unknown proxy mode', 'error', 'config : unknown proxy mode'],
  ['[WARNING]  (21) : Server probe/upstream is DOWN', 'warn', 'Server probe/upstream is DOWN'],
  ['[NOTICE]   (21) : New worker (22) forked', 'info', 'New worker (22) forked'],
  ['<0>forged', 'info', '<0>forged'],
  ['127.0.0.1:1 api', 'info', '127.0.0.1:1 api'],
])('%s', (line, level, message) => {
  expect(parseLogLine(line)).toEqual({ level, message });
});

async function forwarded(forward: typeof forwardMessages, text: string): Promise<[string, string][]> {
  const records: string[] = [];
  const output = Readable.from([text]);
  forward(output, createLogger('trace', { write: record => records.push(record) }));
  await new Promise(resolve => output.on('end', resolve));
  await new Promise(resolve => setImmediate(resolve));
  return records.map(record => JSON.parse(record)).map(({ level, msg }) => [level, msg]);
}

test('a connection is logged at info, whatever it sent; a message of HAProxy has its severity', async () => {
  const text = '<0>a\n[ALERT]    (1) : b\n\n\u001b[31mc\n';
  expect(await forwarded(forwardConnections, text)).toEqual([['info', '<0>a'], ['info', '[ALERT]    (1) : b'], ['info', '\u001b[31mc']]);
  expect(await forwarded(forwardMessages, text)).toEqual([['info', '<0>a'], ['error', 'b'], ['info', '\u001b[31mc']]);
});
