import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { AS_THE_IMAGE } from './as-the-image';
import { clusterIdOf, clusterName, clusterOf, CLUSTERS, hostOf, Place, serviceOf } from './fleet/names';
import { Programs } from './fleet/programs';
import { useOf } from './gateway/haproxy-process';
import { GatewayInstallation } from '../images/tcp-proxy/test/gateway/gateway-installation';
import { Agent } from '../images/tcp-proxy/test/support/agent';
import { GatewayHaproxyOptions } from '../src/shared-gateway/haproxy-options';
import { clientHello } from '../test/data-path/support/client-hello';
import { eventually } from '../test/data-path/support/eventually';
import { clusterIdHeader } from '../test/data-path/support/gateway';
import { stopParts } from '../test/data-path/support/parts';
import { exchange, TenantServer } from '../test/data-path/support/tenant-server';
import { freePorts } from '../test/support/ports';

/*
 * Measures the edge of a fleet of ten management clusters with 100,000 tenants, each cluster with its own gateway, and writes
 * bench/results/fleet.json. `--smoke` does a little of everything and writes nothing.
 *
 * Tenants are on loopback and answer without TLS, so that the figures are HAProxy's alone. CPU times are of HAProxy workers: of the
 * edge, and of the edge and all gateways behind it together. Contenders take turns, and the best of the rounds counts: what disturbs a
 * measurement makes it slower.
 */
const SMOKE = process.argv.includes('--smoke');
const FEW = 10;
const MANY = SMOKE ? 200 : 100_000;
const TENTH = MANY / 10;
const CHANGES = SMOKE ? 2 : 20;
const CPU_ROUNDS = SMOKE ? 1 : 8;
const CPU_CONNECTIONS = SMOKE ? 200 : 4_000;
const AT_ONCE = 20;
const SYNTH_ROUNDS = SMOKE ? 1 : 5;
const RESULT = join(__dirname, 'results', 'fleet.json');

const folder = mkdtempSync(join(tmpdir(), 'bench-fleet-'));
const round = (value: number) => Math.round(value * 100) / 100;
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A gateway that runs. */
interface Running {
  readonly installation: GatewayInstallation;
  readonly agent: Agent;
  readonly files: Record<string, string>;
}

/** What is measured: an edge with what is behind it, or a gateway without an edge. */
interface Contender {
  readonly entry: Running;
  readonly behind: Running[];
  /** Which tenants are asked for. */
  readonly tenants: number;
}

async function start(
  files: Record<string, string>, services: number[], config: Partial<GatewayHaproxyOptions> = {},
): Promise<Running> {
  const installation = await GatewayInstallation.create(0, config);
  services.forEach(i => installation.dns.records.set(serviceOf(i), ['127.0.0.1']));
  installation.mountRoutes(files);
  // Nothing that moves: what an agent does for thousands of unchanged services is measured by bench:idle.
  const agent = installation.startBehind(AS_THE_IMAGE, '--resolve-interval', '1h');
  await eventually(async () => (await agent.http('/readyz')).status === 200, 300_000);
  return { installation, agent, files };
}

const tenantsOf = (cluster: number, tenants: number) => Array.from({ length: tenants }, (_, i) => i).filter(i => clusterOf(i) === cluster);

