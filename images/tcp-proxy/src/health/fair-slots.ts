/** Who holds a slot, and since when. */
interface Holding {
  readonly source: string;
  /** On the clock of `performance.now()`. */
  readonly since: number;
}

/**
 * A fixed number of slots, of which nobody keeps others out: when all are taken, the source that holds the most loses
 * its oldest one. So a flood from one address costs the flood alone, and one from everywhere only what is oldest.
 */
export class FairSlots<Holder> {
  /** In the order in which they came. */
  private readonly holdings = new Map<Holder, Holding>();

  constructor(private readonly size: number) {}

  /** @returns who has to leave for it, which may be nobody */
  public take(holder: Holder, source: string): Holder | undefined {
    this.holdings.set(holder, { source, since: performance.now() });
    if (this.holdings.size <= this.size) return undefined;
    const leaving = this.oldestOf(this.largestSource());
    this.holdings.delete(leaving);
    return leaving;
  }

  public release(holder: Holder): void {
    this.holdings.delete(holder);
  }

  public holds(holder: Holder): boolean {
    return this.holdings.has(holder);
  }

  /** Who holds a slot for longer than this. */
  public overdue(ms: number): Holder[] {
    const limit = performance.now() - ms;
    return [...this.holdings].filter(([, { since }]) => since < limit).map(([holder]) => holder);
  }

  private largestSource(): string {
    const counts = new Map<string, number>();
    for (const { source } of this.holdings.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    return [...counts].reduce((largest, entry) => entry[1] > largest[1] ? entry : largest)[0];
  }

  private oldestOf(source: string): Holder {
    return [...this.holdings].find(([, holding]) => holding.source === source)![0];
  }
}
