import type { Lost, Outcome } from './clients';
import { ATTEMPT_MS, Year } from './year';

type LostOutcome = Exclude<Outcome, 'served'>;

/** Of attempts that were lost in one way: how many, why, and in which incidents. */
interface LostFigures {
  readonly attempts: number;
  readonly why: Readonly<Record<string, number>>;
  readonly during: Readonly<Record<string, number>>;
}

/** What years were like. */
export interface Figures {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly attempts: number;
  readonly served: number;
  readonly refused: number;
  readonly lost: Readonly<Partial<Record<LostOutcome, LostFigures>>>;
  readonly availability: {
    /** Of the attempts but those that no agent can serve. */
    readonly ours: number;
    /** Of all attempts while a path existed, those included that went to what had just crashed. */
    readonly whileAPathExists: number;
    /** Of a client that dials all the year, at whatever path there was: quiet time counts as what the attempt before it met. */
    readonly ofTheYear: number;
  };
  /** Attempts that would have been made in quiet time, so that the figures of several runs can be put together. */
  readonly quiet: { readonly served: number; readonly lost: number };
  readonly events: number;
  readonly requests: number;
  readonly cpuSeconds: number;
  readonly incidents: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, readonly string[]>>;
}

export function figuresOf(years: readonly Year[], firstSeed: number): Figures {
  const sum = (of: (year: Year) => number) => years.reduce((all, year) => all + of(year), 0);
  const lost = years.flatMap(year => year.lost);
  const attemptsOf = (...outcomes: readonly LostOutcome[]) => total(lost.filter(({ outcome }) => outcomes.includes(outcome)));
  const served = sum(year => year.served);
  const refused = attemptsOf('refused');
  const withPath = served + total(lost) - attemptsOf('noPath');
  const attemptsInQuietTime = (ms: number) => ms / ATTEMPT_MS;
  const quiet = { served: attemptsInQuietTime(sum(({ skipped }) => skipped.served)), lost: attemptsInQuietTime(sum(({ skipped }) => skipped.lost)) };
  const incidents: Record<string, number> = {};
  for (const year of years) for (const [name, count] of Object.entries(year.incidents)) incidents[name] = (incidents[name] ?? 0) + count;
  const failed = years.filter(({ violations }) => violations.length > 0);
  const { user, system } = process.cpuUsage();
  return {
    seeds: years.length,
    firstSeed,
    attempts: served + total(lost),
    served,
    refused,
    lost: byOutcome(lost),
    availability: {
      ours: served / (served + refused),
      whileAPathExists: served / withPath,
      ofTheYear: (served + quiet.served) / (withPath + quiet.served + quiet.lost),
    },
    quiet: { served: Math.round(quiet.served), lost: Math.round(quiet.lost) },
    events: sum(({ events }) => events),
    requests: sum(({ requests }) => requests),
    cpuSeconds: Math.round((user + system) / 1e6),
    incidents: Object.fromEntries(Object.entries(incidents).sort()),
    failed: Object.fromEntries(failed.map(({ seed, violations }) => [seed, [...new Set(violations.map(({ what }) => what))].slice(0, 5)])),
  };
}

function byOutcome(lost: readonly Lost[]): Figures['lost'] {
  const outcomes = [...new Set(lost.map(({ outcome }) => outcome))].sort();
  return Object.fromEntries(outcomes.map(outcome => {
    const of = lost.filter(other => other.outcome === outcome);
    return [outcome, { attempts: total(of), why: counted(of, 'why'), during: counted(of, 'during') }];
  }));
}

/** Most first. */
function counted(lost: readonly Lost[], by: 'why' | 'during'): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of lost) counts[one[by]] = (counts[one[by]] ?? 0) + one.attempts;
  return Object.fromEntries(Object.entries(counts).sort(([, a], [, b]) => b - a));
}

function total(lost: readonly Lost[]): number {
  return lost.reduce((all, { attempts }) => all + attempts, 0);
}
