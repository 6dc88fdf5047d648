import type { Authority } from './authority';
import { differencesOf, stateOf, whatIsWrong } from './fault-state';
import { FaultPlan, NO_FAULTS } from './faults';
import { Random } from './random';
import { SERVICE, TENANT, World } from './world';
import { endOf } from './year';

const SEED = 18;
/** How often the state is looked at after a step, and for how long it may differ: failures of tenants are retried after five minutes at most. */
const LOOK_MS = 5_000;
const PATIENCE_MS = 900_000;
const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const TLS = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';

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

/** In which order what happens does, with the time before the next, in milliseconds. */
const STEPS: readonly (readonly [(world: World) => void, number])[] = [
  [world => world.machines.start(), 15_000],
  [world => {
    world.routes(250);
    world.machines.rotateTokens();
    world.machines.mountAll();
  }, 3_000],
  [world => {
    world.routes(20);
    world.bundle(TENANT, 2);
    world.tenant.byOthers(() => world.tenant.remove(TLS));
  }, 3_000],
  [world => {
    world.routes(22);
    world.machines.configureGateways('global\n# another\n');
    world.machines.mountAll();
  }, 3_000],
  [world => {
    world.machines.addAuthority(world.otherAuthority.certificate);
    world.machines.mountAll();
    world.tenant.byOthers(() => [SLICE, ENDPOINTS].forEach(path => world.tenant.object(path) && world.tenant.remove(path)));
  }, 3_000],
  [world => {
    // DNS has to be asked again, on a machine whose clock was set back.
    for (const pod of world.machines.gateways) pod.clockError = -86_400_000;
    world.tenantAddress = '10.1.0.2';
    world.names.set(SERVICE, world.tenantAddress);
    world.movedAt = world.clock.now;
    world.tenant.breakWatches();
  }, 40_000],
  [world => [...world.machines.proxies.slice(0, 1), ...world.machines.gateways].forEach(({ haproxy }) => haproxy?.running && haproxy.crash()), 4_000],
  [({ machines }) => [machines.proxies[1], ...machines.syncs].forEach(pod => pod?.crash()), 14_000],
  [({ machines, clock }) => {
    const [node] = machines.nodes;
    machines.drain(node.pod!, () => clock.schedule(2_000, () => machines.startProxy(node)));
    machines.gateways.forEach((pod, i) => machines.drain(pod, () => machines.startGateway(i)));
    machines.syncs.forEach((pod, i) => machines.drain(pod, () => machines.startSync(i)));
  }, 30_000],
];

/**
 * Two proxies, a gateway and a `sync`, and whatever makes them wait for something, with at most one fault.
 *
 * @param isOver ends it after a step
 */
export async function runScenario(authorities: readonly [Authority, Authority], faults: FaultPlan = NO_FAULTS, expected?: Ending['states'], isOver: () => boolean = () => false): Promise<Ending> {
  const world = new World(new Random(SEED), authorities[0], faults, { nodes: 2, gateways: 1, syncs: 1 });
  world.otherAuthority = authorities[1];
  // A tenant that answers by chance would make each run another one.
  world.removeHostileTenant();
  const rejected = (reason: unknown) => world.violate(`unhandled rejection: ${(reason as Error)?.stack ?? String(reason)}`);
  process.on('unhandledRejection', rejected);
  try {
    const states: string[][] = [];
    let [wrong, tookMs]: [string[], number] = [[], 0];
    for (const [i, [act, ms]] of STEPS.entries()) {
      act(world);
      await world.clock.runUntil(world.clock.now + ms);
      const began = world.clock.now;
      const look = () => [...whatIsWrong(world), ...expected ? differencesOf(expected[i], stateOf(world)) : []];
      for (wrong = look(); wrong.length > 0 && world.clock.now - began < PATIENCE_MS; wrong = look()) {
        world.machines.mountAll();
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
