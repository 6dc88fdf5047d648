import { differencesOf, stateOf } from './fault-state';
import { FaultPlan, NO_FAULTS } from './faults';
import type { Identities } from './identities';
import { Random } from './random';
import type { Scenario } from './scenarios/scenario';
import { World } from './world';
import { endOf } from './year';

const SEED = 18;
/** How often the state is looked at after a step, and for how long it may differ: failures of tenants are retried after five minutes at most. */
const LOOK_MS = 5_000;
const PATIENCE_MS = 900_000;

/** How a run ended. */
export interface Ending {
  /** After each step. */
  readonly states: readonly (readonly string[])[];
  /** What is not as it should be; empty when all is well. */
  readonly wrong: readonly string[];
  /** The longest time after a step until all was well, in milliseconds of the virtual clock. */
  readonly tookMs: number;
  /** How often a process ended by itself. */
  readonly restarts: number;
}

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly identities: Identities;
  /** @default - none */
  readonly faults?: FaultPlan;
  /** The states of a run without a fault, which are to be come to. */
  readonly expected?: Ending['states'];
  /** Ends it after a step. */
  readonly isOver?: () => boolean;
}

/** Plays a scenario, with at most one fault. */
export async function runScenario({ scenario, identities, faults = NO_FAULTS, expected, isOver = () => false }: ScenarioRun): Promise<Ending> {
  const world = new World(new Random(SEED), identities.authority, faults, scenario.sizes);
  // A tenant that answers by chance would make each run another one.
  world.removeHostileTenant();
  const rejected = (reason: unknown) => world.violate(`unhandled rejection: ${(reason as Error)?.stack ?? String(reason)}`);
  process.on('unhandledRejection', rejected);
  try {
    const states: string[][] = [];
    const play = scenario.play(world, identities);
    let [wrong, tookMs]: [string[], number] = [[], 0];
    for (const [i, [act, ms]] of play.steps.entries()) {
      act();
      await world.clock.runUntil(world.clock.now + ms);
      const began = world.clock.now;
      const look = () => [...play.wrong(), ...expected ? differencesOf(expected[i], stateOf(world)) : []];
      for (wrong = look(); wrong.length > 0 && world.clock.now - began < PATIENCE_MS; wrong = look()) {
        (play.mount ?? (() => world.machines.mountAll()))();
        await world.clock.runUntil(world.clock.now + LOOK_MS);
      }
      tookMs = Math.max(tookMs, world.clock.now - began);
      states.push(stateOf(world));
      // What comes next would hide it.
      if (wrong.length > 0) wrong = wrong.map(what => `after step ${i + 1}: ${what}`);
      if (wrong.length > 0 || isOver()) break;
    }
    const needless = [world.management, world.tenant].flatMap(cluster => cluster.needless.map(object => `needless write of ${object}`));
    const thrown = [...world.violations.map(({ what }) => what), ...world.leaks.found, ...needless];
    return { states, wrong: [...thrown, ...wrong], tookMs, restarts: world.restarts };
  } finally {
    process.off('unhandledRejection', rejected);
    await endOf(world);
  }
}
