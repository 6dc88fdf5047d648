import * as fc from 'fast-check';
import { createLogger } from '../../src/cli/logger';

function recordsOf(log: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const records: string[] = [];
  log(createLogger('info', { write: record => records.push(record) }));
  return records;
}

const HOSTILE = [
  'a\n{"level":"fatal","msg":"forged"}', '<0>forged', '\u001b[31mred', '\u009b31mred', '\u2028forged', '\u202etxt.exe', 'é€😀', '\ud800', '%s %d %j %o', '\u007f', '"}\n{',
];

test.each(HOSTILE)('%j makes one record of ASCII, wherever it stands, and is read back as it was', text => {
  const [record, ...others] = recordsOf(logger => logger.child({ bound: text }).warn({ reason: text, list: [text], [text]: 1 }, text));
  expect(others).toEqual([]);
  expect(record).toMatch(/^[\x20-\x7e]+\n$/);
  const read = JSON.parse(record);
  expect(read).toMatchObject({ level: 'warn', bound: text, reason: text, list: [text], msg: text });
});

test('any text and any object makes one record of ASCII with the level that it was logged with', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.object(), (text, object) => {
    const { level, time, msg, ...fields } = object as Record<string, unknown>;
    const records = recordsOf(logger => logger.info(fields, text));
    expect(records).toHaveLength(1);
    expect(records[0]).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(records[0]).level).toBe('info');
  }));
});

test('texts, lists and depths have an end', () => {
  const deep = (levels: number): unknown => levels === 0 ? 'end' : { deeper: deep(levels - 1) };
  const [record] = recordsOf(logger => logger.info({
    reason: 'x'.repeat(1e6), list: Array<string>(1e5).fill('y'.repeat(1e5)), deep: deep(1_000), many: Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => [i, i])),
  }, 'z'.repeat(1e6)));
  const { reason, list, msg, many } = JSON.parse(record);
  expect([reason.length, list.length, list[50], msg.length, Object.keys(many).length]).toEqual([2_001, 51, '… 99950 more', 2_001, 50]);
  expect(record.length).toBeLessThan(150_000);
});

test('an error is its message', () => {
  const [record] = recordsOf(logger => logger.error({ cause: new Error('broken') }, 'x'));
  expect(JSON.parse(record).cause).toBe('broken');
});
