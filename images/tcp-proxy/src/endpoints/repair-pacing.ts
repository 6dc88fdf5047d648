import { exponential } from '../kubernetes/backoff';

/** A state that stood for this long was accepted by everyone: whoever changes it later starts no fight. */
export const QUIET_MS = 1_000;
const FIRST_REPAIR_DELAY_MS = 100;
/** How long the state of another writer may stand: its share of the time, and the rate of writes, are bounded by this. */
export const LONGEST_REPAIR_DELAY_MS = 2_000;
/** A fight is said once in a while. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Says how long to wait before a repair. The first one is immediate. A writer that undoes repairs again and again makes
 * each wait twice as long as the one before, at most two seconds, until a repair stands for `QUIET_MS`.
 */
export class RepairPacing {
  private desired?: string;
  /** Since when the objects are as desired; undefined while they are not. */
  private settledAt?: number;
  private stoodFor = 0;
  private repairs = 0;
  private saidAt = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** The objects are as desired, or were just written so. */
  settled(desired: string): void {
    if (this.desired !== desired) this.settledAt = undefined;
    this.desired = desired;
    this.settledAt ??= this.now();
  }

  /**
   * The objects are not as desired.
   *
   * @returns whether somebody changed them, the milliseconds to wait before they are written, and whether a fight is to be logged
   */
  deviated(desired: string): { readonly repair: boolean; readonly delayMs: number; readonly say: boolean } {
    if (this.desired !== desired) return { repair: false, delayMs: 0, say: false };
    if (this.settledAt !== undefined) this.stoodFor = this.now() - this.settledAt;
    this.settledAt = undefined;
    if (this.stoodFor >= QUIET_MS) this.repairs = 0;
    const delayMs = this.repairs === 0 ? 0 : exponential(FIRST_REPAIR_DELAY_MS, this.repairs - 1, LONGEST_REPAIR_DELAY_MS);
    this.repairs++;
    const say = delayMs > 0 && this.now() - this.saidAt >= LOG_INTERVAL_MS;
    if (say) this.saidAt = this.now();
    return { repair: true, delayMs, say };
  }
}
