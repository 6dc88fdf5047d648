import { Bundle } from './bundle';
import { StoredStatus } from './status';

export interface MemoriesOptions {
  readonly resyncMs: number;
  /** How often to look whether a Secret of a tenant has changed: much cheaper than a visit to the tenant. */
  readonly secretsMs: number;
  /** What changes with the Secrets that a bundle names. */
  readonly versions: (bundle: Bundle) => Promise<string>;
}

/** What is remembered of a tenant during one term. */
export interface Memory {
  /** What was applied last as a whole. */
  checksum?: string;
  /** When it is to be applied again, on the clock of `performance.now()`. */
  due: number;
  /** The versions of its Secrets when it was applied; undefined when that was in an earlier term. */
  secrets?: string;
  /** When to look at them again, on the same clock. */
  look: number;
}

/** When each tenant is to be visited again. */
export class Memories {
  private readonly byKey = new Map<string, Memory>();

  constructor(private readonly options: MemoriesOptions) {}

  /** After a restart, a status that says that all is done is believed, and checked within one period, not at once. */
  of(key: string, { checksum }: Bundle, status: StoredStatus | undefined): Memory {
    const known = this.byKey.get(key);
    if (known) return known;
    const done = status?.phase === 'Synced' && status.checksum === checksum;
    const within = (periodMs: number) => performance.now() + Math.random() * periodMs;
    const memory: Memory = done
      ? { checksum, due: within(this.options.resyncMs), look: within(this.options.secretsMs) }
      : { due: 0, look: 0 };
    this.byKey.set(key, memory);
    return memory;
  }

  /** The next time that a tenant is worked on, it is visited. */
  visitSoon(key: string): void {
    const memory = this.byKey.get(key);
    if (memory) memory.due = 0;
  }

  forget(key: string): void {
    this.byKey.delete(key);
  }

  /** @returns milliseconds until there is something to do for a tenant whose bundle is applied; 0 when there is now */
  async wait(bundle: Bundle, memory: Memory): Promise<number> {
    if (memory.due > performance.now() && memory.look <= performance.now()) {
      const versions = await this.options.versions(bundle);
      memory.secrets ??= versions;
      if (memory.secrets !== versions) memory.due = 0;
      this.lookLater(memory);
    }
    const now = performance.now();
    // A look that has just become due is none yet, and no reason for a visit.
    return memory.due <= now ? 0 : Math.max(Math.min(memory.due, memory.look) - now, 1);
  }

  /**
   * The bundle was applied, as a whole and with Secrets of these versions.
   *
   * @param within milliseconds in which it is to be applied again at the latest
   */
  applied(memory: Memory, checksum: string, versions: string, within: number): void {
    memory.checksum = checksum;
    memory.secrets = versions;
    memory.due = performance.now() + Math.min(jittered(this.options.resyncMs), within);
    this.lookLater(memory);
  }

  /** @returns milliseconds until a tenant to which nothing is applied is looked into again */
  leftAlone(memory: Memory): number {
    memory.checksum = undefined;
    memory.due = performance.now() + jittered(this.options.resyncMs);
    memory.look = memory.due;
    return untilDue(memory);
  }

  private lookLater(memory: Memory): void {
    memory.look = performance.now() + jittered(this.options.secretsMs);
  }
}

/** Milliseconds until a tenant is to be worked on. */
export function untilDue({ due, look }: Memory): number {
  return Math.max(Math.min(due, look) - performance.now(), 0);
}

/** So that tenants that came together do not come back together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.9 + 0.2 * Math.random());
}
