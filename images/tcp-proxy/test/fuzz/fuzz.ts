import { fuzz, keep, Outcome } from './fuzzing';
import { makeSeeds } from './seeds';
import { targets } from './targets';
import { Random } from '../simulation/random';

/*
 * Tries `--inputs 1000000` texts, decided by `--seed 1`, on everything that reads what others wrote. What fails is made small and kept in
 * kept/<target>/, where the tests find it. Prints counts as JSON; the exit code is 1 when something failed.
 */
async function main(): Promise<number> {
  const flag = (name: string, preset: number) => process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : preset;
  const inputs = flag('--inputs', 100_000);
  const random = new Random(flag('--seed', 1));
  const all = targets(await makeSeeds());
  const outcomes: Record<string, Outcome> = {};
  const memory = process.memoryUsage().rss;
  for (const [name, target] of Object.entries(all)) {
    outcomes[name] = fuzz(name, target, Math.round(inputs * target.share / 100), random.fork());
    outcomes[name].failures.forEach(keep);
    for (const { input, error } of outcomes[name].failures) console.error(`${name}: ${error}\n  ${JSON.stringify(input.slice(0, 300))}`);
    console.error(name, JSON.stringify({ ...outcomes[name], failures: outcomes[name].failures.length }));
  }
  const { user, system } = process.cpuUsage();
  const results = Object.values(outcomes);
  console.log(JSON.stringify({
    inputs: results.reduce((sum, outcome) => sum + outcome.inputs, 0),
    cpuSeconds: Math.round((user + system) / 1e6),
    memoryGrowthMiB: Math.round((process.memoryUsage().rss - memory) / 2 ** 20),
    targets: Object.fromEntries(Object.entries(outcomes).map(([name, { failures, ...counts }]) => [name, { ...counts, failures: failures.length }])),
  }, undefined, 2));
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

void main().then(code => process.exit(code), error => {
  console.error(error);
  process.exit(2);
});
