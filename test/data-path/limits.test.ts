import { once } from 'events';
import { connect as connectTcp, Socket } from 'net';
import { API_HOST, startChain } from './support/chain';
import { connectTls, ended } from './support/client';
import { clientHello } from './support/client-hello';
import { eventually } from './support/eventually';
import { HaproxyProcess } from './support/haproxy-process';
import { keep, stopParts } from './support/parts';
import { startStreamPath, Stream } from './support/raw-stream';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(120_000);
afterEach(stopParts);

describeWithHaproxy('limits', () => {
  test('a connection above the limit is refused at once and counted, and the open ones go on', async () => {
    const chain = await startChain({ proxy: { settings: { maxConnections: 2, shares: { perSource: 2 } } } });
    const [first] = [await connectTls(chain), await connectTls(chain)];
    // The reset may come before the client sees that it is connected.
    await ended(connectTcp({ port: chain.port, host: '127.0.0.1' }).on('error', () => undefined));
    expect(await chain.haproxy.frontendMetric('denied_connections_total')).toBe(1);

    first.destroy();
    await eventually(async () => await chain.haproxy.frontendMetric('current_sessions') === 1);
    await connectTls(chain);
  });

  test('as many as there can be without a memory limit fit into 16,384 file descriptors', async () => {
    const inside = { prefix: ['prlimit', '--nofile=16384'], env: process.env };
    const chain = await startChain({ proxy: { settings: { resources: {} }, inside } });
    await connectTls(chain);
  });

  test.each<{ mode: 'tls' | 'tcp'; timeout: { [text: string]: string }; backend: string }>([
    { mode: 'tls', timeout: { 'client-hs 10s': 'client-hs 300ms' }, backend: 'upstream-no-alpn' },
    { mode: 'tcp', timeout: { 'inspect-delay 10s': 'inspect-delay 300ms' }, backend: 'upstream' },
  ])('a client that sends nothing is closed, without a connection upstream (by $mode)', async ({ mode, timeout, backend }) => {
    const { port, haproxy } = await startChain({ proxy: { upstream: { mode }, replace: timeout } });
    await ended(await connect(port));
    expect(await haproxy.stat(backend, 'upstream', 'stot')).toBe(0);
  });

  describe('connections that are reset', () => {
    const RESETS = 1_000;

    test.each([
      { phase: 'before the handshake', send: async () => Buffer.alloc(0) },
      { phase: 'within the handshake', send: async () => (await clientHello({ servername: API_HOST })).subarray(0, 100) },
      { phase: 'after the ClientHello', send: () => clientHello({ servername: API_HOST }) },
    ])('$phase leave nothing behind', async ({ send }) => {
      // They all come from one source.
      const chain = await startChain({ proxy: { settings: { maxConnections: RESETS, shares: { perSource: RESETS } } } });
      const bytes = await send();
      await inBatches(RESETS, async () => {
        const socket = await connect(chain.port);
        if (bytes.length > 0) {
          await new Promise(resolve => socket.write(bytes, resolve));
        }
        socket.resetAndDestroy();
      });
      await expectIdle(chain.haproxy);
      await connectTls(chain);
    });

    const phases: { phase: string; reset: (stream: Stream) => Promise<unknown> | void }[] = [
      { phase: 'by the client in the middle of a stream', reset: ({ tcp }) => void tcp.resetAndDestroy() },
      { phase: 'by the API server in the middle of a stream', reset: ({ server }) => void server.destroy() },
      {
        phase: 'by the client after the API server has ended its output',
        reset: async ({ client, tcp, server }) => {
          server.end();
          await once(client.resume(), 'end');
          tcp.resetAndDestroy();
        },
      },
    ];
    test.each(phases)('$phase leave nothing behind', async ({ reset }) => {
      const path = await startStreamPath('tls');
      await inBatches(RESETS, async () => {
        const stream = await path.open();
        await reset(stream);
        stream.client.destroy();
      });
      await expectIdle(path.proxy.haproxy);
      await path.open();
    });
  });
});

async function connect(port: number): Promise<Socket> {
  const socket = connectTcp({ port, host: '127.0.0.1' }).on('error', () => undefined);
  keep({ stop: () => void socket.destroy() });
  await once(socket, 'connect');
  return socket.resume();
}

async function inBatches(count: number, task: () => Promise<void>): Promise<void> {
  const batch = 50;
  for (let done = 0; done < count; done += batch) {
    await Promise.all(Array.from({ length: batch }, task));
  }
}

/** Expects that HAProxy lives, has no connection left and has nothing to do. */
async function expectIdle(haproxy: HaproxyProcess): Promise<void> {
  await eventually(async () => await haproxy.frontendMetric('current_sessions') === 0);
  const before = await pollingLoops(haproxy);
  await new Promise(resolve => setTimeout(resolve, 300));
  // A busy loop turns some hundred thousand times a second, an idle one with its timers a few times.
  expect(await pollingLoops(haproxy) - before).toBeLessThan(1_000);
  expect(haproxy.alive).toBe(true);
}

async function pollingLoops(haproxy: HaproxyProcess): Promise<number> {
  return Number(/^loops: (\d+)/m.exec(await haproxy.command('show activity'))![1]);
}
