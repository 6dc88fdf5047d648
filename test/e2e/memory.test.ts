import { once } from 'events';
import { readFileSync } from 'fs';
import { connect } from 'net';
import { setTimeout as sleep } from 'timers/promises';
import { createSecureContext } from 'tls';
import { Cluster, EXPOSURE } from './support/cluster';
import { LISTEN_PORT, Proxy } from './support/proxy';
import { isAnswered, Stalled, Stalling, Way } from './support/stalling';
import { MemoryCgroup, MemoryUse, sumOf } from '../../images/tcp-proxy/test/support/memory-cgroup';
import { ReadinessProbes } from '../../images/tcp-proxy/test/support/readiness-probes';
import { HEALTH_PORT } from '../../src/agent/contract/health';
import { memoryShares, OPENED_TLS } from '../../src/haproxy/memory-limit';
import { resolveShares } from '../../src/haproxy/resolve-shares';
import { keep, stopParts } from '../data-path/support/parts';

const NODE = '10.77.0.2';
const MIB = 2 ** 20;
const UNFINISHED = 10_000;
const BATCH = 50;
const LEGITIMATE = 40;
/** As many of them at once; those before may be counted for a moment still. */
const PARALLEL = 8;
const LEFT_FREE = 2 * PARALLEL;
const SAMPLE_MS = 50;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.applyAddon();
}, 120_000);
afterAll(stopParts);

/** The most that a pod uses; printed in MiB where FIGURES is in the environment. */
class Peak {
  public use: MemoryUse;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly measure: () => MemoryUse) {
    this.use = measure();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  public sample(): void {
    const use = this.measure();
    if (sumOf(use) > sumOf(this.use)) {
      this.use = use;
    }
  }

  /** Waits until it uses no more than before. */
  public async settled(): Promise<void> {
    let before: MemoryUse;
    do {
      before = this.use;
      await sleep(3_000);
    } while (sumOf(this.use) > sumOf(before) + MIB);
  }

  public stop(): void {
    clearInterval(this.timer);
  }
}

/** Requests to the health port that never end, from some addresses. */
async function unfinishedRequests(): Promise<void> {
  for (let opened = 0; opened < UNFINISHED; opened += BATCH) {
    await Promise.all(Array.from({ length: BATCH }, async (_, i) => {
      const socket = connect({ host: NODE, port: HEALTH_PORT, localAddress: `127.8.0.${1 + i % 50}` });
      keep({ stop: () => void socket.destroy() });
      socket.on('error', () => undefined);
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
      socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
    }));
  }
}

function anonymousOf(pids: number[]): number {
  return pids.reduce((sum, pid) => sum + 1024 * Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]), 0);
}

interface Attacked {
  /** Memory limit of the pod, in MiB. */
  readonly limit: number;
  readonly stalled: Stalled;
}

interface Outcome {
  readonly peak: MemoryUse;
  /** Of the legitimate requests. */
  readonly answered: number;
  /** Answers of `/readyz` other than 200. */
  readonly unready: (number | string)[];
  readonly oomKills: number;
  readonly restarted: boolean;
}

async function attack({ limit, stalled }: Attacked, cgroup?: MemoryCgroup): Promise<Outcome> {
  const { connections, socketBuffers } = memoryShares(OPENED_TLS, `${limit}Mi`);
  const stalling = await Stalling.start(await cluster.ca.issue({ commonName: 'kube-apiserver', sans: EXPOSURE.certSans, keyType: 'rsa' }));
  const proxy = await Proxy.start(cluster, 'tcp-proxy-a', NODE, undefined, {
    prefix: cgroup?.prefix,
    config: {
      maxConnections: connections,
      limits: resolveShares(connections, {}, { perSource: 1 / 4 }),
      socketBuffers,
      upstream: { host: '127.0.0.1', port: stalling.port, mode: 'tls', serverName: EXPOSURE.api.host },
    },
  });
  await proxy.ready();
  const { haproxy } = proxy.agent;
  const peak = new Peak(() => cgroup?.use ?? { anonymous: anonymousOf([proxy.agent.pid, haproxy.master, haproxy.worker]), kernel: 0, sockets: 0 });
  const secureContext = createSecureContext({ ca: cluster.ca.certificate });
  const from = (localAddress: string): Way => ({ host: NODE, port: LISTEN_PORT, localAddress, secureContext });
  try {
    for (let i = 0; i < connections; i += BATCH) {
      await Promise.all(Array.from({ length: Math.min(BATCH, connections - i) }, (_, j) => stalling.hold(from(`127.1.0.${1 + (i + j) % 100}`))));
    }
    await expect(stalling.hold(from('127.3.0.1'))).rejects.toThrow('refused');
    // Room for the legitimate ones.
    stalling.release(LEFT_FREE);
    await stalling.stall(stalled);
    await peak.settled();
    // Before, this process is busy being all clients and the API server.
    const probes = new ReadinessProbes({ host: NODE, port: HEALTH_PORT, localAddress: '127.9.0.1' });
    keep({ stop: () => void probes.stop() });
    expect(stalling.open).toBe(connections - LEFT_FREE);
    await unfinishedRequests();
    let answered = 0;
    for (let i = 0; i < LEGITIMATE; i += PARALLEL) {
      answered += (await Promise.all(Array.from({ length: PARALLEL }, (_, j) => isAnswered(from(`127.2.0.${1 + i + j}`))))).filter(Boolean).length;
    }
    const unready = await probes.stop();
    const { master, worker } = proxy.agent.haproxy;
    return { peak: peak.use, answered, unready, oomKills: cgroup?.oomKills ?? 0, restarted: master !== haproxy.master || worker !== haproxy.worker };
  } finally {
    peak.stop();
    await stalling.stop();
    await proxy.delete();
  }
}

test.each<Attacked>([
  { limit: 256, stalled: 'answers' },
  { limit: 256, stalled: 'requests' },
  { limit: 256, stalled: 'both' },
  { limit: 512, stalled: 'both' },
])(
  'a pod of $limit MiB all of whose connections are stalled ($stalled) stays below that beside a flood of its health port, and serves',
  async attacked => {
    // Only root may make one. Others limit nothing and do not see what the kernel uses.
    const cgroup = MemoryCgroup.create(attacked.limit * MIB);
    try {
      const { peak, ...outcome } = await attack(attacked, cgroup);
      if (process.env.FIGURES) {
        const [anonymous, kernel, sockets] = [peak.anonymous, peak.kernel, peak.sockets].map(bytes => Math.round(bytes / MIB));
        process.stderr.write(`${JSON.stringify({ ...attacked, anonymous, kernel, sockets })}\n`);
      }
      expect(outcome).toEqual({ answered: LEGITIMATE, unready: [], oomKills: 0, restarted: false });
      expect(sumOf(peak)).toBeLessThan(attacked.limit * MIB);
    } finally {
      cgroup?.remove();
    }
  }, 120_000);
