import { countAwaits } from './agent-program';
import type { AwaitFigures } from './await-places';
import { runScenario } from './fault-scenario';
import { Fault, OneFault, Place, Recording } from './faults';
import type { Identities } from './identities';
import { SCENARIOS } from './scenarios';

/** A fault that did not end well. */
export interface BadEnding {
  readonly at: string;
  readonly number: number;
  readonly fault: Fault;
  readonly wrong: readonly string[];
}

export interface FaultFigures {
  /** What there is to wait for in a run without a fault: different things, and all of them. */
  readonly places: Readonly<Record<Place, { readonly different: number; readonly all: number }>>;
  /** What the sources wait for. */
  readonly awaits: AwaitFigures;
  /** Runs with one fault each, by what it was. */
  readonly runs: Readonly<Record<Fault, number>>;
  /** Runs in which the fault did not come up, as what was before it took another way. */
  readonly missed: number;
  /** Runs in which a process ended and was started again. */
  readonly restarted: readonly string[];
  /** The longest time after a step until all was right, in seconds. */
  readonly longestSeconds: number;
  readonly cpuSeconds: number;
  readonly bad: readonly BadEnding[];
}

export interface FaultRunsOptions {
  readonly identities: Identities;
  /** How many of what is alike have a fault, spread from the first to the last. */
  readonly ofEach: number;
  /** Only of what has this in its name. @default - all */
  readonly only?: string;
  /**
   * Of each place one fault, in turn, the first time that it is come to, in the first scenario that comes to it; and the run is over once all
   * was well after the step of the fault and after the one behind it.
   */
  readonly sample?: boolean;
  readonly tell?: (line: string) => void;
}

/** Plays each scenario again and again with one fault in it, each time another. */
export async function runFaults({ identities, ofEach, only = '', sample = false, tell = () => undefined }: FaultRunsOptions): Promise<FaultFigures> {
  const awaits = countAwaits();
  const all = new Recording();
  const runs: Record<Fault, number> = { fails: 0, hangs: 0, twice: 0, garbled: 0 };
  const bad: BadEnding[] = [];
  const restarted: string[] = [];
  let [missed, longest] = [0, 0];
  for (const scenario of SCENARIOS) {
    const recording = new Recording();
    const without = await runScenario({ scenario, identities, faults: recording });
    if (without.wrong.length > 0) bad.push({ at: scenario.name, number: 0, fault: 'fails', wrong: without.wrong });
    const places = [...recording.places].filter(([name]) => !sample || !all.places.has(name)).sort(([a], [b]) => a < b ? -1 : 1);
    all.add(recording);
    const cases = places.filter(([name]) => `${scenario.name}: ${name}`.includes(only)).flatMap(([name, { can, times }], i) => sample
      ? [{ name, fault: can[i % can.length], number: 1 }]
      : can.flatMap(fault => numbers(times, ofEach).map(number => ({ name, fault, number }))));
    for (const { name, fault, number } of cases) {
      let stepsAfter = 0;
      const plan = new OneFault(name, number, fault);
      const isOver = () => sample && plan.happened && stepsAfter++ > 0;
      const { wrong, tookMs, restarts } = await runScenario({ scenario, identities, faults: plan, expected: without.states, isOver });
      const at = `${scenario.name}: ${name}`;
      runs[fault]++;
      if (!plan.happened) missed++;
      longest = Math.max(longest, tookMs);
      if (restarts > without.restarts) restarted.push(`${at} (${number}) ${fault}`);
      if (wrong.length === 0) continue;
      bad.push({ at, number, fault, wrong: wrong.slice(0, 5) });
      tell(`${at} (${number}) ${fault}: ${wrong.slice(0, 3).join(' | ')}`);
    }
  }
  const { user, system } = process.cpuUsage();
  const cpuSeconds = Math.round((user + system) / 1e6);
  return { places: counted(all), awaits: awaits.figures(), runs, missed, restarted, longestSeconds: longest / 1_000, cpuSeconds, bad };
}

/** The first, the last and some between them. */
function numbers(times: number, ofEach: number): number[] {
  if (times <= ofEach) return Array.from({ length: times }, (_, i) => i + 1);
  return [...new Set(Array.from({ length: ofEach }, (_, i) => 1 + Math.round(i * (times - 1) / Math.max(ofEach - 1, 1))))];
}

function counted({ places }: Recording): FaultFigures['places'] {
  const figures = Object.fromEntries(['kubernetes', 'socket', 'file', 'dns', 'program'].map(place => [place, { different: 0, all: 0 }]));
  for (const { place, times } of places.values()) {
    figures[place].different++;
    figures[place].all += times;
  }
  return figures as FaultFigures['places'];
}
