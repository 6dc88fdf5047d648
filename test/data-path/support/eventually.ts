const POLL_MS = 20;
const DEADLINE_MS = 10_000;

/**
 * Waits until the condition gives something else than false, null or undefined, and returns that. A condition that throws is asked again.
 *
 * @throws what the condition threw last, or an error with its text, when the deadline passes
 */
export async function eventually<T>(condition: () => T | Promise<T>, deadlineMs = DEADLINE_MS): Promise<NonNullable<T>> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    let failure: unknown;
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) {
        return value;
      }
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) {
      throw failure ?? new Error(`not within ${deadlineMs} ms: ${condition}`);
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}
