import { parseLogLine } from '../../src/haproxy/log-lines';

test.each([
  ['[ALERT]    (21) : config : unknown proxy mode', 'error', 'config : unknown proxy mode'],
  ['[WARNING]  (21) : Server probe/upstream is DOWN', 'warn', 'Server probe/upstream is DOWN'],
  ['[NOTICE]   (21) : New worker (22) forked', 'info', 'New worker (22) forked'],
  ['<4>Server probe/upstream is DOWN', 'warn', 'Server probe/upstream is DOWN'],
  ['<134>127.0.0.1:1 api', 'info', '127.0.0.1:1 api'],
  ['127.0.0.1:1 api', 'info', '127.0.0.1:1 api'],
])('%s', (line, level, message) => {
  expect(parseLogLine(line)).toEqual({ level, message });
});
