import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { answer, makeConnections, openConnections, SteadyClient, untilRouted } from './gateway/clients';
import { useOf } from './gateway/haproxy-process';
import { HypershiftWay } from './gateway/hypershift-way';
import { serviceOf, synthesize } from './gateway/synthesized';
import { MasterSocket } from '../images/tcp-proxy/src/haproxy/master-socket';
import { GatewayInstallation } from '../images/tcp-proxy/test/gateway/gateway-installation';
import { eventually } from '../test/data-path/support/eventually';
import { stopParts } from '../test/data-path/support/parts';
import { TenantServer } from '../test/data-path/support/tenant-server';
import { freePorts } from '../test/support/ports';

/*
 * Measures the shared gateway with many tenants, and the same changes the way HyperShift makes them, side by side, and
 * writes bench/results/gateway.json.
 *
 * Tenants are on loopback and answer without TLS, so that the figures are HAProxy's alone. CPU times are of the HAProxy
 * worker, by turns for each size, and the best of the rounds counts: what disturbs a measurement makes it slower.
 */
const FEW = 10;
const MANY = 10_000;
const OPEN_CONNECTIONS = 500;
const CHANGES = 20;
const RELOADS = 3;
const CPU_ROUNDS = 8;
const CPU_CONNECTIONS = 4_000;
const RESULT = join(__dirname, 'results', 'gateway.json');

const folder = mkdtempSync(join(tmpdir(), 'bench-gateway-'));

