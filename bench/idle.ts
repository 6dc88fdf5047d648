import { execFileSync } from 'child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { cpus, tmpdir } from 'os';
import { join } from 'path';
import { setTimeout as sleep } from 'timers/promises';
import { useOf } from './gateway/haproxy-process';
import { serviceOf, synthesize } from './gateway/synthesized';
import { round } from './proxy/statistics';
import { GatewayInstallation } from '../images/tcp-proxy/test/gateway/gateway-installation';
import { Agent } from '../images/tcp-proxy/test/support/agent';
import { eventually } from '../test/data-path/support/eventually';
import { stopParts } from '../test/data-path/support/parts';

/*
 * Measures a gateway pod from the image with 20,000 tenants of which nothing changes, probed as in a cluster, and writes
 * bench/results/idle.json. With --smoke it does a little of everything in about a minute, and writes nothing.
 */
interface Settings {
  readonly tenants: number;
  readonly settleSeconds: number;
  readonly seconds: number;
}
const FULL: Settings = { tenants: 20_000, settleSeconds: 60, seconds: 200 };
const SMOKE: Settings = { tenants: 1_000, settleSeconds: 5, seconds: 15 };
const RESULT = join(__dirname, 'results', 'idle.json');
/** How often Kubernetes and Prometheus ask, in seconds. */
const PROBES = { '/readyz': 5, '/healthz': 10, '/metrics': 30 };
/** What the project promises of the agent. */
const MOST_CPU_PERCENT = 2;

process.chdir(join(__dirname, '..'));
const folder = mkdtempSync(join(tmpdir(), 'bench-idle-'));

async function main(smoke: boolean): Promise<void> {
  const { tenants, settleSeconds, seconds } = smoke ? SMOKE : FULL;
  const installation = await GatewayInstallation.create();
  installation.mountRoutes(synthesize(tenants, 6443, folder).files);
  for (let i = 0; i < tenants; i++) {
    installation.dns.records.set(serviceOf(i), ['127.0.0.1']);
  }
  execFileSync('npx', ['projen', 'bundle'], { cwd: 'images/tcp-proxy', stdio: ['ignore', 2, 2] });
  const root = execFileSync('scripts/image.sh', { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).split('\n')[0];
  // As the library's manifests start it, but for the addresses.
  const agent = installation.startImage(root, '--resolve-interval', '30s', '--reload-interval', '10s');
  const began = performance.now();
  await eventually(async () => (await agent.http('/readyz')).status === 200, 120_000);
  const readySeconds = round((performance.now() - began) / 1000);
  await eventually(async () => {
    const { body } = await agent.http('/readyz');
    if (!body.includes(`${tenants} of ${tenants} services`)) {
      throw new Error(body);
    }
    return true;
  }, 120_000);
  const probes = Object.entries(PROBES).map(([path, every]) => setInterval(() => void agent.http(path), 1000 * every));
  await sleep(settleSeconds * 1000);

  const pids = { agent: [agent.pid], haproxy: (await installation.master.processes()).map(({ pid }) => pid) };
  const before = { agent: sum(pids.agent), haproxy: sum(pids.haproxy) };
  const queries = installation.dns.queries;
  const start = performance.now();
  await sleep(seconds * 1000);
  const wallMs = performance.now() - start;
  const result = {
    machine: { cpu: cpus()[0].model, cpus: cpus().length },
    tenants,
    seconds,
    readySeconds,
    dnsQueriesPerSecond: round((installation.dns.queries - queries) / wallMs * 1000),
    agent: figures(pids.agent, before.agent.cpuMs, wallMs),
    haproxy: figures(pids.haproxy, before.haproxy.cpuMs, wallMs),
    warnings: warningsOf(agent),
  };
  probes.forEach(clearInterval);
  const report = { ...result, targets: { agentBelow2PercentOfACore: result.agent.cpuPercentOfACore <= MOST_CPU_PERCENT } };
  console.log(JSON.stringify(report, undefined, 2));
  if (!smoke) {
    mkdirSync(join(RESULT, '..'), { recursive: true });
    writeFileSync(RESULT, `${JSON.stringify(report, undefined, 2)}\n`);
  }
  await installation.remove();
}

function sum(pids: number[]): { cpuMs: number; rssMiB: number } {
  const uses = pids.map(useOf);
  return { cpuMs: uses.reduce((all, { cpuMs }) => all + cpuMs, 0), rssMiB: uses.reduce((all, { rssMiB }) => all + rssMiB, 0) };
}

function figures(pids: number[], cpuMsBefore: number, wallMs: number) {
  const { cpuMs, rssMiB } = sum(pids);
  return { cpuPercentOfACore: round(100 * (cpuMs - cpuMsBefore) / wallMs), anonymousMiB: round(rssMiB) };
}

function warningsOf(agent: Agent): number {
  return agent.log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(String(level))).length;
}

main(process.argv.includes('--smoke')).finally(async () => {
  await stopParts();
  rmSync(folder, { recursive: true, force: true });
}).then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
