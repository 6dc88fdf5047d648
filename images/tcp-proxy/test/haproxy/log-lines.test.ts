import fc from 'fast-check';
import { parseErrorLine, parseRecord } from '../../src/haproxy/log-lines';

test.each([
  ['[ALERT]    (21) : config : unknown proxy mode', 'error', 'config : unknown proxy mode'],
  ['[WARNING]  (21) : Server probe/upstream is DOWN', 'warn', 'Server probe/upstream is DOWN'],
  ['[NOTICE]   (21) : New worker (22) forked', 'info', 'New worker (22) forked'],
  ['127.0.0.1:1 api', 'info', '127.0.0.1:1 api'],
])('on standard error: %s', (line, level, message) => {
  expect(parseErrorLine(line)).toEqual({ level, message });
});

test.each(['127.0.0.1:1 api', '<0>no severity', '[ALERT] (21) : no severity'])('on standard output: %s', line => {
  expect(parseRecord(line)).toEqual({ level: 'info', message: line });
});

test('whatever a record holds, it is printable, and as long as records of ours at most', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), line => {
    for (const { level, message } of [parseRecord(line), parseErrorLine(line)]) {
      expect(message).toMatch(/^[\x20-\x7e]*$/);
      expect(message.length).toBeLessThan(6 * 2_049);
      expect(parseRecord(line).level).toBe('info');
      expect(level).toBeDefined();
    }
  }));
});
