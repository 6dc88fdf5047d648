import { Backoff } from '../kubernetes/backoff';

export interface WorkQueueOptions {
  /** How many keys are worked on at once. */
  readonly concurrency: number;
  /** First and longest delay after a failure, in milliseconds. */
  readonly backoffMs: readonly [first: number, longest: number];
  /**
   * Works on a key; never on the same one twice at once.
   *
   * @returns milliseconds until it is worked on again without being added, undefined for never
   */
  readonly work: (key: string) => Promise<number | undefined>;
  /** A key failed and will be worked on again after its backoff. */
  readonly onFailure: (key: string, error: Error, retryMs: number) => void;
}

/**
 * Keys to work on, as the work queue of client-go: a key that is added many times is worked on once, and one that is
 * added during the work once more. Each key has a backoff of its own, so no failing key delays another.
 */
export class WorkQueue {
  private readonly ready = new Set<string>();
  private readonly later = new Map<string, NodeJS.Timeout>();
  private readonly backoffs = new Map<string, Backoff>();
  private readonly running = new Map<string, Promise<void>>();
  /** Added while they are worked on. */
  private readonly again = new Set<string>();
  private stopped = false;

  constructor(private readonly options: WorkQueueOptions) {}

  /** Keys that wait for their turn now; without those that are worked on, or that come later. */
  get depth(): number {
    return this.ready.size + this.again.size;
  }

  /** Has a key worked on as soon as it can be. */
  add(key: string): void {
    if (this.stopped) return;
    clearTimeout(this.later.get(key));
    this.later.delete(key);
    if (this.running.has(key)) this.again.add(key);
    else this.ready.add(key);
    this.next();
  }

  /** The last work on this key failed. */
  isFailing(key: string): boolean {
    return this.backoffs.has(key);
  }

  /** Begins no more work; resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.later.values()) clearTimeout(timer);
    this.later.clear();
    this.ready.clear();
    this.again.clear();
    await Promise.all(this.running.values());
  }

  private next(): void {
    for (const key of this.ready) {
      if (this.stopped || this.running.size >= this.options.concurrency) return;
      this.ready.delete(key);
      this.running.set(key, this.work(key));
    }
  }

  private async work(key: string): Promise<void> {
    let delayMs: number | undefined;
    try {
      delayMs = await this.options.work(key);
      this.backoffs.delete(key);
    } catch (error) {
      delayMs = this.backoff(key).next();
      if (!this.stopped) this.options.onFailure(key, error as Error, delayMs);
    }
    this.running.delete(key);
    if (this.again.delete(key)) this.ready.add(key);
    else if (delayMs !== undefined && !this.stopped) this.later.set(key, setTimeout(() => this.add(key), delayMs));
    this.next();
  }

  private backoff(key: string): Backoff {
    const backoff = this.backoffs.get(key) ?? new Backoff(...this.options.backoffMs);
    this.backoffs.set(key, backoff);
    return backoff;
  }
}
