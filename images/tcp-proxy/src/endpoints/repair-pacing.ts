import { exponential } from '../kubernetes/backoff';

/** A state that stood for this long was accepted by everyone: whoever changes it later starts no fight. */
export const QUIET_MS = 1_000;
const FIRST_REPAIR_DELAY_MS = 100;
const LONGEST_REPAIR_DELAY_MS = 30_000;

/**
 * Says how long to wait before a repair. The first one is immediate. A writer that undoes repairs again and again makes
 * each wait twice as long as the one before, until a repair stands for `QUIET_MS`.
 */
export class RepairPacing {
  private desired?: string;
  /** Since when the objects are as desired; undefined while they are not. */
  private settledAt?: number;
  private stoodFor = 0;
  private repairs = 0;

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
   * @returns whether somebody changed them, and the milliseconds to wait before they are written
   */
  deviated(desired: string): { readonly repair: boolean; readonly delayMs: number } {
    if (this.desired !== desired) return { repair: false, delayMs: 0 };
    if (this.settledAt !== undefined) this.stoodFor = this.now() - this.settledAt;
    this.settledAt = undefined;
    if (this.stoodFor >= QUIET_MS) this.repairs = 0;
    const delayMs = this.repairs === 0 ? 0 : exponential(FIRST_REPAIR_DELAY_MS, this.repairs - 1, LONGEST_REPAIR_DELAY_MS);
    this.repairs++;
    return { repair: true, delayMs };
  }
}
