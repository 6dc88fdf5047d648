import { mkdirSync, writeFileSync } from 'fs';
import { cpus } from 'os';
import { join } from 'path';
import { setTimeout as sleep } from 'timers/promises';
import { Installation } from './installation';
import { refusingUrlOf, SilentTenants, TenantFarm } from './tenant-farm';
import { stopParts } from '../../test/data-path/support/parts';
import { Process } from '../../test/e2e/support/process';
import { usageOf } from '../proxy/process-tree';
import { round } from '../proxy/statistics';

/** Runs in the namespace that bench/sync.ts makes. */

const RESULT = join(__dirname, '..', 'results', 'sync.json');
const DEADLINE_MS = 600_000;
const POLL_MS = 250;
/** Garbage collectors give memory back some time after they could. */
const SETTLE_MS = 20_000;

interface Settings {
  readonly tenants: number;
  /** Of the time in which every tenant is visited once, a part that is long enough for an average. */
  readonly idleSeconds: number;
}
const FULL: Settings = { tenants: 1000, idleSeconds: 240 };
const SMOKE: Settings = { tenants: 50, idleSeconds: 20 };

void main(process.argv.includes('--smoke'));

async function main(smoke: boolean): Promise<void> {
  try {
    const { tenants, idleSeconds } = smoke ? SMOKE : FULL;
    const installation = await Installation.start();
    await TenantFarm.start(installation.tenantCa);
    await SilentTenants.start();
    const unreachable = await measureUnreachable(installation);
    const many = await measureMany(installation, tenants, idleSeconds);
    const report = {
      unreachable,
      many,
      targets: {
        othersDoneWithin30s: unreachable.othersDoneSeconds < 30,
        idleBelow2PercentOfACore: many.idle.cpuPercentOfACore < 2,
        idleBelow150MiB: many.idle.rssAnonMib < 150,
      },
      environment: { node: process.version, cpu: cpus()[0].model, cores: cpus().length },
    };
    console.log(JSON.stringify(report, null, 2));
    if (!smoke) {
      mkdirSync(join(RESULT, '..'), { recursive: true });
      writeFileSync(RESULT, `${JSON.stringify(report, null, 2)}\n`);
    }
  } finally {
    await stopParts();
  }
}

/** 200 tenants, of which 10 refuse connections and 10 accept them and say nothing. */
async function measureUnreachable(installation: Installation) {
  const namespace = 'sync-unreachable';
  const tenants = Array.from({ length: 200 }, (_, i) => ({
    name: `tenant-${String(i).padStart(4, '0')}`,
    // Spread among the others, so that they come up all the time.
    url: i % 20 === 0 ? refusingUrlOf(1 + i / 20) : i % 20 === 10 ? SilentTenants.urlOf(1 + (i - 10) / 20) : TenantFarm.urlOf(i),
  }));
  await installation.deliver(namespace, tenants);
  const began = performance.now();
  const sync = await installation.startSync(namespace);
  await synced(installation, namespace, 180, sync);
  const othersDoneSeconds = round((performance.now() - began) / 1000);
  const phases = await installation.phases(namespace);
  await sync.kill('SIGTERM');
  return { tenants: 200, unreachable: 20, othersDoneSeconds, phases };
}

async function measureMany(installation: Installation, count: number, idleSeconds: number) {
  const namespace = 'sync-many';
  await installation.deliver(namespace, Array.from({ length: count }, (_, i) => ({
    name: `tenant-${String(i).padStart(4, '0')}`, url: TenantFarm.urlOf(300 + i),
  })));
  const first = await installation.startSync(namespace);
  const began = performance.now();
  await synced(installation, namespace, count, first);
  const firstApply = { seconds: round((performance.now() - began) / 1000), ...usage(first) };
  await first.kill('SIGTERM');

  // What stays in memory from the first apply is not what an idle sync needs; pods live longer than that.
  const sync = await installation.startSync(namespace);
  await leads(sync);
  await sleep(SETTLE_MS);
  const before = usageOf(sync.pid);
  let rssAnonKib = before.rssAnonKib;
  const start = performance.now();
  while (performance.now() - start < idleSeconds * 1000) {
    await sleep(5_000);
    rssAnonKib = Math.max(rssAnonKib, usageOf(sync.pid).rssAnonKib);
  }
  const cpuMs = usageOf(sync.pid).cpuMs - before.cpuMs;
  const phases = await installation.phases(namespace);
  await sync.kill('SIGTERM');
  return {
    tenants: count,
    firstApply,
    idle: {
      seconds: idleSeconds,
      cpuPercentOfACore: round(100 * cpuMs / (performance.now() - start)),
      rssAnonMib: round(rssAnonKib / 1024),
    },
    phases,
  };
}

function usage({ pid }: Process) {
  const { cpuMs, rssAnonKib } = usageOf(pid);
  return { cpuSeconds: round(cpuMs / 1000), rssAnonMib: round(rssAnonKib / 1024) };
}

async function synced(installation: Installation, namespace: string, count: number, sync: Process): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  let phases: { [phase: string]: number } = {};
  while ((phases.Synced ?? 0) < count) {
    if (!sync.alive || performance.now() > deadline) {
      throw new Error(`not synced: ${JSON.stringify(phases)}\n${sync.output}`);
    }
    await sleep(POLL_MS);
    phases = await installation.phases(namespace);
  }
}

async function leads(sync: Process): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const metrics = await fetch('http://127.0.0.1:8404/metrics').then(response => response.text(), () => '');
    if (/^tcp_proxy_sync_leader 1$/m.test(metrics)) {
      return;
    }
    if (!sync.alive || performance.now() > deadline) {
      throw new Error(`does not lead:\n${sync.output}`);
    }
    await sleep(POLL_MS);
  }
}
