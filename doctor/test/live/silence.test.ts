import { connect, Socket } from 'net';
import { stopParts } from '../../../test/data-path/support/parts';
import { TlsServer } from '../../../test/data-path/support/tls-server';
import { CertificateAuthority, CertificatePair } from '../../../test/support/certificates';
import { freePorts } from '../../../test/support/ports';
import { ConnectionFailure, isFailure, openTls } from '../../src/live/connection';
import { judgeRefusal } from '../../src/live/hops/refusal';
import { judgeRouting } from '../../src/live/hops/routing';
import { get, getHttp2 } from '../../src/live/requests';
import { startTcp as startServer } from '../support/tcp-server';

jest.setTimeout(60_000);

afterEach(stopParts);

/** Short, for those that never answer. */
const SILENCE_MS = 1_000;
/** For those that do something. */
const PATIENCE_MS = 20_000;
/** Less than the first flight of a TLS server, and more than the header of a record. */
const PART_BYTES = 40;

let pair: CertificatePair;
beforeAll(async () => {
  const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
  pair = await ca.issue({ commonName: 'kube-apiserver', sans: ['kubernetes'], keyType: 'ecdsa' });
});

/** Leaves its half of a connection open when the other is closed. */
const startTcp = (serve: (socket: Socket) => void) => startServer(serve, { allowHalfOpen: true });

/** A TLS server of which the first bytes come through, and then `next` happens. */
async function startPartialTls(next: (client: Socket) => void): Promise<number> {
  const { port } = await TlsServer.start({ cert: pair.certificate, key: pair.key }, () => undefined);
  return startTcp(client => {
    const server = connect(port, '127.0.0.1').on('error', () => undefined);
    client.on('close', () => server.destroy()).on('data', data => server.write(data));
    server.once('data', data => client.write(data.subarray(0, PART_BYTES), () => next(client)));
  });
}

/** A TLS server whose bytes come one by one, each with a pause. */
async function startSlowTls(): Promise<number> {
  const { port } = await TlsServer.start({ cert: pair.certificate, key: pair.key }, () => undefined);
  return startTcp(client => {
    const server = connect(port, '127.0.0.1').on('error', () => undefined);
    client.on('close', () => server.destroy()).on('data', data => server.write(data));
    server.on('data', data => {
      server.pause();
      const rest = [...Array(Math.ceil(data.length / PART_BYTES)).keys()].map(i => data.subarray(i * PART_BYTES, (i + 1) * PART_BYTES));
      const more = () => {
        const part = rest.shift();
        if (part === undefined) server.resume();
        else client.write(part, () => setTimeout(more, 5));
      };
      more();
    });
  });
}

async function failureAt(port: number, timeoutMs: number): Promise<ConnectionFailure> {
  const connection = await openTls({ host: '127.0.0.1', port }, { serverName: 'host', timeoutMs });
  if (!isFailure(connection)) throw new Error('there is a connection');
  return connection;
}

interface Ending {
  readonly what: string;
  readonly start: () => Promise<number>;
  readonly failure: ConnectionFailure['failure'];
  readonly detail: string | RegExp;
  /** Of a hop that wants a refusal. */
  readonly refusal: 'ok' | 'unknown';
  /** Part of the remedy of a hop that wants an answer. */
  readonly remedy: RegExp;
}

const alert = (description: string) => Buffer.from(`150303000202${description}`, 'hex');
const ALERT_UNRECOGNIZED_NAME = alert('70');
const ALERT_INTERNAL_ERROR = alert('50');
const ALERT_NO_APPLICATION_PROTOCOL = alert('78');
/** That the other side closes; it is no error. */
const ALERT_CLOSE_NOTIFY = Buffer.from('15030300020100', 'hex');
const GIVES_UP = /answers and gives up/;
const NO_ROUTE = /knows no such host, or the pods behind it are down/;