const clusterId = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
const clusterIds = (count: number) => Array.from({ length: count }, (_, i) => clusterId(i));
/** Without those that every tenth tenant has sources for: these cost more, at any number of tenants. */
const unlimited = (count: number) => clusterIds(count).filter((_, i) => i % 10 !== 0);
const round = (value: number) => Math.round(value * 10) / 10;
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function main(): Promise<void> {
  const tenant = await TenantServer.start('tenant');
  const few = await ours(FEW, tenant.port);
  const many = await ours(MANY, tenant.port);
  const theirs = await hypershift(tenant.port);
  const result = {
    machine: { cpu: cpus()[0].model, cpus: cpus().length, node: process.version },
    synth: many.synth,
    maps: {
      cpuMicrosecondsPerConnection: await cpuPerConnection({ [FEW]: few, [MANY]: many }),
      haproxyMiB: { [FEW]: await memory(few.master), [MANY]: await memory(many.master) },
      change: await changeOurs(many),
    },
    backendsAndReload: {
      cpuMicrosecondsPerConnection: await cpuPerConnection({ [FEW]: theirs.few, [MANY]: theirs.many }),
      haproxyMiB: { [FEW]: await memory(theirs.few.master), [MANY]: await memory(theirs.many.master) },
      change: await changeTheirs(theirs.many),
    },
  };
  mkdirSync(join(__dirname, 'results'), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(JSON.stringify(result, undefined, 2));
  theirs.few.stop();
  theirs.many.stop();
  await Promise.all([few, many].map(({ installation }) => installation.remove()));
}

interface Contender {
  readonly clusterIdPort: number;
  readonly master: MasterSocket;
}

interface Ours extends Contender {
  readonly installation: GatewayInstallation;
  readonly synth: object;
  readonly files: Record<string, string>;
  readonly port: number;
}

/** Synthesizes a gateway and runs it with what came out. */
async function ours(count: number, port: number): Promise<Ours> {
  const { synth, files } = synthesize(count, port, join(folder, String(count)));
  const installation = await GatewayInstallation.create();
  for (let i = 0; i <= count + CHANGES; i++) {
    installation.dns.records.set(serviceOf(i), ['127.0.0.1']);
  }
  installation.mountRoutes(files);
  const agent = installation.start('--resolve-interval', '30s');
  await eventually(async () => (await agent.http('/readyz')).status === 200, 120_000);
  return { installation, clusterIdPort: installation.clusterIdPort, master: installation.master, synth, files, port };
}

async function hypershift(backendPort: number): Promise<{ few: HypershiftWay; many: HypershiftWay }> {
  const started = await Promise.all([FEW, MANY].map(async count => {
    const [sniPort, clusterIdPort] = await freePorts(2);
    const way = new HypershiftWay(sniPort, clusterIdPort, backendPort);
    way.start(clusterIds(count));
    await eventually(async () => await answer(clusterIdPort, clusterId(count - 1)) !== '', 120_000);
    return way;
  }));
  return { few: started[0], many: started[1] };
}

async function workerOf(master: MasterSocket): Promise<number> {
  return (await master.processes()).find(({ type, old }) => type === 'worker' && !old)!.pid;
}

async function memory(master: MasterSocket): Promise<number> {
  const processes = await master.processes();
  return round(processes.reduce((sum, { pid }) => sum + useOf(pid).rssMiB, 0));
}

async function cpuPerConnection(contenders: { [count: number]: Contender }): Promise<{ [count: number]: number }> {
  const best: { [count: number]: number } = {};
  for (let i = 0; i < CPU_ROUNDS; i++) {
    const order = Object.entries(contenders);
    for (const [count, { master, clusterIdPort }] of i % 2 === 0 ? order : order.reverse()) {
      const pid = await workerOf(master);
      await makeConnections(clusterIdPort, CPU_CONNECTIONS / 10, unlimited(Number(count)));
      const before = useOf(pid).cpuMs;
      await makeConnections(clusterIdPort, CPU_CONNECTIONS, unlimited(Number(count)));
      const used = 1000 * (useOf(pid).cpuMs - before) / CPU_CONNECTIONS;
      best[Number(count)] = round(Math.min(best[Number(count)] ?? Infinity, used));
    }
  }
  return best;
}

/** From the moment at which the changed files are in place to the answer of the new tenant. */
async function changeOurs({ installation, clusterIdPort, master, files, port }: Ours): Promise<object> {
  const worker = await workerOf(master);
  const open = await openConnections(clusterIdPort, clusterId(1), OPEN_CONNECTIONS);
  const client = new SteadyClient(clusterIdPort, clusterId(1));
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const added = MANY + i;
    const name = 'cluster-ids-00.map';
    files[name] += `${clusterId(added)} ${serviceOf(added)}:${port}\n`;
    installation.mountRoutes({ [name]: files[name] });
    times.push(await untilRouted(clusterIdPort, clusterId(added), performance.now()));
  }
  await client.stop();
  return {
    changes: CHANGES,
    msToFirstConnection: { median: round(median(times)), worst: round(Math.max(...times)) },
    reloads: await workerOf(master) === worker ? 0 : 'some',
    lostOfOpen: open.filter(({ ended }) => ended).length,
    lostOfNew: client.lost,
    newConnections: client.made,
    workers: (await master.processes()).filter(({ type }) => type === 'worker').length,
    haproxyMiBAfter: await memory(master),
  };
}

/** From the moment at which the changed list is known to the answer of the new tenant; a reload for each. */
async function changeTheirs(way: HypershiftWay): Promise<object> {
  const client = new SteadyClient(way.clusterIdPort, clusterId(1));
  const open = [];
  const times: number[] = [];
  for (let i = 0; i < RELOADS; i++) {
    open.push(...await openConnections(way.clusterIdPort, clusterId(1), Math.ceil(OPEN_CONNECTIONS / RELOADS)));
    const start = performance.now();
    const routed = untilRouted(way.clusterIdPort, clusterId(MANY + i), start);
    await way.change(clusterIds(MANY + i + 1));
    times.push(await routed);
  }
  await client.stop();
  return {
    changes: RELOADS,
    msToFirstConnection: { median: round(median(times)), worst: round(Math.max(...times)) },
    reloads: RELOADS,
    lostOfOpen: open.filter(({ ended }) => ended).length,
    lostOfNew: client.lost,
    newConnections: client.made,
    workers: (await way.master.processes()).filter(({ type }) => type === 'worker').length,
    haproxyMiBAfter: await memory(way.master),
  };
}

main().finally(async () => {
  await stopParts();
  rmSync(folder, { recursive: true, force: true });
}).then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
