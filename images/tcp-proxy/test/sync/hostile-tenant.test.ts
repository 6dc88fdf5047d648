import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, Server } from 'node:https';
import { AddressInfo, createServer as createTcpServer, Server as TcpServer, Socket } from 'node:net';
import { BUNDLES, configMap, Harness, metric, until } from './harness';
import { printable } from '../../src/sync/status';

let harness: Harness;
let servers: (Server | TcpServer)[] = [];
let connections: Socket[] = [];

beforeEach(async () => {
  harness = await Harness.create();
});

afterEach(async () => {
  await harness.close();
  for (const server of servers) server.close();
  // A connection that nobody reads does not see that its client has gone, and would keep the process of the tests.
  for (const connection of connections) connection.destroy();
  servers = [];
  connections = [];
});

/** A tenant whose API server answers as the test says. */
async function hostile(name: string, answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  const server = createServer({ cert: harness.certificate.cert, key: harness.certificate.key }, answer);
  harness.kubeconfig(name, `https://localhost:${await listening(server)}`);
  harness.bundle(name, { objects: [configMap('one')] });
}

async function listening(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.on('connection', (connection: Socket) => connections.push(connection));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test.each([
  ['never ends', (response: ServerResponse) => {
    const more = () => response.write(' '.repeat(64 * 1024), (error) => error || setImmediate(more));
    more();
  }, 'longer than'],
  ['comes byte by byte', (response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  }, 'no complete answer'],
  ['never comes', () => undefined, 'from the API server'],
  ['is a redirect', (response: ServerResponse) => response.writeHead(307, { location: harness.management.url }).end(), 'HTTP 307'],
  ['is not JSON', (response: ServerResponse) => response.end('<html>'), 'JSON'],
  ['is an inventory of its own making', (response: ServerResponse) =>
    response.end(JSON.stringify({ metadata: {}, data: { 'inventory.json': '{"version":1,"objects":[{"kind":1}]}' } })), 'inventory'],
  ['has a message to upset terminals', (response: ServerResponse) =>
    response.writeHead(403).end(JSON.stringify({ reason: 'Forbidden', message: `\u001b[2J\u202e\n${'x'.repeat(5_000)}` })), '[2J xxx'],
])('an answer that %s ends in a status of its tenant alone', async (_, answer, message) => {
  await hostile('evil', (_request, response) => answer(response));
  const good = await harness.tenant('good');
  harness.bundle('good', { objects: [configMap('one')] });
  const before = harness.management.audit.length;
  harness.start({ requestTimeout: 300 });
  await harness.synced('good');
  await harness.phase('evil', 'Failed', message);
  const status = harness.status('evil')!.message;
  expect(status.length).toBeLessThanOrEqual(500);
  expect(status).toMatch(/^[^\p{C}]*$/u);
  expect(good.applied()).toEqual(['ConfigMap one']);
  expect(harness.management.audit.slice(before).every(({ collection }) => !collection.includes('inventory'))).toBe(true);
});

test('a tenant that presents the certificate of another authority is not spoken to', async () => {
  const evil = await harness.tenant('evil');
  const other = (await Harness.create());
  await evil.stop();
  await evil.start(other.certificate);
  await other.close();
  harness.bundle('evil', { objects: [configMap('one')] });
  harness.start();
  await harness.phase('evil', 'Failed', 'cannot reach the tenant');
  expect(evil.audit).toEqual([]);
});

test('tenants that do not answer do not keep the places of the others', async () => {
  // They accept connections and say nothing.
  const port = await listening(createTcpServer(() => undefined));
  for (let i = 0; i < 12; i++) {
    harness.kubeconfig(`dead-${i}`, `https://localhost:${port}`);
    harness.bundle(`dead-${i}`, { objects: [configMap('one')] });
  }
  await harness.tenant('living');
  harness.start({ concurrency: 2 });
  await until('all of them wait for an answer', () => Array.from({ length: 12 }, (_, i) => harness.status(`dead-${i}`)).every(Boolean));
  harness.bundle('living', { objects: [configMap('one')] });
  await harness.synced('living');
  expect(harness.status('dead-11')!.phase).toBe('Applying');
});

test('a tenant that failed gets in again without taking a place of those that did not', async () => {
  const flaky = await harness.tenant('flaky');
  flaky.fail(({ verb }) => verb === 'patch', 503, 'ServiceUnavailable', 1);
  harness.bundle('flaky', { objects: [configMap('one')] });
  const { program } = harness.start({ concurrency: 1 });
  await harness.synced('flaky');
  expect(await metric(program, 'tcp_proxy_sync_errors_total', { reason: 'refused' })).toBe(1);
});

test('a status says no more than it has to, in one line', () => {
  expect(printable('a\r\n\tb\u0000\u200bc\u2028d')).toBe('a b c d');
  expect(printable('😀'.repeat(600)).length).toBeLessThanOrEqual(500);
  expect(printable('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
});

test('a bundle that claims the tenant of another one is refused', async () => {
  await harness.tenant('a');
  await harness.tenant('b');
  harness.bundle('a', { objects: [configMap('one')] });
  harness.management.put(`${BUNDLES}/claims`, {
    ...harness.management.object(`${BUNDLES}/tenants-a`)!,
    metadata: { labels: { 'app.kubernetes.io/name': 'tenant-bundle', 'app.kubernetes.io/instance': 'tenants.a' } },
    data: { 'tenant.json': JSON.stringify({ version: 1, tenant: { namespace: 'tenants', name: 'b' }, part: 1, parts: 1, checksum: 'x', kubeconfig: { secretName: 'b-admin-kubeconfig', keys: ['admin.svc'] } }) },
  });
  harness.start();
  await until('it is refused', () => harness.management.store.list(BUNDLES).some(({ data }) => data.phase === 'Failed' && data.message.includes('tenants/a and tenants/b')));
});
