import { once } from 'events';
import { connect as connectTcp } from 'net';
import { ConnectionOptions } from 'tls';
import { API_HOST, Chain, startChain } from './support/chain';
import { connectTls, ended, received } from './support/client';
import { clientHello, intoTwoRecords, splittingTransport } from './support/client-hello';
import { keep, stopParts } from './support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

/** Unknown protocols of 250 bytes each, as a means to make a ClientHello long. */
const padding = (count: number) => Array.from({ length: count }, (_, i) => String(i).padEnd(250, '-'));

describeWithHaproxy('ClientHello', () => {
  describe.each(['tls', 'tcp'] as const)('upstream by %s', mode => {
    test('may be split over two packets at any byte', async () => {
      const chain = await start(mode);
      const { length } = await clientHello({ servername: API_HOST });
      // Every boundary in the headers, then every seventh.
      const boundaries = Array.from({ length: length - 1 }, (_, i) => i + 1).filter(boundary => boundary < 12 || boundary % 7 === 0);
      for (const boundary of boundaries) {
        expect(await request(chain, hello => [hello.subarray(0, boundary), hello.subarray(boundary)])).toContain('GET /pods');
      }
    });

    test('may come byte by byte', async () => {
      const chain = await start(mode);
      expect(await request(chain, hello => [...hello].map(byte => Buffer.from([byte])))).toContain('GET /pods');
    });

    test('may be longer than a packet', async () => {
      const chain = await start(mode);
      const options = { ALPNProtocols: [...padding(8), 'http/1.1'] };
      expect((await clientHello(options)).length).toBeGreaterThan(2_000);
      expect(await request(chain, hello => [hello], options)).toContain('GET /pods');
      expect(await request(chain, hello => [hello.subarray(0, 1_460), hello.subarray(1_460)], options)).toContain('GET /pods');
    });
  });

  test('may be split over two TLS records', async () => {
    const chain = await start('tls');
    for (const boundary of [1, 4, 50, 200]) {
      expect(await request(chain, hello => [intoTwoRecords(hello, boundary)])).toContain('GET /pods');
    }
  });

  test('may be longer than one TLS record can be', async () => {
    const chain = await start('tls');
    const options = { ALPNProtocols: [...padding(70), 'http/1.1'] };
    expect((await clientHello(options)).length).toBeGreaterThan(16_384);
    expect(await request(chain, hello => [hello], options)).toContain('GET /pods');
  });

  test('that is never finished ends with the handshake timeout, without a connection upstream', async () => {
    const chain = await startChain({ proxy: { replace: { 'client-hs 10s': 'client-hs 300ms' } } });
    const hello = await clientHello();
    const socket = connectTcp({ port: chain.port, host: '127.0.0.1' }).on('error', () => undefined);
    keep({ stop: () => void socket.destroy() });
    await once(socket, 'connect');
    socket.resume().write(hello.subarray(0, 100));
    await ended(socket);
    expect(await chain.haproxy.stat('upstream-no-alpn', 'upstream', 'stot')).toBe(0);
  });
});

function start(mode: 'tls' | 'tcp'): Promise<Chain> {
  return startChain({ proxy: { upstream: { mode } } });
}

/** Sends a request through a TLS connection with a ClientHello in pieces, and returns the answer. */
async function request(chain: Chain, split: (hello: Buffer) => Buffer[], options: ConnectionOptions = {}): Promise<string> {
  const socket = await connectTls(chain, {
    socket: splittingTransport(chain.port, split),
    servername: API_HOST,
    checkServerIdentity: () => undefined,
    ...options,
  });
  const answer = received(socket);
  socket.write('GET /pods HTTP/1.1\r\nHost: kubernetes\r\nConnection: close\r\n\r\n');
  await ended(socket);
  return answer.text;
}
