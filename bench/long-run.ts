import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { createServer, Server, AddressInfo, connect } from 'net';
import { cpus } from 'os';
import { join } from 'path';
import { connect as connectTls } from 'tls';
import { AS_THE_IMAGE } from './as-the-image';
import { round } from './proxy/statistics';
import { MasterSocket } from '../images/tcp-proxy/src/haproxy/master-socket';
import { GatewayInstallation, serviceName } from '../images/tcp-proxy/test/gateway/gateway-installation';
import { Agent } from '../images/tcp-proxy/test/support/agent';
import { Installation } from '../images/tcp-proxy/test/support/installation';
import { clusterIdHeader } from '../test/data-path/support/gateway';
import { stopParts } from '../test/data-path/support/parts';
import { TLS_START } from '../test/data-path/support/tenant-server';

/*
 * Sends many short connections through a gateway and through a tcp-proxy, each with its agent, and writes bench/results/long-run.json:
 * memory, descriptors and processes as they go on. With --smoke a hundredth of them, and nothing is written.
 */
interface Share {
  readonly gateway: number;
  readonly serve: number;
}
const FULL: Share = { gateway: 450_000, serve: 150_000 };
const SMOKE: Share = { gateway: 1_500, serve: 500 };
const AT_A_TIME = 32;
const SAMPLES = 20;
/** What the last fifth may have more than the second: allocators keep some of what they had. */
const MOST_GROWTH = { percent: 10, mib: 3 };
const RESULT = join(__dirname, 'results', 'long-run.json');

/** What the processes of one side hold at a moment. */
interface Sample {
  readonly connections: number;
  readonly seconds: number;
  readonly agentMiB: number;
  readonly haproxyMiB: number;
  readonly agentDescriptors: number;
  readonly haproxyDescriptors: number;
  readonly processes: number;
}

process.chdir(join(__dirname, '..'));

async function main(smoke: boolean): Promise<void> {
  const { gateway, serve } = smoke ? SMOKE : FULL;
  const report = {
    machine: { cpu: cpus()[0].model, cpus: cpus().length },
    connections: gateway + serve,
    atATime: AT_A_TIME,
    gateway: summary(await throughGateway(gateway)),
    serve: summary(await throughServe(serve)),
  };
  console.log(JSON.stringify(report, undefined, 2));
  if (smoke) {
    return;
  }
  mkdirSync(join(RESULT, '..'), { recursive: true });
  writeFileSync(RESULT, `${JSON.stringify(report, undefined, 2)}\n`);
}

async function throughGateway(count: number): Promise<Sample[]> {
  const installation = await GatewayInstallation.create();
  const upstream = await answering();
  try {
    installation.dns.records.set(serviceName('tenant-01'), ['127.0.0.1']);
    installation.mountTenants([{ clusterId: 'tenant-01', port: (upstream.address() as AddressInfo).port }]);
    const agent = installation.startBehind(AS_THE_IMAGE);
    await agent.readyz(200);
    const hello = Buffer.concat([clusterIdHeader('tenant-01'), TLS_START]);
    return await run(count, agent, installation.master, () => exchange(installation.clusterIdPort, hello));
  } finally {
    upstream.close();
    await installation.remove();
  }
}

async function throughServe(count: number): Promise<Sample[]> {
  const installation = await Installation.create();
  try {
    const agent = installation.serveBehind(AS_THE_IMAGE);
    await agent.readyz(200);
    // As clients do, which resume the sessions that they had.
    let session: Buffer | undefined;
    const dial = () => new Promise<void>((resolve, reject) => {
      const socket = connectTls({ host: '127.0.0.1', port: installation.port, servername: 'kubernetes', ca: installation.ca.certificate, session });
      socket.on('session', ticket => {
        session ??= ticket;
      });
      socket.on('secureConnect', () => socket.write('GET / HTTP/1.1\r\nHost: kubernetes\r\nConnection: close\r\n\r\n'));
      socket.once('data', () => socket.destroy());
      socket.on('error', reject).on('close', () => resolve());
    });
    return await run(count, agent, installation.master, dial);
  } finally {
    await installation.remove();
  }
}

/** Whoever connects gets a word. */
async function answering(): Promise<Server> {
  const server = createServer(socket => {
    socket.on('error', () => undefined).once('data', () => socket.end('tenant-01'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function exchange(port: number, hello: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(hello));
    let answered = false;
    socket.once('data', () => {
      answered = true;
      socket.end();
    });
    socket.on('error', reject).on('close', () => answered ? resolve() : reject(new Error('a connection was closed without an answer')));
  });
}

async function run(count: number, agent: Agent, master: MasterSocket, dial: () => Promise<void>): Promise<Sample[]> {
  const began = performance.now();
  const samples: Sample[] = [];
  for (let step = 1; step <= SAMPLES; step++) {
    let left = Math.round(count / SAMPLES);
    await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
      while (left-- > 0) {
        await dial();
      }
    }));
    const processes = (await master.processes()).map(({ pid }) => pid);
    samples.push({
      connections: Math.round(count * step / SAMPLES),
      seconds: round((performance.now() - began) / 1000),
      agentMiB: anonymousMiB(agent.pid),
      haproxyMiB: round(processes.reduce((sum, pid) => sum + anonymousMiB(pid), 0)),
      agentDescriptors: descriptors(agent.pid),
      haproxyDescriptors: processes.reduce((sum, pid) => sum + descriptors(pid), 0),
      processes: processes.length + 1,
    });
  }
  return samples;
}

function anonymousMiB(pid: number): number {
  const [, kib] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return round(Number(kib) / 1024);
}

function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Whether what is held stays as it is, from the second fifth to the last. */
function summary(samples: readonly Sample[]) {
  const fifth = SAMPLES / 5;
  // The least of a fifth is what is held: more is a connection that is just being closed, or what is not collected yet.
  const held = (part: readonly Sample[], of: keyof Sample) => Math.min(...part.map(sample => sample[of]));
  const [early, late] = [samples.slice(fifth, 2 * fifth), samples.slice(-fifth)];
  const most = (before: number) => Math.max(before * (1 + MOST_GROWTH.percent / 100), before + MOST_GROWTH.mib);
  const isFlat = (of: keyof Sample) => held(late, of) <= most(held(early, of));
  const figures = ['agentMiB', 'haproxyMiB', 'agentDescriptors', 'haproxyDescriptors', 'processes'] as const;
  return {
    figures: Object.fromEntries(figures.map(of => [of, { early: held(early, of), late: held(late, of), flat: isFlat(of) }])),
    flat: figures.every(isFlat),
    samples,
  };
}

main(process.argv.includes('--smoke')).finally(stopParts).then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
