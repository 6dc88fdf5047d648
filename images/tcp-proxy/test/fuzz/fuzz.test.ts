import { faultOf, fuzz, keptInputs } from './fuzzing';
import { makeSeeds } from './seeds';
import { Target, targets } from './targets';
import { Random } from '../simulation/random';

/** A million are tried by `npm run fuzz -- --inputs 1000000`. */
const INPUTS = 4_000;

let all: Readonly<Record<string, Target>>;

beforeAll(async () => {
  all = targets(await makeSeeds());
});

test('texts as they should be are taken', () => {
  for (const [name, target] of Object.entries(all)) {
    const strict = { ...target, allowed: [] };
    for (const seed of target.corpus) expect({ name, seed, fault: faultOf(strict, seed) }).toEqual({ name, seed, fault: undefined });
  }
});

test('texts that are not are refused by the error that says so, and by nothing else', () => {
  for (const [name, target] of Object.entries(all)) {
    const { failures, accepted, refused } = fuzz(name, target, Math.round(INPUTS * target.share / 100), new Random(7));
    expect(failures).toEqual([]);
    expect(accepted + refused).toBeGreaterThan(0);
  }
}, 300_000);

test('what failed once does not fail again', () => {
  for (const [name, target] of Object.entries(all)) {
    for (const [file, input] of keptInputs(name)) expect({ name, file, fault: faultOf(target, input) }).toEqual({ name, file, fault: undefined });
  }
});
