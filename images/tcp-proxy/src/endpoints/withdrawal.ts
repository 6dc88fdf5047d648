import { STOP_MARGIN_SECONDS } from '../../../../src/agent/contract/stopping';
import { Wakeup } from '../kubernetes/wakeup';

/** What a withdrawal gets that is not worth more: nothing was published, or the API server says that it may not be. Its first answers may be wrong. */
export const SHORT_WITHDRAWAL_MS = 1_000 * STOP_MARGIN_SECONDS.withdrawal;

/** How far a proxy is with taking its addresses out of the endpoints. */
export class Withdrawal {
  /** The proxy leaves. */
  public begun = false;
  /** Nothing is written any more. */
  public ended = false;
  private deadline = Infinity;
  private readonly changed = new Wakeup();

  /** Waits until `end`, at most for the given milliseconds. @returns whether it came */
  public async wait(longestMs: number): Promise<boolean> {
    this.deadline = performance.now() + longestMs;
    for (let left = longestMs; !this.ended && left > 0; left = this.deadline - performance.now()) await this.changed.wait(left);
    const done = this.ended;
    this.ended = true;
    return done;
  }

  /** From now on it gets `SHORT_WITHDRAWAL_MS` at most. */
  public hurry(): void {
    this.deadline = Math.min(this.deadline, performance.now() + SHORT_WITHDRAWAL_MS);
    this.changed.notify();
  }

  /** What is there is right, or nothing better is known. */
  public end(): void {
    this.ended = true;
    this.changed.notify();
  }
}
