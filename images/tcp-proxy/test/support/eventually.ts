import { setTimeout as sleep } from 'timers/promises';

/** Repeats an attempt until it succeeds; after the deadline its last error counts. */
export async function eventually<Result>(attempt: () => Promise<Result> | Result, deadlineMs = 20_000): Promise<Result> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(20);
    }
  }
}
