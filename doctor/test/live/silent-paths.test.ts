import { createSocket } from 'dgram';
import { connect, Socket } from 'net';
import { stopParts } from '../../../test/data-path/support/parts';
import { TlsServer } from '../../../test/data-path/support/tls-server';
import { verdictText } from '../../src/live/report';
import { startTcp } from '../support/tcp-server';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

/** Short, for those that never answer. */
const SILENCE_MS = 1_000;
/** For those that do something. */
const PATIENCE_MS = 20_000;
const ALERT_UNRECOGNIZED_NAME = Buffer.from('15030300020270', 'hex');
const SECURITY_HOPS = ['no-sni', 'unknown-sni', 'in-cluster-sni'] as const;

describe('a path to a shared address', () => {
  test('that never answers: says so, and that nobody knows who gets in', async () => {
    const tenant = await Tenant.create('tenant-01');
    const { results, statuses } = await Examination.of(tenant, await startTcp(socket => socket.resume()), { timeoutMs: SILENCE_MS });
    expect(statuses).toMatchObject({ 'sni': 'failed', 'no-sni': 'unknown', 'unknown-sni': 'unknown', 'in-cluster-sni': 'unknown' });
    const [verdict, ...remedies] = verdictText(results, (_, text) => text).split('\n');
    expect(verdict).toBe('Broken at sni, konnectivity-sni.');
    expect(remedies.map(line => line.split(':')[0])).toEqual(['  sni, konnectivity-sni', '  no-sni, unknown-sni, in-cluster-sni']);
  });

  test.each([
    ['resets every connection', (socket: Socket) => { socket.once('data', () => socket.resetAndDestroy()); }],
    ['closes every connection', (socket: Socket) => { socket.once('data', () => socket.end()); }],
    ['sends everybody an alert', (socket: Socket) => { socket.once('data', () => socket.end(ALERT_UNRECOGNIZED_NAME)); }],
  ])('that %s: has refused nobody', async (_, serve) => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startTcp(serve), { timeoutMs: PATIENCE_MS });
    expect(examination.failed).toEqual(['sni', 'konnectivity-sni']);
    for (const hop of SECURITY_HOPS) {
      expect(examination.hop(hop)).toMatchObject({ status: 'unknown', detail: expect.stringMatching(/^cannot be told: .*, as every client that was tried$/) });
    }
  });

  test('that answers one host alone: has refused the others', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startTcp(client => {
      client.once('data', hello => {
        if (!hello.includes(tenant.konnectivityHost)) return client.end();
        const server = connect(tenant.konnectivityPort, '127.0.0.1').on('error', () => undefined);
        server.write(hello);
        client.pipe(server).pipe(client);
        return undefined;
      });
    });
    const examination = await Examination.of(tenant, port, { timeoutMs: PATIENCE_MS });
    expect(examination.failed).toEqual(['sni']);
    for (const hop of SECURITY_HOPS) expect(examination.hop(hop)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^refused: /) });
  });

  test('that is silent to clients with http/1.1 alone: says so, and blames no ingress that opens TLS', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startTcp(client => {
      client.once('data', hello => {
        if (!hello.includes('\u0002h2\u0008http/1.1')) return;
        const server = connect(tenant.api.port, '127.0.0.1').on('error', () => undefined);
        server.write(hello);
        client.pipe(server).pipe(client);
      });
    });
    const examination = await Examination.of(tenant, port, { timeoutMs: SILENCE_MS, konnectivity: undefined, byPort: true });
    expect(examination.hop('alpn')).toMatchObject({
      status: 'failed',
      detail: 'no TLS for clients that offer http/1.1 alone: takes the connection, but no answer within 1s to the TLS handshake',
      remedy: expect.stringMatching(/^look for what takes connections and answers nothing: a hung proxy/),
    });
    expect(examination.hop('version')).toMatchObject({
      status: 'failed', detail: expect.stringMatching(/^\/version: no TLS: takes the connection, but no answer within 1s/), remedy: examination.hop('alpn').remedy,
    });
  });

  test('is not healthy when only clients without a name get no answer', () => {
    const results = [{ hop: 'sni', status: 'ok', detail: 'x' }, { hop: 'no-sni', status: 'unknown', detail: 'x', remedy: 'y' }] as const;
    expect(verdictText([...results], (_, text) => text)).toBe('Works as far as it shows, but no-sni is unknown.\n  no-sni: y');
  });
});

describe('a server that agrees on a protocol and answers no request', () => {
  /** TLS of a tenant, and then nothing. */
  async function mute(tenant: Tenant): Promise<number> {
    const names = [tenant.host, tenant.konnectivityHost, 'kubernetes'];
    const silent = await tenant.ca.issue({ commonName: 'kube-apiserver', sans: names, keyType: 'ecdsa' });
    return (await TlsServer.start({ cert: silent.certificate, key: silent.key, ALPNProtocols: ['h2', 'http/1.1'] }, socket => socket.resume())).port;
  }

  test('is late, be it the API server or the konnectivity server, and neither is a success', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await mute(tenant);
    const konnectivity = { host: tenant.konnectivityHost, port };
    const examination = await Examination.of(tenant, port, { byPort: true, timeoutMs: SILENCE_MS, konnectivity });
    expect(examination.hop('version')).toMatchObject({
      status: 'failed', detail: '/version: no answer within 1s to the request, or not all of it', remedy: expect.stringMatching(/hung or overloaded server.*MTU/),
    });
    expect(examination.hop('konnectivity-grpc')).toMatchObject({
      status: 'unknown', detail: 'HTTP/2 is agreed on, but there is no answer: no answer within 1s to the request, or not all of it',
    });
  });
});

test('a DNS server that does not answer is late as well', async () => {
  const tenant = await Tenant.create('tenant-01');
  const silent = createSocket('udp4');
  await new Promise<void>(done => silent.bind(0, '127.0.0.1', done));
  const examination = await Examination.of(tenant, tenant.api.port, { resolver: `127.0.0.1:${silent.address().port}`, timeoutMs: SILENCE_MS });
  silent.close();
  expect(examination.hop('dns')).toMatchObject({ status: 'failed', detail: 'DNS fails for tenant-01.k8s.example.com: no answer within 1s' });
  expect(examination.hop('version')).toMatchObject({ status: 'skipped', detail: 'needs dns' });
});
