import { makeAuthority } from './authority';
import { EPOCH } from './world';
import { simulateYear, Year } from './year';

/*
 * Simulates years of an installation. `--seeds 1000` years, from `--first 1` on; SIMULATION_SEED=… one of them, told
 * step by step. SIGTERM ends it after the year that it is in. Prints the figures as JSON; the exit code is 1 when something was broken.
 */
const DAY = 86_400_000;

interface Figures {
  readonly seeds: number;
  readonly firstSeed: number;
  readonly attempts: number;
  readonly served: number;
  readonly refused: number;
  readonly unnoticed: number;
  readonly impossible: number;
  /** Of the attempts for which there was a path. */
  readonly availability: number;
  readonly events: number;
  readonly requests: number;
  readonly cpuSeconds: number;
  readonly incidents: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, readonly string[]>>;
}

async function main(): Promise<number> {
  const flag = (name: string, preset: number) => process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : preset;
  const authority = await makeAuthority(new Date(EPOCH - DAY), new Date(EPOCH + 3_650 * DAY));
  const one = process.env.SIMULATION_SEED;
  const [first, seeds] = one === undefined ? [flag('--first', 1), flag('--seeds', 10)] : [Number(one), 1];
  const years: Year[] = [];
  let stopped = false;
  process.on('SIGTERM', () => {
    stopped = true;
  });
  for (let seed = first; seed < first + seeds && !stopped; seed++) {
    const year = await simulateYear({ seed, authority, incidents: flag('--incidents', 12), tell: one === undefined ? undefined : line => console.error(line) });
    years.push(year);
    for (const { at, what } of year.violations.slice(0, 3)) console.error(`seed ${seed} at ${at / 1000} s: ${what}`);
    if (seeds >= 100 && years.length % 20 === 0) console.error(`${years.length} of ${seeds}`);
  }
  const figures = figuresOf(years, first);
  console.log(JSON.stringify(figures, undefined, 2));
  return Object.keys(figures.failed).length > 0 ? 1 : 0;
}

function figuresOf(years: readonly Year[], firstSeed: number): Figures {
  const sum = (of: (year: Year) => number) => years.reduce((all, year) => all + of(year), 0);
  const served = sum(({ outcomes }) => outcomes.served);
  const refused = sum(({ outcomes }) => outcomes.refused);
  const unnoticed = sum(({ outcomes }) => outcomes.unnoticed);
  const impossible = sum(({ outcomes }) => outcomes.impossible);
  const incidents: Record<string, number> = {};
  for (const year of years) for (const [name, count] of Object.entries(year.incidents)) incidents[name] = (incidents[name] ?? 0) + count;
  const failed = years.filter(({ violations }) => violations.length > 0);
  const { user, system } = process.cpuUsage();
  return {
    seeds: years.length,
    firstSeed,
    attempts: served + refused + unnoticed + impossible,
    served,
    refused,
    unnoticed,
    impossible,
    availability: served / (served + refused),
    events: sum(({ events }) => events),
    requests: sum(({ requests }) => requests),
    cpuSeconds: Math.round((user + system) / 1e6),
    incidents: Object.fromEntries(Object.entries(incidents).sort()),
    failed: Object.fromEntries(failed.map(({ seed, violations }) => [seed, [...new Set(violations.map(({ what }) => what))].slice(0, 5)])),
  };
}

void main().then(code => process.exit(code), error => {
  console.error(error);
  process.exit(2);
});
