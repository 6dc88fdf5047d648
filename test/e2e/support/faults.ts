import { Prometheus } from './prometheus';
import { eventually } from '../../data-path/support/eventually';

const FIRES_MS = 90_000;
const HEALS_MS = 120_000;

/** Something that goes wrong for real, and what somebody is told of it. */
export interface Fault {
  readonly what: string;
  readonly alerts: readonly string[];
  readonly break: () => Promise<unknown> | unknown;
  readonly repair: () => Promise<unknown> | unknown;
}

/** What goes on happening until it is repaired. */
export function again(what: string, alerts: string[], action: () => Promise<unknown>): Fault {
  let going = false;
  let loop: Promise<void>;
  return {
    what,
    alerts,
    break: () => {
      going = true;
      loop = (async () => { while (going) await action().catch(() => undefined); })();
    },
    repair: () => {
      going = false;
      return loop;
    },
  };
}

/** Faults of one job, one after the other; those of other jobs happen at the same time. */
export interface Lane {
  readonly job: string;
  readonly faults: readonly Fault[];
}

/** What was seen of an alert: when it fired and healed, in seconds after the fault and the repair, or why not. */
export interface Seen {
  readonly what: string;
  readonly fired?: number;
  readonly healed?: number;
  readonly error?: string;
}

/** Breaks and repairs everything of a lane; tells what was seen of each alert. */
export async function play({ job, faults }: Lane, prometheus: Prometheus): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const fault of faults) {
    const tell = (more: Partial<Seen>) => fault.alerts.forEach(alert => seen.set(alert, { what: fault.what, ...seen.get(alert), ...more }));
    try {
      const firing = async () => (await prometheus.firing()).filter(text => text.startsWith(`${job} `)).map(text => text.slice(job.length + 1));
      tell({ fired: await secondsUntil(fault.break, async () => missing(fault.alerts, await firing()), FIRES_MS) });
      tell({ healed: await secondsUntil(fault.repair, firing, HEALS_MS) });
    } catch (error) {
      tell({ error: (error as Error).message });
      return seen;
    }
  }
  return seen;
}

function missing(wanted: readonly string[], found: readonly string[]): string[] {
  return wanted.filter(name => !found.includes(name));
}

/** @param left what is still to come or to go */
async function secondsUntil(action: () => unknown, left: () => Promise<string[]>, deadlineMs: number): Promise<number> {
  await action();
  const start = performance.now();
  await eventually(async () => {
    const names = await left();
    if (names.length > 0) throw new Error(`still not: ${names.join()}`);
    return true;
  }, deadlineMs);
  return Math.round(performance.now() - start) / 1000;
}