async function main(): Promise<void> {
  const server = await TenantServer.start('tenant');
  const ports = await freePorts(CLUSTERS);
  const places: Place[] = ports.map(port => ({ address: '127.0.0.1', port }));
  const programs = new Programs(folder, places, server.port);
  const edges = { cidrs: ['127.0.0.1/32'] };

  // A gateway without an edge, with the tenants of one cluster: ten of them.
  programs.synth('0', FEW * CLUSTERS);
  const direct = await start(programs.routes('0', clusterName(0)).files, tenantsOf(0, FEW * CLUSTERS));
  // Its edge, with a line for each.
  for (let i = 1; i < CLUSTERS; i++) programs.synth(String(i), 0);
  const [fewPort] = await freePorts(1);
  programs.synth('listed', FEW * CLUSTERS);
  const fewFiles = withPort(programs.routes('listed', 'edge').files, places[0].port, fewPort);
  const fewInner = await start(direct.files, tenantsOf(0, FEW * CLUSTERS), { edge: { ...edges, port: fewPort } });
  const few = await start(fewFiles, [], { clusters: true });
  console.error('few');

  const clusters: Running[] = [];
  const exports: object[] = [];
  for (let i = 0; i < CLUSTERS; i++) {
    exports.push(programs.synth(String(i), MANY));
    clusters.push(await start(programs.routes(String(i), clusterName(i)).files, tenantsOf(i, MANY), { edge: { ...edges, port: ports[i] } }));
    console.error(clusterName(i));
  }
  const exportedBytes = statSync(join(programs.files, `${clusterName(0)}.json`)).size;
  const synthListed = programs.synth('listed', MANY);
  const listedRoutes = programs.routes('listed', 'edge');
  const listed = await start(listedRoutes.files, [], { clusters: true });
  const synthDomains = programs.synth('domains', MANY);
  const domains = await start(programs.routes('domains', 'edge').files, [], { clusters: true });
  console.error('edges');

  const contenders: { [name: string]: Contender } = {
    direct10: { entry: direct, behind: [], tenants: FEW },
    edge10: { entry: few, behind: [fewInner], tenants: FEW },
    edge100000Listed: { entry: listed, behind: clusters, tenants: MANY },
    edge100000Domains: { entry: domains, behind: clusters, tenants: MANY },
  };
  const cpu = await cpuPerConnection(contenders);
  const memory: { [name: string]: object } = {};
  for (const name of Object.keys(contenders)) memory[name] = await memoryOf(contenders[name].entry);
  const change = { listed: await changeListed(listed, clusters[0], server.port), domains: await changeInCluster(domains, clusters[0], server.port) };
  const afterChanges = await memoryOf(listed);
  const behindOne = await cpuBehindOneGateway(contenders);
  const result = {
    machine: { cpu: cpus()[0].model, cpus: cpus().length, node: process.version },
    tenants: MANY,
    clusters: CLUSTERS,
    cpuMicrosecondsPerConnection: {
      tenGateways: { ...cpu, ratioTo10: ratios(cpu) },
      oneGatewayForAll: { ...behindOne, ratioTo10: ratios(behindOne) },
    },
    memoryMiB: { ...memory, edge100000ListedAfterChanges: afterChanges },
    change,
    configMaps: { listed: { number: listedRoutes.configMaps, largestBytes: listedRoutes.largestBytes } },
    synth: {
      clusters: { each: { tenants: MANY / CLUSTERS, ...exports[0] }, fileMiB: round(exportedBytes / 2 ** 20) },
      edgeListed: synthListed,
      edgeDomains: synthDomains,
      ...synthesisOfATenth(programs),
    },
  };
  const text = `${JSON.stringify(result, undefined, 2)}\n`;
  if (!SMOKE) {
    mkdirSync(join(RESULT, '..'), { recursive: true });
    writeFileSync(RESULT, text);
  }
  console.log(text);
  for (const { installation } of [direct, few, listed, domains]) await installation.remove();
}

/** The same map of gateways with another port. */
function withPort(files: Record<string, string>, from: number, to: number): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, name.startsWith('gateways-') ? text.replace(`|${from}\n`, `|${to}\n`) : text]));
}

async function workerOf({ installation: { master } }: Running): Promise<number> {
  return (await master.processes()).find(({ type, old }) => type === 'worker' && !old)!.pid;
}

type Cpu = { [name: string]: { readonly edge: number; readonly all: number } };

