import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { SyncError } from './errors';
import { JsonLimits, parseBounded } from '../kubernetes/bounded-json';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a tenant is left alone after the first, second, third and every further crash. */
const DELAYS_MS = [10_000, 5 * MINUTE, HOUR, 6 * HOUR] as const;

/** A crash so long ago counts no more. */
const FORGOTTEN_MS = 24 * HOUR;

/** The latest ones are remembered, so that the file stays small. */
const MOST_TENANTS = 500;

const JOURNAL: JsonLimits = { bytes: 512 * 2 ** 10, depth: 3, nodes: 10_000 };

const journal = z.object({
  /** Keys of the tenants that are being visited. */
  visiting: z.array(z.string()),
  crashes: z.array(z.object({
    key: z.string(),
    count: z.number(),
    /** In milliseconds since 1970. */
    last: z.number(),
    /** No visit has ended well since. */
    open: z.boolean(),
  })),
});

type Journal = z.infer<typeof journal>;
type Crashes = Journal['crashes'][number];

/** A tenant that is left alone for a while, since this program ended while it was visited. */
export class SetAsideError extends SyncError {
  /** @param remainingMs until it is visited again */
  constructor(readonly remainingMs: number, { count, last }: Crashes) {
    const until = new Date(last + delayOf(count)).toISOString();
    super('crash', `set aside until ${until}: sync ended while it visited this tenant, ${count === 1 ? 'once' : `${count} times`} within a day`);
  }
}

/**
 * Remembers in a file, which outlives the process, who is being visited. After a crash it tells who may have caused it:
 * these are set aside, one more time longer each time, and the others go on.
 */
export class VisitJournal {
  /** By tenant, how many visits are under way. */
  private readonly visiting = new Map<string, number>();
  private readonly crashes: Map<string, Crashes>;
  private failed = false;

  /**
   * @param file without one, nothing outlives the process
   * @param onFault the file cannot be used; told once
   */
  constructor(private readonly file: string | undefined, private readonly onFault: (reason: string) => void, private readonly now = Date.now) {
    const { visiting, crashes } = this.read();
    const remembered = crashes.filter(({ last }) => last > this.now() - FORGOTTEN_MS);
    this.crashes = new Map(remembered.map((entry) => [entry.key, entry]));
    for (const key of visiting) this.crashes.set(key, { key, count: (this.crashes.get(key)?.count ?? 0) + 1, last: this.now(), open: true });
    if (visiting.length > 0) this.write();
  }

  /** Keys of the tenants that have not been visited since a crash that they may have caused. */
  setAside(): string[] {
    return [...this.crashes.values()].filter(({ open }) => open).map(({ key }) => key);
  }

  isSetAside(key: string): boolean {
    return this.crashes.get(key)?.open ?? false;
  }

  /** It was there at more than one crash. */
  isSuspect(key: string): boolean {
    const crashes = this.crashes.get(key);
    return crashes !== undefined && crashes.open && crashes.count > 1;
  }

  /** @throws SetAsideError when it is not yet time to visit the tenant */
  requireVisitable(key: string): void {
    const crashes = this.crashes.get(key);
    if (!crashes?.open) return;
    const delay = delayOf(crashes.count);
    // Clocks may be set back.
    const remaining = Math.min(crashes.last + delay - this.now(), delay);
    if (remaining > 0) throw new SetAsideError(remaining, crashes);
  }

  begin(key: string): void {
    this.visiting.set(key, (this.visiting.get(key) ?? 0) + 1);
    this.write();
  }

  /** However it ended: the process is still there. */
  end(key: string): void {
    const others = (this.visiting.get(key) ?? 0) - 1;
    if (others < 0) return;
    if (others > 0) this.visiting.set(key, others);
    else this.visiting.delete(key);
    const crashes = this.crashes.get(key);
    if (crashes) this.crashes.set(key, { ...crashes, open: false });
    this.write();
  }

  private read(): Journal {
    if (this.file === undefined) return { visiting: [], crashes: [] };
    try {
      return journal.parse(parseBounded(readFileSync(this.file), JOURNAL));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.fault(error as Error);
      return { visiting: [], crashes: [] };
    }
  }

  /** At once, as nothing that comes later is sure to; and as a whole: a file that is half written says nothing. */
  private write(): void {
    if (this.file === undefined) return;
    const crashes = [...this.crashes.values()].sort((a, b) => b.last - a.last).slice(0, MOST_TENANTS);
    try {
      writeFileSync(`${this.file}.new`, JSON.stringify({ visiting: [...this.visiting.keys()].slice(-MOST_TENANTS), crashes } satisfies Journal));
      renameSync(`${this.file}.new`, this.file);
    } catch (error) {
      this.fault(error as Error);
    }
  }

  private fault({ message }: Error): void {
    if (!this.failed) this.onFault(message.slice(0, 500));
    this.failed = true;
  }
}

function delayOf(count: number): number {
  return DELAYS_MS[Math.min(count, DELAYS_MS.length) - 1];
}
