import { QUIET_MS, RepairPacing } from '../../src/endpoints/repair-pacing';

describe('the pacing of repairs', () => {
  let now: number;
  let pacing: RepairPacing;
  const fight = (times: number) => Array.from({ length: times }, () => {
    pacing.settled('x');
    now += 5;
    return pacing.deviated('x').delayMs;
  });

  beforeEach(() => {
    now = 0;
    pacing = new RepairPacing(() => now);
  });

  test('takes the first write of new content for no repair', () => {
    expect(pacing.deviated('x')).toEqual({ repair: false, delayMs: 0 });
    pacing.settled('x');
    expect(pacing.deviated('y')).toEqual({ repair: false, delayMs: 0 });
  });

  test('does not delay the first repair', () => {
    pacing.settled('x');
    now += QUIET_MS;
    expect(pacing.deviated('x')).toEqual({ repair: true, delayMs: 0 });
  });

  test('waits twice as long each time when another writer undoes every repair', () => {
    expect(fight(6)).toEqual([0, 100, 200, 400, 800, 1600]);
  });

  test('never waits longer than half a minute', () => {
    expect(Math.max(...fight(20))).toBe(30_000);
  });

  test('repairs at once again after a quiet time', () => {
    fight(6);
    pacing.settled('x');
    now += QUIET_MS;
    expect(pacing.deviated('x').delayMs).toBe(0);
  });

  test('measures how long a repair stood, not how often it was looked at', () => {
    pacing.settled('x');
    now += QUIET_MS - 1;
    pacing.settled('x');
    now += 1;
    fight(1);
    pacing.settled('x');
    now += QUIET_MS / 2;
    pacing.settled('x');
    now += QUIET_MS / 2;
    expect(pacing.deviated('x').delayMs).toBe(0);
  });
});
