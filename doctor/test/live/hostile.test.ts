import { Socket } from 'net';
import { TLSSocket } from 'tls';
import { stopParts } from '../../../test/data-path/support/parts';
import { TlsServer } from '../../../test/data-path/support/tls-server';
import { CertificateAuthority, CertificatePair } from '../../../test/support/certificates';
import { isFailure, openTls, TlsConnection } from '../../src/live/connection';
import { get, getHttp2 } from '../../src/live/requests';
import { startTcp } from '../support/tcp-server';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

/** For connections on which nothing happens. */
const SILENCE_MS = 500;
/** For connections that must be made first. */
const ANSWER_MS = 1_500;

let pair: CertificatePair;
beforeAll(async () => {
  const ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
  pair = await ca.issue({ commonName: 'kube-apiserver', sans: ['kubernetes'], keyType: 'ecdsa' });
});

/** A TLS connection to a server that does something odd after the handshake. */
async function openTo(protocol: string, serve: (socket: TLSSocket) => void): Promise<TlsConnection> {
  const server = await TlsServer.start({ cert: pair.certificate, key: pair.key, ALPNProtocols: [protocol] }, serve);
  const connection = await openTls({ host: '127.0.0.1', port: server.port }, { alpn: [protocol], timeoutMs: ANSWER_MS });
  if (isFailure(connection)) throw new Error(connection.detail);
  return connection;
}

/** Sends the text again and again, for as long as it is taken. */
function flood(socket: TLSSocket, text: string): void {
  const more = () => {
    if (!socket.destroyed) socket.write(text, () => setImmediate(more));
  };
  more();
}

describe('the doctor at a hostile endpoint', () => {
  test.each([
    ['says nothing', () => undefined],
    ['sends a byte of a handshake now and then', (socket: Socket) => {
      const timer = setInterval(() => socket.write(Buffer.from([0x16])), 20);
      socket.on('close', () => clearInterval(timer));
    }],
  ])('gives up on one that %s', async (_, serve) => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startTcp(serve), { timeoutMs: SILENCE_MS });
    expect(examination.hop('sni').status).toBe('failed');
    expect(examination.hop('no-sni').status).toBe('unknown');
  });

  test('reads the start of an endless body', async () => {
    const connection = await openTo('http/1.1', server => {
      server.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n');
      flood(server, 'x'.repeat(8_192));
    });
    const answer = await get(connection, 'host', '/version');
    expect(answer.body).toHaveLength(16_384);
    expect(connection.socket.destroyed).toBe(true);
  });

  test.each([
    ['endless headers', 'HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(4_096)}\r\n`],
    ['endless preliminary answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['something else than HTTP', '\u0000\u0001\u0002', 'zzz'],
  ])('gives up on %s', async (_, start, more) => {
    const connection = await openTo('http/1.1', server => {
      server.write(start);
      flood(server, more);
    });
    await expect(get(connection, 'host', '/version')).rejects.toThrow();
    expect(connection.socket.destroyed).toBe(true);
  });

  test.each([
    ['is silent', () => undefined],
    ['speaks HTTP/1.1', (server: TLSSocket) => server.write('HTTP/1.1 200 OK\r\n\r\n')],
    ['sends frames without end', (server: TLSSocket) => flood(server, Buffer.from('000000040000000000', 'hex').toString('latin1'))],
    ['says go away', (server: TLSSocket) => {
      server.write(Buffer.from('000000040000000000', 'hex'));
      server.write(Buffer.from('0000080700000000000000000000000000', 'hex'));
    }],
  ])('gives up on an HTTP/2 server that %s', async (_, serve) => {
    const connection = await openTo('h2', serve);
    await expect(getHttp2(connection, 'host', '/version')).rejects.toThrow();
    expect(connection.socket.destroyed).toBe(true);
  });

  test('survives a reset at any time', async () => {
    const connection = await openTo('http/1.1', server => server.once('data', () => server.destroy()));
    await expect(get(connection, 'host', '/version')).rejects.toThrow();
  });
});
