import { API_HOST, startChain } from './support/chain';
import { connectH2, connectTls, ended, get, received } from './support/client';
import { eventually } from './support/eventually';
import { stopParts } from './support/parts';
import { allOf, openStream } from './support/raw-stream';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

describeWithHaproxy('streams', () => {
  test('an HTTP/1.1 request reaches the API server under its public name', async () => {
    const chain = await startChain();
    expect(await get(chain, '/api/v1/pods')).toBe('200 GET /api/v1/pods');
    expect(chain.api.clientConnections).toMatchObject([{ sni: API_HOST }]);
  });

  test('many watches on one HTTP/2 connection are one connection to the API server', async () => {
    const chain = await startChain();
    const session = await connectH2(chain);
    const watches = Array.from({ length: 100 }, (_, i) => {
      const stream = session.request({ ':path': `/watch/${i}?watch=1` });
      return received(stream);
    });
    await eventually(() => watches.every(({ text }) => text === 'ADDED\n'));
    chain.api.notify('MODIFIED');
    await eventually(() => watches.every(({ text }) => text === 'ADDED\nMODIFIED\n'));
    expect(chain.api.clientConnections).toHaveLength(1);
    expect(chain.api.clientConnections[0].requests).toHaveLength(100);
  });

  test.each(['websocket', 'SPDY/3.1'])('a stream upgraded to %s carries bytes both ways', async protocol => {
    const chain = await startChain();
    const socket = await connectTls(chain, { ALPNProtocols: ['http/1.1'] });
    const answer = received(socket);
    socket.write(`GET /exec HTTP/1.1\r\nHost: kubernetes\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    await eventually(() => answer.text.endsWith('\r\n\r\n'));
    expect(answer.text).toMatch(/^HTTP\/1.1 101 /);
    socket.write('\u0001 input');
    await eventually(() => answer.text.endsWith('\r\n\r\n\u0001 input'));
  });

  test('a silent stream outlives the timeouts for handshake, connect and check', async () => {
    const chain = await startChain({
      proxy: { replace: { 'client-hs 10s': 'client-hs 200ms', 'connect 2500ms': 'connect 200ms', 'check 5s': 'check 200ms' } },
    });
    const socket = await connectTls(chain);
    const answer = received(socket);
    socket.write('GET /x?watch=1 HTTP/1.1\r\nHost: kubernetes\r\n\r\n');
    await eventually(() => answer.text.includes('ADDED'));
    await new Promise(resolve => setTimeout(resolve, 2_200));
    chain.api.notify('MODIFIED');
    await eventually(() => answer.text.includes('MODIFIED'));
  });

  test('a stream that is silent for longer than the tunnel timeout is closed', async () => {
    const chain = await startChain({ proxy: { config: { tunnelTimeoutSeconds: 1 } } });
    const socket = await connectTls(chain);
    const answer = received(socket);
    socket.write('GET /x?watch=1 HTTP/1.1\r\nHost: kubernetes\r\n\r\n');
    await eventually(() => answer.text.includes('ADDED'));
    await ended(socket);
  });

  describe.each(['tls', 'tcp'] as const)('half-closed, upstream by %s', mode => {
    test('a client that has ended its input still receives output', async () => {
      const { client, server } = await openStream(mode);
      const output = received(client);
      client.end('last input');
      expect(await allOf(server)).toBe('last input');
      server.end('late output');
      await eventually(() => output.text === 'late output');
    });

    test('a server that has ended its output still receives input', async () => {
      const { client, server } = await openStream(mode);
      const input = received(server);
      server.end('last output');
      expect(await allOf(client)).toBe('last output');
      client.end('late input');
      await eventually(() => input.text === 'late input');
    });
  });
});
