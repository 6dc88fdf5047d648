import { once } from 'events';
import { readdirSync } from 'fs';
import { request } from 'http';
import { connect, Socket } from 'net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { HealthServer } from '../../src/health/health-server';
import { eventually } from '../support/eventually';

jest.setTimeout(60_000);

const FLOOD = 10_000;
/** As many as one client of the flood opens at once: what the kernel keeps for the server. */
const BURST = 100;
/** What the server may hold of everybody together, with some for itself. */
const MOST_DESCRIPTORS = 200;

let server: HealthServer;
let port: number;
let registry: Registry;
let metrics: () => Promise<string>;
let rendered: number;
let log: Record<string, unknown>[];
const sockets = new Set<Socket>();

beforeEach(async () => {
  registry = new Registry();
  rendered = 0;
  log = [];
  metrics = async () => 'up 1\n';
  server = new HealthServer({
    addresses: [{ host: '127.0.0.1', port: 0 }],
    readiness: async () => ({ haproxy: { ok: true, detail: 'running' } }),
    metrics: () => {
      rendered++;
      return metrics();
    },
    logger: pino({}, { write: line => log.push(JSON.parse(line)) }),
    registry,
  });
  port = await server.start();
});

afterEach(() => {
  server.stop();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** Connects and sends this; what the server does to it is no error here. */
async function client(text: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
  socket.write(text);
  return socket;
}

async function get(path: string, localAddress = '127.0.0.2'): Promise<number> {
  const call = request({ host: '127.0.0.1', port, path, localAddress, agent: false }).end();
  const [response] = await once(call, 'response');
  for await (const _ of response);
  return response.statusCode;
}

async function flood(text: string, count: number, whileAt: (i: number) => Promise<void>): Promise<void> {
  for (let opened = 0; opened < count; opened += BURST) {
    await Promise.all(Array.from({ length: BURST }, () => client(text)));
    await whileAt(opened);
  }
}

const serverSockets = () => readdirSync('/proc/self/fd').length - sockets.size;
const dropped = async (reason: string) =>
  (await registry.getSingleMetric('tcp_proxy_health_connections_dropped_total')!.get()).values.find(({ labels }) => labels.reason === reason)!.value;

test.each([
  ['unfinished requests', 'GET /readyz HTTP/1.1\r\nHost: x\r\n'],
  ['connections without a byte', ''],
])('a flood of %s is held in a few slots, and probes are answered, from its own address too', async (_, text) => {
  await flood(text, FLOOD, async () => {
    expect([await get('/readyz'), await get('/healthz', '127.0.0.1')]).toEqual([200, 200]);
  });
  await eventually(() => expect(serverSockets()).toBeLessThan(MOST_DESCRIPTORS));
  expect(await dropped('crowded')).toBeGreaterThan(FLOOD / 2);
  expect(log.filter(({ msg }) => String(msg).includes('closed a connection to the health port'))).toEqual([expect.objectContaining({ source: '127.0.0.1', reason: 'crowded' })]);
});

test('readers that never read take a few slots, and the metrics reach others', async () => {
  const long = 'x 1\n'.repeat(2_000_000);
  metrics = async () => long;
  for (let i = 0; i < 100; i++) {
    const reader = await client('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    reader.pause();
  }
  expect(await get('/metrics')).toBe(200);
  expect(await get('/readyz')).toBe(200);
  await eventually(() => expect(serverSockets()).toBeLessThan(MOST_DESCRIPTORS));
});

test('a client that sends a byte now and then is closed all the same', async () => {
  const slow = await client('GET /healthz HTTP/1.1\r\n');
  const trickle = setInterval(() => slow.write('X: y\r\n'), 100);
  await new Promise(resolve => slow.once('close', resolve));
  clearInterval(trickle);
  expect(await dropped('slow')).toBe(1);
});

test('who asks at the same time gets the same answer', async () => {
  let finish = (_: string) => undefined as void;
  const first = new Promise<string>(resolve => finish = resolve);
  metrics = () => first;
  const calls = Array.from({ length: 10 }, () => get('/metrics'));
  await eventually(() => expect(rendered).toBe(1));
  finish('up 1\n');
  expect(await Promise.all(calls)).toEqual(Array(10).fill(200));
  metrics = async () => 'up 2\n';
  await get('/metrics');
  expect(rendered).toBe(2);
});

test.each(['//', '//readyz', '*', '/%', 'http://[', '/healthz/..', '/metrics2'])('the path %s is not there, and harms nobody', async path => {
  const socket = await client(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1.1 404 /);
  expect(await get('/readyz')).toBe(200);
});

test('a query is no part of the path, and each connection has one answer', async () => {
  const socket = await client('GET /healthz?verbose HTTP/1.1\r\nHost: x\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer.match(/HTTP\/1.1 200 OK/g)).toHaveLength(1);
});

test('headers without an end are refused', async () => {
  const socket = await client(`GET /healthz HTTP/1.1\r\nX: ${'y'.repeat(20_000)}`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1.1 431 /);
});

test('it listens on every address that is given', async () => {
  const both = new HealthServer({
    addresses: [{ host: '127.0.0.3', port: 0 }, { host: '127.0.0.4', port }],
    readiness: async () => ({}),
    metrics: async () => '',
    logger: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  const first = await both.start();
  for (const address of [{ host: '127.0.0.3', port: first }, { host: '127.0.0.4', port }]) {
    const call = request({ ...address, path: '/readyz', agent: false }).end();
    expect((await once(call, 'response'))[0].statusCode).toBe(200);
  }
  both.stop();
});
