import { makeAuthority } from './authority';
import { runFaults } from './fault-runs';
import { figuresOf } from './figures';
import { makeIdentities } from './identities';
import { EPOCH } from './world';
import { simulateYear, Year } from './year';

/*
 * Simulates years of an installation. `--seeds 1000` years, from `--first 1` on; SIMULATION_SEED=… one of them, told
 * step by step, or `--only 7,336` some of them; `--together 'a disk is full,DNS does not answer'` a year of these alone. SIGTERM ends it after the year that it is in. Prints the figures as JSON; the exit code is 1 when something was broken.
 */
const DAY = 86_400_000;

/** Of the command line: npm takes the quotes from a value with spaces. */
function flag(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  if (at < 0) return undefined;
  const words = process.argv.slice(at + 1);
  const next = words.findIndex(word => word.startsWith('--'));
  return words.slice(0, next < 0 ? undefined : next).join(' ');
}

/** See `runFaults`. */
async function faults(): Promise<number> {
  const figures = await runFaults({
    identities: await makeIdentities(), ofEach: Number(flag('--of-each') ?? 1), sample: process.argv.includes('--sample'), only: flag('--at'), tell: line => console.error(line),
  });
  console.log(JSON.stringify(figures, undefined, 2));
  return figures.bad.length > 0 ? 1 : 0;
}

async function main(): Promise<number> {
  if (process.argv.includes('--faults')) return faults();
  const authority = await makeAuthority(new Date(EPOCH - DAY), new Date(EPOCH + 3_650 * DAY));
  const one = process.env.SIMULATION_SEED;
  const only = one ?? flag('--only');
  const first = Number(flag('--first') ?? 1);
  const seeds = only === undefined ? Array.from({ length: Number(flag('--seeds') ?? 10) }, (_, i) => first + i) : only.split(',').map(Number);
  const together = flag('--together')?.split(',');
  const incidents = Number(flag('--incidents') ?? 12);
  const years: Year[] = [];
  let stopped = false;
  process.on('SIGTERM', () => {
    stopped = true;
  });
  for (const seed of seeds) {
    if (stopped) break;
    const year = await simulateYear({ seed, authority, incidents, together, tell: one === undefined ? undefined : line => console.error(line) });
    years.push(year);
    for (const { at, what } of year.violations.slice(0, 3)) console.error(`seed ${seed} at ${at / 1000} s: ${what}`);
    if (seeds.length >= 100 && years.length % 20 === 0) console.error(`${years.length} of ${seeds.length}`);
  }
  const figures = figuresOf(years, seeds[0]);
  console.log(JSON.stringify(figures, undefined, 2));
  return Object.keys(figures.failed).length > 0 ? 1 : 0;
}

void main().then(code => process.exit(code), error => {
  console.error(error);
  process.exit(2);
});