/** Microseconds of the worker of the edge, and of those of the gateways behind it too. */
async function cpuPerConnection(contenders: { [name: string]: Contender }): Promise<Cpu> {
  const best: Cpu = {};
  const hello = await clientHello({ servername: hostOf(0) });
  const helloFor = (tenant: number) => Buffer.from(hello.toString('latin1').replace(hostOf(0), hostOf(tenant)), 'latin1');
  const make = async (port: number, count: number, tenants: number[]) => {
    for (let i = 0; i < count; i += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => exchange(port, helloFor(tenants[(i + j) % tenants.length]))));
      if (!answers.every(answer => answer === 'tenant')) throw new Error('a tenant is not routed');
    }
  };
  for (let i = 0; i < CPU_ROUNDS; i++) {
    const order = Object.entries(contenders);
    for (const [name, { entry, behind, tenants }] of i % 2 === 0 ? order : order.reverse()) {
      // Those of cluster 0 where there are few; all over the clusters where there are many.
      const asked = Array.from({ length: Math.min(tenants, CPU_CONNECTIONS) }, (_, j) => (tenants === FEW ? j * CLUSTERS : (j * 7919 + i) % MANY));
      const pids = [await workerOf(entry), ...await Promise.all(behind.map(workerOf))];
      await make(entry.installation.sniPort, CPU_CONNECTIONS / 10, asked);
      const before = pids.map(pid => useOf(pid).cpuMs);
      await make(entry.installation.sniPort, CPU_CONNECTIONS, asked);
      const used = pids.map((pid, j) => 1000 * (useOf(pid).cpuMs - before[j]) / CPU_CONNECTIONS);
      const all = used.reduce((sum, value) => sum + value, 0);
      const { edge: bestEdge, all: bestAll } = best[name] ?? { edge: Infinity, all: Infinity };
      best[name] = { edge: round(Math.min(bestEdge, used[0])), all: round(Math.min(bestAll, all)) };
    }
  }
  return best;
}

/** Of the edge alone, and of both hops. */
function ratios(cpu: Cpu): object {
  const to10 = ({ edge, all }: Cpu[string]) => ({ edgeAlone: round(edge / cpu.edge10.edge), bothHops: round(all / cpu.edge10.all) });
  return { listed: to10(cpu.edge100000Listed), domains: to10(cpu.edge100000Domains) };
}

/**
 * The same with one gateway that has the tenants of all clusters in the place of ten: on two cores, ten gateways cost the edge more than its
 * own work, which they do not where each has a machine of its own.
 */
async function cpuBehindOneGateway(contenders: { [name: string]: Contender }): Promise<Cpu> {
  const { direct10, edge10, edge100000Listed, edge100000Domains } = contenders;
  const files: Record<string, string> = {};
  for (const [i, { files: of, installation }] of edge100000Listed.behind.entries()) {
    for (const name of Object.keys(of)) files[name.replace(/-(\d+)\.map$/, (_, shard: string) => `-${i}${Number(shard)}.map`)] = of[name];
    await installation.remove();
  }
  const [port] = await freePorts(1);
  const all = await start(files, Array.from({ length: MANY }, (_, i) => i), { edge: { port, cidrs: ['127.0.0.1/32'] } });
  await edge10.behind[0].installation.remove();
  for (const { entry } of [edge10, edge100000Listed, edge100000Domains]) {
    Object.keys(entry.files).filter(name => name.startsWith('gateways-')).forEach(name => {
      entry.files[name] = entry.files[name].replace(/\|\d+$/gm, `|${port}`);
    });
    entry.installation.mountRoutes(entry.files);
  }
  const hello = await clientHello({ servername: hostOf(0) });
  for (const { entry } of [edge10, edge100000Listed, edge100000Domains]) {
    await eventually(async () => await exchange(entry.installation.sniPort, hello) === 'tenant', 60_000);
  }
  const behind = [all];
  const measured = await cpuPerConnection({
    direct10, edge10: { ...edge10, behind }, edge100000Listed: { ...edge100000Listed, behind }, edge100000Domains: { ...edge100000Domains, behind },
  });
  await all.installation.remove();
  return measured;
}

/** Anonymous memory of HAProxy, with its master, and of the agent. */
async function memoryOf({ installation: { master }, agent }: Running): Promise<{ haproxy: number; agent: number; all: number }> {
  const haproxy = (await master.processes()).reduce((sum, { pid }) => sum + useOf(pid).rssMiB, 0);
  const { rssMiB } = useOf(agent.pid);
  return { haproxy: round(haproxy), agent: round(rssMiB), all: round(haproxy + rssMiB) };
}