const ENDINGS: Ending[] = [
  {
    what: 'takes the connection and never answers',
    start: () => startTcp(socket => socket.resume()),
    failure: 'silent',
    detail: 'takes the connection, but no answer within 1s to the TLS handshake',
    refusal: 'unknown',
    remedy: /hung proxy.*inspects TLS \(DPI\).*ClientHello of several packets.*MTU/,
  },
  {
    what: 'does not even read',
    start: () => startTcp(socket => socket.pause()),
    failure: 'silent',
    detail: 'takes the connection, but no answer within 1s to the TLS handshake',
    refusal: 'unknown',
    remedy: /hung proxy/,
  },
  {
    what: 'answers in part and stops',
    start: () => startPartialTls(() => undefined),
    failure: 'stalled',
    detail: `begins to answer, but does not finish the TLS handshake within 1s (${PART_BYTES} bytes came)`,
    refusal: 'unknown',
    remedy: /loses large packets.*MTU/,
  },
  {
    what: 'sends bytes of a record for ever',
    start: () => startTcp(socket => {
      socket.write(Buffer.from('1603033000', 'hex'));
      const timer = setInterval(() => socket.write(Buffer.from([0])), 20);
      socket.on('close', () => clearInterval(timer));
    }),
    failure: 'stalled',
    detail: /^begins to answer, but does not finish the TLS handshake within 1s \(\d+ bytes came\)$/,
    refusal: 'unknown',
    remedy: /longer --timeout/,
  },
  {
    what: 'closes without an answer',
    start: () => startTcp(socket => socket.once('data', () => socket.end())),
    failure: 'closed',
    detail: 'closed the connection without an answer to the TLS handshake',
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'answers in part and closes',
    start: () => startPartialTls(client => client.end()),
    failure: 'cut',
    detail: 'closed the connection in the middle of the TLS handshake',
    refusal: 'unknown',
    remedy: GIVES_UP,
  },
  {
    what: 'resets without an answer',
    start: () => startTcp(socket => socket.once('data', () => socket.resetAndDestroy())),
    failure: 'closed',
    detail: 'reset the connection without an answer to the TLS handshake',
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'answers in part and resets',
    start: () => startPartialTls(client => setTimeout(() => client.resetAndDestroy(), 100)),
    failure: 'cut',
    detail: 'reset the connection in the middle of the TLS handshake',
    refusal: 'unknown',
    remedy: GIVES_UP,
  },
  {
    what: 'sends a TLS alert',
    start: () => startTcp(socket => socket.once('data', () => socket.end(ALERT_UNRECOGNIZED_NAME))),
    failure: 'alert',
    detail: 'TLS alert: unrecognized name',
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'sends a TLS alert because it has no certificate for anybody',
    start: () => startTcp(socket => socket.once('data', () => socket.end(ALERT_INTERNAL_ERROR))),
    failure: 'alert',
    detail: 'TLS alert: internal error',
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'sends a TLS alert about something else than the name',
    start: () => startTcp(socket => socket.once('data', () => socket.end(ALERT_NO_APPLICATION_PROTOCOL))),
    failure: 'cut',
    detail: 'TLS alert: no application protocol',
    refusal: 'unknown',
    remedy: GIVES_UP,
  },
  {
    what: 'begins a handshake and then sends a TLS alert',
    start: () => startPartialTls(client => client.end(ALERT_UNRECOGNIZED_NAME)),
    failure: 'cut',
    detail: /^(TLS alert in the middle of the handshake: .*|closed the connection in the middle of the TLS handshake)$/,
    refusal: 'unknown',
    remedy: GIVES_UP,
  },
  {
    what: 'says goodbye by TLS and closes',
    start: () => startTcp(socket => socket.once('data', () => socket.end(ALERT_CLOSE_NOTIFY))),
    failure: 'closed',
    detail: 'closed the connection without an answer to the TLS handshake',
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'takes the connection and resets it at once',
    start: () => startTcp(socket => socket.resetAndDestroy()),
    failure: 'closed',
    detail: /^reset the connection/,
    refusal: 'ok',
    remedy: NO_ROUTE,
  },
  {
    what: 'speaks HTTP',
    start: () => startTcp(socket => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    failure: 'not-tls',
    detail: /^answers with something that is not TLS/,
    refusal: 'unknown',
    remedy: /serves something else than TLS/,
  },
  {
    what: 'does not listen',
    start: async () => (await freePorts(1))[0],
    failure: 'refused',
    detail: 'connection refused: nothing listens there',
    refusal: 'unknown',
    remedy: /check the listener/,
  },
];

describe('a TLS server that', () => {
  test.each(ENDINGS)('$what', async ({ start, failure, detail, refusal, remedy }) => {
    const waits = failure === 'silent' || failure === 'stalled';
    const found = await failureAt(await start(), waits ? SILENCE_MS : PATIENCE_MS);
    expect(found).toEqual({ failure, detail: typeof detail === 'string' ? detail : expect.stringMatching(detail) });
    const question = { host: 'host', sans: [], caGiven: true, client: 'a client', remedy: 'x' };
    expect(judgeRefusal(found, { ...question, answersOthers: true }).status).toBe(refusal);
    expect(judgeRefusal(found, { ...question, answersOthers: false }).status).toBe('unknown');
    expect(judgeRouting(found, question)).toMatchObject({ status: 'failed', remedy: expect.stringMatching(remedy) });
  });

  test('is slow is not given up', async () => {
    const connection = await openTls({ host: '127.0.0.1', port: await startSlowTls() }, { serverName: 'host', timeoutMs: PATIENCE_MS });
    expect(isFailure(connection)).toBe(false);
  });
});

describe('a server that has made TLS and then', () => {
  test.each([['http/1.1', get], ['h2', getHttp2]] as const)('says nothing to a request by %s has not "ended the connection"', async (protocol, send) => {
    const { port } = await TlsServer.start({ cert: pair.certificate, key: pair.key, ALPNProtocols: [protocol] }, () => undefined);
    const connection = await openTls({ host: '127.0.0.1', port }, { alpn: [protocol], timeoutMs: SILENCE_MS });
    if (isFailure(connection)) throw new Error(connection.detail);
    await expect(send(connection, 'host', '/version')).rejects.toThrow('no answer within 1s to the request');
  });

  test('ends the connection has done so', async () => {
    const { port } = await TlsServer.start({ cert: pair.certificate, key: pair.key }, socket => socket.once('data', () => socket.end()));
    const connection = await openTls({ host: '127.0.0.1', port }, { alpn: ['http/1.1'], timeoutMs: PATIENCE_MS });
    if (isFailure(connection)) throw new Error(connection.detail);
    await expect(get(connection, 'host', '/version')).rejects.toThrow(/the other side ended the connection/);
  });
});
