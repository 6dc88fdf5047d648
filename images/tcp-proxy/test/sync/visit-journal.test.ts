import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetAsideError, VisitJournal } from '../../src/sync/visit-journal';

const MINUTE = 60_000;
let dir: string;
let file: string;
let now: number;
let faults: string[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(dir, 'visits.json');
  now = Date.parse('2026-01-01T00:00:00Z');
  faults = [];
});

afterEach(() => rmSync(dir, { recursive: true }));

/** As a process does that starts. */
function open(): VisitJournal {
  return new VisitJournal(file, (reason) => faults.push(reason), () => now);
}

/** How long a tenant is left alone from now on. */
function remaining(journal: VisitJournal, key: string): number {
  try {
    journal.requireVisitable(key);
    return 0;
  } catch (error) {
    expect(error).toBeInstanceOf(SetAsideError);
    return (error as SetAsideError).remainingMs;
  }
}

/** A process visits a tenant and does not survive it. */
function crash(key: string): void {
  open().begin(key);
}

test('nobody is set aside when nobody was being visited, at the first start and after visits that ended', () => {
  const first = open();
  first.begin('a');
  first.begin('b');
  first.end('a');
  first.end('b');
  expect(open().setAside()).toEqual([]);
  expect(faults).toEqual([]);
});

test('those that were being visited when the process ended are set aside, and no others', () => {
  const first = open();
  for (const key of ['a', 'b', 'c']) first.begin(key);
  first.end('b');
  const second = open();
  expect(second.setAside()).toEqual(['a', 'c']);
  expect(remaining(second, 'a')).toBe(10_000);
  expect(remaining(second, 'b')).toBe(0);
});

test('a tenant that was there once more is left alone for longer each time, up to six hours', () => {
  const waits = [10_000, 5 * MINUTE, 60 * MINUTE, 360 * MINUTE, 360 * MINUTE];
  for (const wait of waits) {
    crash('a');
    const journal = open();
    expect(remaining(journal, 'a')).toBe(wait);
    now += wait - 1;
    expect(remaining(journal, 'a')).toBe(1);
    now += 1;
    expect(remaining(journal, 'a')).toBe(0);
  }
});

test('a visit that ends takes it back, but a further crash within a day counts on', () => {
  crash('a');
  const second = open();
  now += 10_000;
  second.begin('a');
  second.end('a');
  expect(second.setAside()).toEqual([]);
  expect(remaining(open(), 'a')).toBe(0);
  crash('a');
  expect(remaining(open(), 'a')).toBe(5 * MINUTE);
  now += 24 * 60 * MINUTE;
  expect(open().setAside()).toEqual([]);
  crash('a');
  expect(remaining(open(), 'a')).toBe(10_000);
});

test('those that were there at one crash may have been there by chance; at the second one, it is a suspect', () => {
  crash('a');
  const journal = open();
  expect([journal.isSetAside('a'), journal.isSuspect('a')]).toEqual([true, false]);
  journal.begin('a');
  expect(open().isSuspect('a')).toBe(true);
});

test('what is said of a tenant stays the same while it is set aside', () => {
  crash('a');
  const journal = open();
  const said = () => {
    try {
      journal.requireVisitable('a');
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(said()).toBe('set aside until 2026-01-01T00:00:10.000Z: sync ended while it visited this tenant, once within a day');
  now += 5_000;
  expect(said()).toContain('until 2026-01-01T00:00:10.000Z');
});

test('a clock that was set back leaves nobody alone for longer', () => {
  crash('a');
  const journal = open();
  now -= 60 * MINUTE;
  expect(remaining(journal, 'a')).toBe(10_000);
});

test.each([
  ['not JSON', '{"visiting":['],
  ['of another shape', '{"visiting":[1],"crashes":{}}'],
  ['nested too deep', '['.repeat(100_000)],
  ['too long', `{"visiting":["${'x'.repeat(600_000)}"],"crashes":[]}`],
])('a file that is %s is told of, and counts as none', (_, text) => {
  writeFileSync(file, text);
  const journal = open();
  expect(journal.setAside()).toEqual([]);
  expect(faults).toHaveLength(1);
  journal.begin('a');
  expect(JSON.parse(readFileSync(file, 'utf8')).visiting).toEqual(['a']);
});

test('without a folder to write to, visits go on, and it is told once', () => {
  rmSync(dir, { recursive: true });
  const journal = open();
  journal.begin('a');
  journal.end('a');
  journal.begin('b');
  expect(faults).toHaveLength(1);
  dir = mkdtempSync(join(tmpdir(), 'journal-'));
});

test('without a file, nothing is remembered', () => {
  const journal = new VisitJournal(undefined, (reason) => faults.push(reason));
  journal.begin('a');
  journal.end('a');
  expect(journal.setAside()).toEqual([]);
  expect(faults).toEqual([]);
});

test('the file stays small, however many tenants there are', () => {
  const first = open();
  for (let i = 0; i < 1_000; i++) first.begin(`${'x'.repeat(200)}-${i}`);
  expect(open().setAside()).toHaveLength(500);
  const second = open();
  for (let i = 0; i < 1_000; i++) second.begin(`${'y'.repeat(200)}-${i}`);
  expect(open().setAside()).toHaveLength(1_000);
  expect(readFileSync(file).length).toBeLessThan(512 * 1024);
  expect(open().setAside()).toHaveLength(500);
  expect(faults).toEqual([]);
});

test('a tenant that is visited, and whose endpoints are looked at meanwhile, is being visited until both have ended', () => {
  const journal = open();
  journal.begin('a');
  journal.begin('a');
  journal.end('a');
  expect(open().setAside()).toEqual(['a']);
  const ended = open();
  ended.begin('a');
  ended.begin('a');
  ended.end('a');
  ended.end('a');
  ended.end('a');
  expect(ended.setAside()).toEqual([]);
});
