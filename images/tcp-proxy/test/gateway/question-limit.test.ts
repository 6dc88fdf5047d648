import { QuestionLimit } from '../../src/gateway/question-limit';

const LONG_MS = 60_000;

/** How many of the questions are admitted; one each 10 ms. */
function admitted(names: (i: number) => string, during = LONG_MS): Record<string, number> {
  const counts: Record<string, number> = {};
  let now = 0;
  const limit = new QuestionLimit(() => now);
  for (let i = 0; now < during; now += 10, i++) {
    const name = names(i);
    if (limit.admits(name)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test('a name is asked for at once, and then every five seconds, however often it fails', () => {
  expect(admitted(() => 'one')).toEqual({ one: LONG_MS / 5_000 });
});

test('one that fails all the time takes nothing from another', () => {
  const counts = admitted(i => i % 500 === 250 ? 'rare' : 'hostile');
  expect(counts).toEqual({ hostile: LONG_MS / 5_000, rare: LONG_MS / 5_000 });
});

test('all together are asked for 25 times a second at most, after 25 at once', () => {
  const counts = admitted(i => `tenant-${i}`);
  expect(Object.keys(counts)).toHaveLength(25 + 25 * LONG_MS / 1_000 - 1);
});

test('keeps in memory those alone that may not be asked for yet', () => {
  let now = 0;
  const limit = new QuestionLimit(() => now);
  for (let i = 0; i < 10_000; i++, now += 40) limit.admits(`tenant-${i}`);
  expect((limit as unknown as { asked: Map<string, number> }).asked.size).toBeLessThanOrEqual(125);
});
