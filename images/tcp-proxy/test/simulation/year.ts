import type { Authority } from './authority';
import { Checks } from './checks';
import type { Lost } from './clients';
import { Incident, INCIDENTS } from './incidents';
import { Random } from './random';
import { Violation, World } from './world';

const DAY = 86_400_000;
const YEAR = 365 * DAY;
/** A certificate is renewed 30 days before it expires; the calendar is looked at once in each of these. */
const LONGEST_SKIP_MS = 14 * DAY;
/** How often somebody dials. */
export const ATTEMPT_MS = 250;
/** What a new installation may take. */
const START_MS = 60_000;
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/tenant-sync/leases/tenant-sync';

export interface YearOptions {
  readonly seed: number;
  readonly authority: Authority;
  /** @default 12 */
  readonly incidents?: number;
  /** What happens together each time. @default - the seed decides */
  readonly together?: readonly string[];
  /** Is told what happens, for people. */
  readonly tell?: (line: string) => void;
}

/** What a year was like. */
export interface Year {
  readonly seed: number;
  readonly incidents: Readonly<Record<string, number>>;
  readonly served: number;
  readonly lost: readonly Lost[];
  /** Quiet time in which nobody dialled, in milliseconds; that after an attempt which was not served counts as an outage. */
  readonly skipped: { readonly served: number; readonly lost: number };
  readonly violations: readonly Violation[];
  readonly events: number;
  readonly requests: number;
}

/**
 * A year of an installation, which a seed decides: incidents, some of them together, with days of quiet between them that
 * are skipped.
 */
export async function simulateYear({ seed, authority, incidents = 12, together, tell = () => undefined }: YearOptions): Promise<Year> {
  const random = new Random(seed);
  const world = new World(random, authority);
  const rejected = (reason: unknown) => world.violate(`unhandled rejection: ${(reason as Error)?.stack ?? String(reason)}`);
  process.on('unhandledRejection', rejected);
  try {
    return await new YearOfIncidents(world, random, seed, incidents, together, tell).run();
  } finally {
    process.off('unhandledRejection', rejected);
    await endOf(world);
  }
}

/** What is not brought to an end keeps what it waits for, and with it this world, in memory. */
export async function endOf({ machines, clock }: World): Promise<void> {
  for (const pod of machines.all) pod.terminate(() => undefined);
  await clock.runUntil(clock.now + 12_000);
  for (const pod of machines.all) pod.loseMachine();
}

class YearOfIncidents {
  private readonly counts: Record<string, number> = {};
  private readonly checks: Checks;
  private readonly skipped = { served: 0, lost: 0 };
  private told = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly seed: number,
    private readonly incidents: number,
    private readonly names: readonly string[] | undefined,
    private readonly tell: (line: string) => void,
  ) {
    this.checks = new Checks(world);
  }

  public async run(): Promise<Year> {
    const { world, random } = this;
    world.machines.start();
    await this.pass(START_MS, false);
    if (!world.machines.all.every(({ ready }) => ready)) world.violate(`not ready after the start: ${world.machines.all.filter(({ ready }) => !ready).map(({ name }) => name)}`);
    for (let left = this.incidents; left > 0;) {
      const incidents = this.names ? this.named(this.names) : Array.from({ length: random.chance(0.25) ? 2 : 1 }, () => this.choose());
      await this.happen(incidents);
      const together = incidents.length;
      left -= together;
      world.management.trim();
      world.tenant.trim();
      await this.skip(YEAR / this.incidents * together * random.between(0.5, 1));
    }
    await this.pass(60_000, true);
    this.checks.end();
    const { clients: { served, lost }, violations, clock: { steps }, management, tenant } = world;
    const requests = management.requests + tenant.requests;
    return { seed: this.seed, incidents: this.counts, served, lost, skipped: this.skipped, violations, events: steps, requests };
  }

  private async happen(incidents: readonly Incident[]): Promise<void> {
    const { world, random } = this;
    const ends: (() => void)[] = [];
    world.during = incidents.map(({ name }) => name).sort().join(' + ');
    for (const { name, begin } of incidents) {
      const ms = random.between(5_000, 35_000);
      this.counts[name] = (this.counts[name] ?? 0) + 1;
      this.say(name);
      ends.push(begin(world, ms));
      await this.pass(ms / incidents.length, true);
    }
    for (const end of ends) end();
    this.say('over');
    await this.pass(random.between(10_000, 20_000), true);
    // A year goes on as it is: what was not repaired yet is seen later.
    for (let i = 0; i < 10 && !this.isCalm(); i++) await this.pass(15_000, true);
  }

  /** Time with clients, looked at four times a second. */
  private async pass(ms: number, dial: boolean): Promise<void> {
    const { world } = this;
    const end = world.clock.now + ms;
    while (world.clock.now < end) {
      await world.clock.runUntil(Math.min(world.clock.now + ATTEMPT_MS, end));
      if (!dial) continue;
      world.clients.attempt();
      this.checks.look();
      for (const { what } of world.violations.slice(this.told)) this.say(`VIOLATION ${what}`);
      this.told = world.violations.length;
    }
  }

  /** Quiet days: nobody but the calendar does anything. */
  private async skip(ms: number): Promise<void> {
    const { world, random } = this;
    for (let left = ms; left > 0; left -= LONGEST_SKIP_MS) {
      const skipped = Math.min(left, LONGEST_SKIP_MS);
      this.skipped[world.clients.wasServed ? 'served' : 'lost'] += skipped;
      world.clock.skip(skipped, () => random.next());
      // Its holder renewed it all the time.
      const lease = world.management.object(LEASE);
      if (lease) world.management.byOthers(() => world.management.put(LEASE, lease));
      await this.pass(9_000, true);
      // What changed in those days was shown to the pods long ago.
      world.machines.mountAll();
      await this.pass(2_000, true);
    }
  }

  private isCalm(): boolean {
    const { machines, clock, blindUntil } = this.world;
    const complete = machines.proxies.length === machines.nodes.length;
    return complete && clock.now >= blindUntil && machines.all.every(({ ready, deleting }) => ready && !deleting);
  }

  private named(names: readonly string[]): Incident[] {
    return names.map(name => {
      const incident = INCIDENTS.find(one => one.name === name);
      if (!incident) throw new Error(`no incident is called '${name}', but ${INCIDENTS.map(one => `'${one.name}'`).join(', ')} are`);
      return incident;
    });
  }

  private choose(): Incident {
    let at = this.random.between(0, INCIDENTS.reduce((sum, { weight }) => sum + weight, 0));
    return INCIDENTS.find(({ weight }) => (at -= weight) < 0) ?? INCIDENTS[0];
  }

  private say(text: string): void {
    this.tell(`${(this.world.clock.now / 1000).toFixed(1).padStart(12)} s  ${text}`);
  }
}
