/** Exponential backoff with jitter, so that proxies which failed together do not come back together. */
export class Backoff {
  private failures = 0;

  /**
   * @param firstMs delay after the first failure, before jitter
   * @param ceilingMs longest delay
   * @param random a number in [0, 1)
   */
  constructor(private readonly firstMs: number, private readonly ceilingMs: number, private readonly random = Math.random) {}

  /** Delay in milliseconds after one more failure: between half and all of the exponential value. */
  next(): number {
    const full = exponential(this.firstMs, this.failures++, this.ceilingMs);
    return full / 2 + this.random() * full / 2;
  }

  reset(): void {
    this.failures = 0;
  }
}

/** `firstMs` doubled `exponent` times, at most `ceilingMs`. */
export function exponential(firstMs: number, exponent: number, ceilingMs: number): number {
  return Math.min(firstMs * 2 ** exponent, ceilingMs);
}
