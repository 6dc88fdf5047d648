/* eslint-disable no-bitwise */
/** Numbers that a seed decides alone (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** In [0, 1). */
  public next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from the first to the last, both included. */
  public int(first: number, last: number): number {
    return first + Math.floor(this.next() * (last - first + 1));
  }

  public between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  public chance(probability: number): boolean {
    return this.next() < probability;
  }

  public pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)];
  }

  /** Numbers of its own, so that one part that asks more often changes no other. */
  public fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }
}
