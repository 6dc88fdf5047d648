import { createServer, Socket } from 'net';
import { API_HOST, authority, startChain, startTcpProxy } from './support/chain';
import { get } from './support/client';
import { eventually } from './support/eventually';
import { keep, stopParts } from './support/parts';
import { parseProxyHeader, ProxyHeader } from './support/proxy-protocol';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

describeWithHaproxy('upstream by raw TCP', () => {
  test('the client certificate reaches the API server', async () => {
    const ca = await authority();
    const chain = await startChain({
      apiTls: { requestCert: true, ca: ca.certificate },
      proxy: { upstream: { mode: 'tcp', serverName: 'kubernetes' } },
    });
    const user = await ca.issue({ commonName: 'admin', organization: 'system:masters', keyType: 'ecdsa' });
    const answer = await get(chain, '/pods', { servername: API_HOST, checkServerIdentity: () => undefined, cert: user.certificate, key: user.key });
    expect(answer).toBe('200 GET /pods');
    expect(chain.api.clientConnections).toMatchObject([{ clientName: 'admin' }]);
  });

  test('the health check verifies the API server by the in-cluster name', async () => {
    const ca = await authority();
    const wrong = await startChain({ apiCertificate: { sans: ['other'] }, proxy: { upstream: { mode: 'tcp' } } });
    await eventually(() => wrong.haproxy.log.some(line => line.includes('Layer6 invalid response')));
    expect(await wrong.haproxy.ready()).toBe(false);
    const right = await startChain({ proxy: { ca, upstream: { mode: 'tcp' } } });
    await eventually(() => right.haproxy.ready());
  });

  test.each([
    { tlvType: 0xe0, clusterId: '0123456789abcdef' },
    { tlvType: 0x20, clusterId: 'tenant-01/ü %[src] \'x\' #1' },
  ])('a PROXY v2 header carries the cluster ID in TLV $tlvType, byte for byte', async proxyProtocol => {
    const upstream = await startHeaderServer();
    const proxy = await startTcpProxy({ ca: await authority(), upstream: { port: upstream.port, mode: 'tcp', proxyProtocol } });
    const client = new Socket().connect(proxy.port, '127.0.0.1').on('error', () => undefined);
    keep({ stop: () => void client.destroy() });
    client.write('hello');
    const header = await eventually(() => upstream.headers.find(({ rest }) => rest.toString() === 'hello'));
    expect(header.command).toBe('PROXY');
    expect(header.tlvs.get(proxyProtocol.tlvType)?.toString()).toBe(proxyProtocol.clusterId);
    expect(header.sourcePort).toBe(client.localPort);
  });

  test('the health check carries the cluster ID too', async () => {
    const upstream = await startHeaderServer();
    await startTcpProxy({ ca: await authority(), upstream: { port: upstream.port, mode: 'tcp', proxyProtocol: { tlvType: 0xe0, clusterId: 'tenant-01' } } });
    const header = await eventually(() => upstream.headers.at(0));
    expect(header.tlvs.get(0xe0)?.toString()).toBe('tenant-01');
  });
});

/** A server that collects the PROXY headers of its connections, each with the bytes that came with it. */
async function startHeaderServer(): Promise<{ port: number; headers: ProxyHeader[] }> {
  const headers: ProxyHeader[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined));
    let bytes = Buffer.alloc(0);
    let header: ProxyHeader | undefined;
    socket.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk]);
      header ??= parseProxyHeader(bytes);
      if (header && !headers.includes(header)) {
        headers.push(header);
      } else if (header) {
        header.rest = Buffer.concat([header.rest, chunk]);
      }
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  keep({
    stop: () => new Promise<void>(resolve => {
      server.close(() => resolve());
      sockets.forEach(socket => socket.destroy());
    }),
  });
  return { port: (server.address() as { port: number }).port, headers };
}
