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
    expect(pacing.deviated('x')).toMatchObject({ repair: false, delayMs: 0 });
    pacing.settled('x');
    expect(pacing.deviated('y')).toMatchObject({ repair: false, delayMs: 0 });
  });

  test('does not delay the first repair', () => {
    pacing.settled('x');
    now += QUIET_MS;
    expect(pacing.deviated('x')).toEqual({ repair: true, delayMs: 0, say: false });
  });

  test('waits twice as long each time when another writer undoes every repair', () => {
    expect(fight(6)).toEqual([0, 100, 200, 400, 800, 1600]);
  });

  test('never waits longer than two seconds, so that the other writer keeps its content for no longer at a time', () => {
    expect(Math.max(...fight(20))).toBe(2_000);
  });

  test('of a fight for ten minutes makes no more than a repair in two seconds, and says so once a minute', () => {
    let [repairs, said] = [0, 0];
    while (now < 600_000) {
      pacing.settled('x');
      now += 5;
      const { delayMs, say } = pacing.deviated('x');
      now += delayMs;
      repairs++;
      if (say) said++;
    }
    expect(repairs).toBeLessThan(310);
    expect([said > 8, said <= 10]).toEqual([true, true]);
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
