const SECOND_MS = 1000;

/** The time that a connection has, from its first packet to its last. */
export class Deadline {
  public readonly signal: AbortSignal;

  constructor(private readonly timeoutMs: number) {
    this.signal = AbortSignal.timeout(timeoutMs);
  }

  public get isOver(): boolean {
    return this.signal.aborted;
  }

  public get duration(): string {
    return written(this.timeoutMs);
  }

  /** What there is to say when it is over. */
  public toString(): string {
    return `no answer within ${this.duration}`;
  }
}

/** A duration as flags take it, e.g. `3s`. */
export function written(durationMs: number): string {
  return durationMs % SECOND_MS === 0 ? `${durationMs / SECOND_MS}s` : `${durationMs}ms`;
}
