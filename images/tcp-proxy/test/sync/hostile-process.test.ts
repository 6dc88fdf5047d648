import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateOf, configMap, Harness, NAMESPACE, until } from './harness';
import { HOSTILITIES, HOSTILITIES_OF_ENDPOINTS, Hostility, HostileServer } from './hostile-server';
import { kubernetesEndpoints } from '../../../../src/agent/contract/kubernetes-endpoints';
import { Agent } from '../support/agent';
import { FakeCluster } from '../support/fake-api/fake-cluster';
import { MemoryCgroup } from '../support/memory-cgroup';

/** For longer runs by hand: how long each kind of hostile answers goes on. Figures are printed then, at the end. */
const SECONDS = Number(process.env.HOSTILE_SECONDS ?? 0);
const LIMIT_BYTES = 256 * 2 ** 20;
const LEASE = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/tenant-sync`;
const SERVING_SECRET = '/api/v1/namespaces/kube-system/secrets/tcp-proxy-tls';

jest.setTimeout(60_000 + HOSTILITIES.length * (SECONDS + 20) * 1_000);

/** To compare with. */
const HONEST: Hostility = { name: 'what it should' };

let harness: Harness;
let agent: Agent;
let cgroup: MemoryCgroup | undefined;
let evil: HostileServer;
let url: string;
let good: FakeCluster;
let changes = 0;
let forgotten = 0;

beforeAll(async () => {
  harness = await Harness.create();
  evil = new HostileServer(harness.certificate);
  url = await evil.start();
  harness.kubeconfig('evil', url);
  good = await harness.tenant('good');
  for (const name of ['evil', 'good']) harness.authority(name);
  cgroup = MemoryCgroup.create(LIMIT_BYTES);
  agent = start();
  await change('good');
  await change('evil');
  await harness.synced('evil');
});

afterAll(async () => {
  await agent.stop();
  evil.stop();
  await harness.close();
  cgroup?.remove();
});

/** As the manifests start it, and the image. */
function start(): Agent {
  const folder = join(harness.dir, 'run');
  mkdirSync(folder, { recursive: true });
  return new Agent({
    args: harness.flags('sync-0', '--resync-interval', '1h', '--secrets-interval', '15m', '--log-level', 'warn', '--visits-file', join(folder, 'visits.json')),
    env: { NODE_OPTIONS: '--max-semi-space-size=4', GLIBC_TUNABLES: 'glibc.malloc.mmap_threshold=32768' },
    prefix: cgroup?.prefix,
  });
}

/** Changes the bundle of a tenant, which asks for a certificate as well. */
async function change(name: string): Promise<void> {
  harness.bundle(name, {
    objects: [configMap('one', { change: String(++changes) })],
    settings: certificateOf(name),
  });
}

/** How long a change takes to arrive at the good tenant, with a new certificate. */
async function arrivalMs(): Promise<number> {
  good.remove(SERVING_SECRET);
  const began = performance.now();
  await change('good');
  const wanted = String(changes);
  await until('the change has arrived at the good tenant', () =>
    good.object('/api/v1/namespaces/default/configmaps/one')?.data.change === wanted && good.object(SERVING_SECRET) !== undefined);
  await harness.synced('good');
  return performance.now() - began;
}

function peakMib(): number {
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))!;
  return Math.round(Number(kib) / 1024);
}

test.each<Hostility>([HONEST, ...HOSTILITIES])('beside a tenant that answers with $name, what others get arrives, and the process goes on', async (hostility) => {
  evil.hostility = undefined;
  await change('evil');
  await harness.synced('evil');
  // Of a tenant whose kubeconfig has changed, nothing is known: it is asked for everything again.
  harness.kubeconfig('evil', `${url}${'/'.repeat(++forgotten % 2)}`);
  evil.hostility = hostility;
  const transitions = harness.management.object(LEASE)!.spec.leaseTransitions;
  const contacts = evil.contacts;
  const arrivals: number[] = [];
  const ends = performance.now() + SECONDS * 1_000;
  do {
    // A bundle that changes is a reason to visit at once, however often that has failed.
    await change('evil');
    arrivals.push(await arrivalMs());
  } while (performance.now() < ends);
  if (hostility.says === undefined) await harness.synced('evil');
  else await harness.phase('evil', 'Failed', hostility.says);
  arrivals.push(await arrivalMs());
  expect(await Promise.race([agent.exited, 'still there'])).toBe('still there');
  expect(agent.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(harness.management.object(LEASE)!.spec).toMatchObject({ holderIdentity: 'sync-0', leaseTransitions: transitions });
  expect(peakMib()).toBeLessThan(LIMIT_BYTES / 2 ** 20);
  if (SECONDS > 0) {
    const sorted = [...arrivals].sort((x, y) => x - y).map(Math.round);
    const figures = {
      arrivals: sorted.length,
      medianMs: sorted[Math.floor(sorted.length / 2)],
      longestMs: sorted[sorted.length - 1],
      peakMib: peakMib(),
      contacts: evil.contacts - contacts,
    };
    process.stderr.write(`${hostility.name}: ${JSON.stringify(figures)} cgroup ${((cgroup?.peakBytes ?? 0) / 2 ** 20).toFixed(0)} MiB\n`);
  }
});

const SLICE = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';

function keepEndpoints(name: string): void {
  const { endpoints, slices } = kubernetesEndpoints(['203.0.113.10'], 20001, 'IPv4');
  harness.bundle(name, { objects: [endpoints, ...slices, configMap('one', { change: String(++changes) })], settings: { kubernetesEndpoints: 'kept' } });
}

test.each<Hostility>([HONEST, ...HOSTILITIES, ...HOSTILITIES_OF_ENDPOINTS])('beside a tenant whose endpoints are kept and that answers with $name, those of others are repaired, and the process goes on', async (hostility) => {
  evil.hostility = hostility;
  keepEndpoints('good');
  for (let i = 0; i < 4; i++) {
    const contacts = evil.contacts;
    // Who has failed often is asked seldom, but for a bundle that changes.
    keepEndpoints('evil');
    await until('the hostile tenant was asked again', () => evil.contacts > contacts);
  }
  await until('the good tenant is watched', () => good.openWatches('endpointslices') === 1 && good.openWatches('endpoints') === 1);
  for (let i = 0; i < 3; i++) {
    good.put(SLICE, { ...good.object(SLICE)!, endpoints: [] });
    await until('the endpoints are there again', () => good.object(SLICE)!.endpoints.length === 1);
  }
  expect(await Promise.race([agent.exited, 'still there'])).toBe('still there');
  expect(agent.log.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(peakMib()).toBeLessThan(LIMIT_BYTES / 2 ** 20);
});
