import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { Authority, makeAuthority } from './authority';
import { Checks } from './checks';
import { Await, Fault, FaultPlan, FAULTS } from './faults';
import { Random } from './random';
import { EPOCH, TENANT, World } from './world';
import { endOf } from './year';

/*
 * A fault at everything that serve, gateway and sync wait for, one at a time: counts what they wait for in a run without faults, then
 * repeats that run with a fault at the first of each, and at one in the middle. `--list` counts only, and prints the list; `--update`
 * keeps it in awaits.json; `--part 3/20` runs a part of all; AWAIT="serve file read … first fails" one of them.
 */
const LIST = join(__dirname, 'awaits.json');
const DAY = 86_400_000;
/** Longer than anything that hangs. */
const RECOVERY_MS = 100_000;
const START_MS = 45_000;

type Turn = 'first' | 'middle';

/** By what is waited for, how often. */
type Counts = Readonly<Record<string, number>>;

class Counter implements FaultPlan {
  public readonly counts: Record<string, number> = {};

  public fault(one: Await): Fault | undefined {
    const name = nameOf(one);
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    return undefined;
  }
}

class OneFault implements FaultPlan {
  public happened = false;
  private seen = 0;

  /** @param nth which of them, from 1 on */
  constructor(private readonly name: string, private readonly nth: number, private readonly kind: Fault) {}

  public fault(one: Await): Fault | undefined {
    if (nameOf(one) !== this.name || ++this.seen !== this.nth) return undefined;
    this.happened = true;
    return this.kind;
  }
}

/** What a process of this kind waits for, whichever pod it is. */
function nameOf({ process, place, what }: Await): string {
  const command = process.startsWith('tcp-proxy') ? 'serve' : process.split('-')[0];
  return `${command} ${place} ${what.replace(/other-\d+/, 'other')}`;
}

/** A start, a change of each kind, two renewals of the certificate, and an end of each. */
async function run(authority: Authority, plan: FaultPlan): Promise<string[]> {
  const world = new World(new Random(1), authority, plan);
  const { machines, tenant } = world;
  const rejected = (reason: unknown) => world.violate(`unhandled rejection: ${(reason as Error)?.stack ?? String(reason)}`);
  process.on('unhandledRejection', rejected);
  const checks = new Checks(world);
  const pass = async (ms: number) => {
    for (const end = world.clock.now + ms; world.clock.now < end;) {
      await world.clock.runUntil(Math.min(world.clock.now + 500, end));
      checks.look();
    }
  };
  machines.start();
  // Who publishes nothing yet is not late.
  await world.clock.runUntil(START_MS);
  world.bundle(TENANT, 2);
  world.routes(250, ['garbage']);
  machines.rotateTokens();
  machines.gateways[0].files.mount('/etc/haproxy', { 'haproxy.cfg': 'global # changed\n' });
  await pass(10_000);
  world.routes(2);
  tenant.byOthers(() => tenant.remove('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'));
  await pass(5_000);
  for (let days = 0; days < 70; days += 14) {
    world.clock.skip(14 * DAY, () => 0.5);
    await pass(7_000);
  }
  machines.mountAll();
  await pass(5_000);
  const [node] = machines.nodes;
  machines.drain(node.pod!, () => machines.startProxy(node));
  machines.drain(machines.gateways[1], () => machines.startGateway(1));
  machines.drain(machines.syncs[0], () => machines.startSync(0));
  await pass(25_000);
  machines.gateways[0].haproxy?.crash();
  machines.nodes[1].pod?.haproxy?.crash();
  await pass(RECOVERY_MS);
  checks.end();
  process.off('unhandledRejection', rejected);
  await endOf(world);
  return world.violations.map(({ at, what }) => `at ${at / 1000} s: ${what}`);
}

interface Case {
  readonly name: string;
  readonly turn: Turn;
  readonly nth: number;
  readonly kind: Fault;
}

function casesOf(counts: Counts): Case[] {
  return Object.entries(counts).flatMap(([name, count]) => {
    const turns: [Turn, number][] = count > 2 ? [['first', 1], ['middle', Math.ceil(count / 2)]] : [['first', 1]];
    return turns.flatMap(([turn, nth]) => FAULTS.map(kind => ({ name, turn, nth, kind })));
  });
}

async function main(): Promise<number> {
  const authority = await makeAuthority(new Date(EPOCH - DAY), new Date(EPOCH + 3_650 * DAY));
  const counter = new Counter();
  const broken = await run(authority, counter);
  const counts: Counts = Object.fromEntries(Object.entries(counter.counts).sort(([a], [b]) => a < b ? -1 : 1));
  if (process.argv.includes('--update')) writeFileSync(LIST, `${JSON.stringify(counts, undefined, 2)}\n`);
  const kept = JSON.parse(readFileSync(LIST, 'utf8')) as Counts;
  const failed: Record<string, string[]> = broken.length > 0 ? { 'without a fault': broken } : {};
  const all = casesOf(counts);
  const [part, parts] = (/(\d+)\/(\d+)/.exec(process.argv[process.argv.indexOf('--part') + 1] ?? '') ?? ['', '0', '1']).slice(1).map(Number);
  const chosen = process.argv.includes('--list') ? [] : all.filter((_, i) => i % parts === part % parts);
  let happened = 0;
  for (const { name, turn, nth, kind } of chosen) {
    const title = `${name} ${turn} ${kind}`;
    if (process.env.AWAIT !== undefined && process.env.AWAIT !== title) continue;
    const plan = new OneFault(name, nth, kind);
    const violations = await run(authority, plan);
    if (plan.happened) happened++;
    if (violations.length === 0) continue;
    failed[title] = violations.slice(0, 5);
    console.error(title, violations[0]);
  }
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({
    awaits: Object.keys(counts).length,
    calls: Object.values(counts).reduce((sum, count) => sum + count, 0),
    cases: all.length,
    ran: happened,
    cpuSeconds: Math.round((user + system) / 1e6),
    differing: [...new Set([...Object.keys(counts), ...Object.keys(kept)])].filter(name => counts[name] !== kept[name]),
    failed,
    ...process.argv.includes('--list') && { counts },
  }, undefined, 2));
  return Object.keys(failed).length > 0 ? 1 : 0;
}

void main().then(code => process.exit(code), error => {
  console.error(error);
  process.exit(2);
});