/** A tenant that its cluster has already: from the moment at which the changed file of the edge is in place to the answer. */
async function changeListed(edge: Running, cluster: Running, port: number): Promise<object> {
  const id = (i: number) => clusterIdOf(MANY + CLUSTERS + i * CLUSTERS);
  const inner = 'cluster-ids-00.map';
  for (let i = 0; i < CHANGES; i++) cluster.files[inner] += `${id(i)} ${serviceOf(0)}:${port}\n`;
  cluster.installation.mountRoutes({ [inner]: cluster.files[inner] });
  const name = 'cluster-ids-00.map';
  return measureChanges(edge, id, i => {
    edge.files[name] += `${id(i)} @${clusterName(0)}\n`;
    edge.installation.mountRoutes({ [name]: edge.files[name] });
  });
}

/** A tenant in a domain of its cluster: from the moment at which the changed file of the cluster is in place to the answer through the edge. */
async function changeInCluster(edge: Running, cluster: Running, port: number): Promise<object> {
  const name = 'hosts-00.map';
  const host = (i: number) => hostOf(MANY + i * CLUSTERS);
  return measureChanges(edge, host, i => {
    cluster.files[name] += `${host(i)} ${serviceOf(0)}:${port}\n`;
    cluster.installation.mountRoutes({ [name]: cluster.files[name] });
  });
}

/** @param key host or cluster ID of a new tenant */
async function measureChanges(edge: Running, key: (i: number) => string, change: (i: number) => void): Promise<object> {
  const worker = await workerOf(edge);
  const times: number[] = [];
  for (let i = 0; i < CHANGES; i++) {
    const name = key(i);
    const hello = await clientHello({ servername: name.includes('.') ? name : 'kubernetes' });
    const { sniPort, clusterIdPort } = edge.installation;
    const ask = () => name.includes('.') ? exchange(sniPort, hello) : exchange(clusterIdPort, Buffer.concat([clusterIdHeader(name), hello]));
    if (await ask() !== '') throw new Error(`${name} is routed before`);
    const since = performance.now();
    change(i);
    while (await ask() === '') {
      if (performance.now() - since > 60_000) throw new Error(`${name} is not routed within a minute`);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    times.push(performance.now() - since);
  }
  return { changes: CHANGES, msToFirstConnection: { median: round(median(times)), worst: round(Math.max(...times)) }, reloads: await workerOf(edge) === worker ? 0 : 'some' };
}

/** CPU times of whole processes, by turns, the best of the rounds. */
function synthesisOfATenth(programs: Programs): object {
  for (let i = 0; i < CLUSTERS; i++) programs.synth(String(i), TENTH);
  return Object.fromEntries(['listed', 'all'].map(what => {
    programs.prepareRaw(what, TENTH);
    const runs = Array.from({ length: SYNTH_ROUNDS }, (_, i) => {
      const [first, second] = i % 2 === 0 ? ['synth', 'raw'] as const : ['raw', 'synth'] as const;
      const measured = { [first]: programs[first](what, TENTH), [second]: programs[second](what, TENTH) };
      return measured as { synth: ReturnType<Programs['synth']>; raw: ReturnType<Programs['raw']> };
    });
    const least = (of: 'synth' | 'raw', figure: 'cpuMs' | 'wallMs' | 'peakRssMiB') => Math.min(...runs.map(run => run[of][figure]));
    const figures = (of: 'synth' | 'raw') => ({ wallMs: least(of, 'wallMs'), cpuMs: least(of, 'cpuMs'), peakRssMiB: least(of, 'peakRssMiB') });
    const [library, raw] = [figures('synth'), figures('raw')];
    return [`${what}Tenth`, { tenants: TENTH, library, raw, ratio: { cpu: round(library.cpuMs / raw.cpuMs), wall: round(library.wallMs / raw.wallMs), memory: round(library.peakRssMiB / raw.peakRssMiB) } }];
  }));
}

main().finally(async () => {
  await stopParts();
  rmSync(folder, { recursive: true, force: true });
}).then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
