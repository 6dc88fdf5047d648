/** The one service again, and all services together: a tenant whose own server fails is one of many, and can have it fail as often as it likes. */
const LIMITS = { sameMs: 5_000, perSecond: 25 };

/** How often DNS is asked because of something that others can make happen. */
export class QuestionLimit {
  private left = LIMITS.perSecond;
  private since = 0;
  private readonly asked = new Map<string, number>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the name may be asked for; if so, it counts. */
  public admits(name: string): boolean {
    const now = this.now();
    this.left = Math.min(LIMITS.perSecond, this.left + (now - this.since) / 1_000 * LIMITS.perSecond);
    this.since = now;
    // In the order of their times: those that are over are the first.
    for (const [other, at] of this.asked) {
      if (now - at < LIMITS.sameMs) break;
      this.asked.delete(other);
    }
    if (this.left < 1 || this.asked.has(name)) return false;
    this.left--;
    this.asked.set(name, now);
    return true;
  }
}
