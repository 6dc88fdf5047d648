import { setImmediate as turn } from 'timers/promises';

/**
 * What becomes of it while quiet time is skipped: it moves along; it polls, so that it is done once as soon as the time is over, as it
 * would have been done all along; or it follows the calendar, and comes due.
 */
export type Meaning = 'moves' | 'polls' | 'calendar';

/** What happens later, unless it is cancelled. */
export interface Scheduled {
  at: number;
  readonly meaning: Meaning;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

/** Within this time after a skip, what came due meanwhile happens. */
/** Leases are renewed every 2 seconds: who finds one that was not would think that it is over. */
const POLLED_MS = 2_500;
const CATCH_UP_MS = [3_000, 7_000] as const;

/** Time that passes only when something happens. In milliseconds, from 0. */
export class VirtualClock {
  public now = 0;
  /** Events so far. */
  public steps = 0;
  private readonly heap: Scheduled[] = [];
  private order = 0;
  private real: Promise<unknown> = Promise.resolve();
  private pending = 0;

  public schedule(delay: number, run: () => void, meaning: Meaning = 'moves'): Scheduled {
    const event = { at: this.now + Math.max(delay, 0), meaning, order: this.order++, run, cancelled: false };
    this.push(event);
    return event;
  }

  public wait(ms: number): Promise<void> {
    return new Promise(resolve => this.schedule(ms, resolve));
  }

  /** Has work of threads, such as that of Web Crypto, end before time goes on, one after the other. */
  public outside<T>(work: () => Promise<T>): Promise<T> {
    this.pending++;
    const done = this.real.then(work);
    this.real = done.catch(() => undefined).then(() => {
      this.pending--;
    });
    return done;
  }

  /** Has everything happen that is due until then. */
  public async runUntil(end: number): Promise<void> {
    await this.settle();
    for (let next = this.pop(end); next; next = this.pop(end)) {
      if (next.cancelled) continue;
      this.now = Math.max(this.now, next.at);
      this.steps++;
      next.run();
      await this.settle();
    }
    this.now = Math.max(this.now, end);
  }

  /**
   * Lets quiet time pass without its ticks: who polls does so afterwards, what follows the calendar comes due.
   *
   * @param spread a number in [0, 1), for each of them another
   */
  public skip(ms: number, spread: () => number): void {
    const events = this.heap.splice(0).filter(({ cancelled }) => !cancelled).sort(earlier);
    this.now += ms;
    for (const event of events) {
      const [first, last] = CATCH_UP_MS;
      if (event.meaning === 'calendar') event.at = Math.max(event.at, this.now + first + spread() * (last - first));
      else event.at = event.meaning === 'polls' && event.at + ms - this.now <= POLLED_MS ? this.now : event.at + ms;
      this.push(event);
    }
  }

  /** What has happened has its consequences: promises, and ticks of Node.js. */
  private async settle(): Promise<void> {
    do await turn(); while (this.pending > 0);
  }

  private push(event: Scheduled): void {
    const { heap } = this;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2);
      if (earlier(heap[parent], heap[at]) <= 0) return;
      [heap[parent], heap[at]] = [heap[at], heap[parent]];
      at = parent;
    }
  }

  private pop(end: number): Scheduled | undefined {
    const { heap } = this;
    if (heap.length === 0 || heap[0].at > end) return undefined;
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length > 0) this.sink(last);
    return first;
  }

  private sink(last: Scheduled): void {
    const { heap } = this;
    heap[0] = last;
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && earlier(heap[left], heap[least]) < 0) least = left;
      if (right < heap.length && earlier(heap[right], heap[least]) < 0) least = right;
      if (least === at) return;
      [heap[least], heap[at]] = [heap[at], heap[least]];
      at = least;
    }
  }
}

function earlier(a: Scheduled, b: Scheduled): number {
  return a.at - b.at || a.order - b.order;
}
