import { createServer, Server } from 'net';
import { ApiServer } from './support/api-server';
import { API_HOST, authority, Chain, startChain, startTcpProxy } from './support/chain';
import { connectTls, ended, get } from './support/client';
import { DnsServer } from './support/dns-server';
import { eventually } from './support/eventually';
import { keep, stopParts } from './support/parts';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

/** Times of health checks, shortened. */
const QUICK_CHECKS = { 'inter 5s fastinter 1s downinter 1s': 'inter 100ms fastinter 100ms downinter 100ms' };

describeWithHaproxy('availability', () => {
  test('an API server that is down at the start makes the proxy not ready, and ready as soon as it is up', async () => {
    const chain = await startChain({ proxy: { replace: QUICK_CHECKS } });
    await chain.api.server.stop();
    await eventually(async () => !await chain.haproxy.ready());
    await ended(await connectTls(chain));

    await chain.api.server.listen();
    await eventually(() => chain.haproxy.ready());
    expect(await get(chain, '/pods')).toBe('200 GET /pods');
  });

  test('a proxy that has not heard of its API server yet is not ready', async () => {
    const hung = await startHungServer();
    const { haproxy } = await startTcpProxy({ ca: await authority(), upstream: { port: hung.port } });
    await eventually(() => hung.connections() > 0);
    expect(await haproxy.ready()).toBe(false);
  });

  test('an API server that accepts connections and says nothing ends them within the connect timeout and its one repetition', async () => {
    const ca = await authority();
    const hung = await startHungServer();
    const proxy = await startTcpProxy({
      ca, upstream: { port: hung.port }, replace: { 'timeout connect 2500ms': 'timeout connect 300ms', 'timeout check 5s': 'timeout check 300ms' },
    });
    const client = await connectTls({ port: proxy.port, ca });
    client.write('GET / HTTP/1.1\r\n\r\n');
    await ended(client);
    await eventually(() => proxy.haproxy.log.some(line => / sC /.test(line)));
    expect(await proxy.haproxy.ready()).toBe(false);
    expect((await proxy.haproxy.health('/metrics')).status).toBe(200);
  });

  test('a short restart is hidden from a client that connects meanwhile', async () => {
    const ca = await authority();
    const pair = await ca.issue({ commonName: 'kube-apiserver', sans: [API_HOST], keyType: 'ecdsa' });
    const api = await ApiServer.start({ cert: pair.certificate, key: pair.key });
    await api.server.stop();
    const proxy = await startTcpProxy({ ca, upstream: { port: api.port } });
    const answer = get({ port: proxy.port, ca }, '/pods');
    await eventually(async () => await proxy.haproxy.stat('upstream-no-alpn', 'upstream', 'wretr') > 0);
    await api.server.listen();
    expect(await answer).toBe('200 GET /pods');
  });

  test('an API server that says it is not ready still gets traffic', async () => {
    const chain = await startChain({ proxy: { replace: QUICK_CHECKS } });
    await eventually(() => chain.haproxy.ready());
    chain.api.readyz = 500;
    await eventually(async () => !await chain.haproxy.ready());
    expect(await get(chain, '/pods')).toBe('200 GET /pods');
  });

  describe('the name of the upstream', () => {
    test('is resolved at run time, and a changed address is followed', async () => {
      const { chain, dns } = await startNamedChain({ [API_HOST]: ['127.0.0.1'] });
      await eventually(() => chain.haproxy.ready());
      expect(await get(chain, '/pods')).toBe('200 GET /pods');
      const elsewhere = await startHungServer(chain.ingressPort, '127.0.0.2');
      dns.records.set(API_HOST, ['127.0.0.2']);
      await eventually(async () => {
        (await connectTls(chain)).destroy();
        return elsewhere.connections() > 0;
      });
    });

    test('keeps its last good address while DNS is out', async () => {
      const { chain, dns } = await startNamedChain({ [API_HOST]: ['127.0.0.1'] });
      await eventually(() => chain.haproxy.ready());
      for (const outage of ['silent', 'name error'] as const) {
        dns.answering = outage !== 'silent';
        dns.records.clear();
        const { queries } = dns;
        await eventually(() => dns.queries > queries + 6);
        expect(await get(chain, '/pods')).toBe('200 GET /pods');
      }
    });

    test('may be unknown at the start', async () => {
      const { chain, dns } = await startNamedChain({});
      await eventually(() => dns.queries > 2);
      expect(await chain.haproxy.ready()).toBe(false);
      await ended(await connectTls(chain));

      dns.records.set(API_HOST, ['127.0.0.1']);
      await eventually(() => chain.haproxy.ready());
      expect(await get(chain, '/pods')).toBe('200 GET /pods');
    });

    test('is looked up at the start, so that the first health check need not wait for the second', async () => {
      const { chain } = await startNamedChain({ localhost: ['127.0.0.1'] }, { host: 'localhost', replace: { 'inter 5s fastinter 1s': 'inter 1h fastinter 1h' } });
      await eventually(() => chain.haproxy.ready());
    });

    test('does not count as found when only the hosts file of the node has it', async () => {
      const { chain, dns } = await startNamedChain({}, { host: 'localhost', replace: {} });
      await eventually(() => dns.queries > 2 && chain.api.connections.length > 0);
      expect(await chain.haproxy.ready()).toBe(false);
    });

    test('is resolved to the address family of the cluster when it has both', async () => {
      const { chain } = await startNamedChain({ [API_HOST]: ['127.0.0.1', '::1'] });
      await eventually(() => chain.haproxy.ready());
      expect(await get(chain, '/pods')).toBe('200 GET /pods');
    });

    test('is read from the hosts file when the pod has it as a host alias', async () => {
      const chain = await startChain({ proxy: { upstream: { host: 'localhost' }, config: { hostAliased: true, families: ['ipv4'] } } });
      expect(await get(chain, '/pods')).toBe('200 GET /pods');
    });
  });
});

/** A server that accepts connections and says nothing. */
async function startHungServer(port = 0, address = '127.0.0.1'): Promise<{ port: number; connections(): number }> {
  let connections = 0;
  const sockets = new Set<{ destroy(): void }>();
  const server: Server = createServer(socket => {
    connections++;
    sockets.add(socket.on('error', () => undefined));
  });
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, address, resolve));
  keep({
    stop: () => new Promise<void>(resolve => {
      server.close(() => resolve());
      sockets.forEach(socket => socket.destroy());
    }),
  });
  return { port: (server.address() as { port: number }).port, connections: () => connections };
}

/** No lookup by libc, which would ask the DNS of the machine. */
const WITHOUT_LIBC = { 'init-addr libc,none': 'init-addr none' };

/** A chain whose proxy finds the ingress by DNS, asking a server of the test instead of the machine's. */
async function startNamedChain(
  records: { [name: string]: string[] },
  { host, replace }: { host: string; replace: { [text: string]: string } } = { host: API_HOST, replace: { ...QUICK_CHECKS, ...WITHOUT_LIBC } },
): Promise<{ chain: Chain; dns: DnsServer }> {
  const dns = await DnsServer.start();
  Object.entries(records).forEach(([name, addresses]) => dns.records.set(name, addresses));
  const chain = await startChain({
    proxy: {
      upstream: { host },
      replace: {
        ...replace,
        'parse-resolv-conf': `nameserver test 127.0.0.1:${dns.port}`,
        'hold valid 10s': 'hold valid 100ms',
        'timeout resolve 1s': 'timeout resolve 100ms',
        'timeout retry 1s': 'timeout retry 100ms',
      },
    },
  });
  return { chain, dns };
}
