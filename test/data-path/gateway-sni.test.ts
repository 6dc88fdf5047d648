import { connect as connectTls } from 'tls';
import { authority } from './support/chain';
import { connectTls as connectAs, ended, received } from './support/client';
import { clientHello, intoTwoRecords, splittingTransport } from './support/client-hello';
import { eventually } from './support/eventually';
import { answerTo, clusterIdHeader, Gateway, GatewayOptions, startGateway } from './support/gateway';
import { keep, stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { exchange, RawConnection, TenantServer } from './support/tenant-server';
import { TlsServer } from './support/tls-server';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const HOST = 'tenant-01.k8s.example.com';
const SERVICE = 'tenant-01.tenants.svc.cluster.local';

async function start(options: GatewayOptions = {}): Promise<{ tenant: TenantServer; gateway: Gateway }> {
  const tenant = await TenantServer.start('tenant-01');
  const gateway = await startGateway({ hosts: [`${HOST} ${SERVICE}:${tenant.port}`], addresses: [`${SERVICE} 127.0.0.1`], ...options });
  return { tenant, gateway };
}

/** Unknown protocols of 250 bytes each, as a means to make a ClientHello long. */
const padding = (count: number) => Array.from({ length: count }, (_, i) => String(i).padEnd(250, '-'));

describeWithHaproxy('the SNI port', () => {
  test('routes on the host in any letter case', async () => {
    const { gateway, tenant } = await start();
    for (const servername of [HOST, HOST.toUpperCase(), 'Tenant-01.K8S.example.com']) {
      const hello = await clientHello({ servername });
      expect(await exchange(gateway.sniPort, hello)).toBe('tenant-01');
      expect(tenant.received.pop()).toBe(hello.toString('latin1'));
    }
  });

  test.each([
    ['another host', { servername: 'tenant-02.k8s.example.com' }],
    ['a host below', { servername: `api.${HOST}` }],
    ['the host with a final dot', { servername: `${HOST}.` }],
    ['the beginning of the host', { servername: 'tenant-01.k8s' }],
    ['no SNI', { servername: '' }],
  ])('closes a connection with %s and connects to nobody', async (_, options) => {
    const { gateway, tenant } = await start();
    expect(await exchange(gateway.sniPort, await clientHello(options))).toBe('');
    expect(tenant.connections).toBe(0);
  });

  test('closes what is not TLS at once: HTTP, and a PROXY header of whoever sends one', async () => {
    const { gateway, tenant } = await start();
    const hello = await clientHello({ servername: HOST });
    for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.concat([proxyHeader({}), hello]), Buffer.concat([Buffer.from('PROXY UNKNOWN\r\n'), hello])]) {
      expect(await exchange(gateway.sniPort, bytes)).toBe('');
    }
    expect(tenant.connections).toBe(0);
  });

  test('a ClientHello may be split at any byte', async () => {
    const { gateway } = await start();
    const hello = await clientHello({ servername: HOST });
    for (let boundary = 1; boundary < hello.length; boundary += boundary < 12 ? 1 : 7) {
      const connection = new RawConnection(gateway.sniPort, [hello.subarray(0, boundary), hello.subarray(boundary)]);
      expect(await connection.answer()).toBe('tenant-01');
      connection.stop();
    }
  });

  test('a ClientHello may be longer than a packet, as post-quantum ones are, but not than HAProxy\'s buffer', async () => {
    const { gateway } = await start({ replace: { 'inspect-delay 10s': 'inspect-delay 500ms' } });
    const long = await clientHello({ servername: HOST, ALPNProtocols: padding(8) });
    expect(long.length).toBeGreaterThan(2_000);
    expect(await new RawConnection(gateway.sniPort, [long.subarray(0, 1_460), long.subarray(1_460)]).answer()).toBe('tenant-01');
    const longest = await clientHello({ servername: HOST, ALPNProtocols: padding(64) });
    expect(longest.length).toBeGreaterThan(16_384);
    expect(await exchange(gateway.sniPort, longest)).toBe('');
  });

  test('a ClientHello in two TLS records, which HAProxy does not put together, is closed and never misrouted', async () => {
    const { gateway, tenant } = await start({ replace: { 'inspect-delay 10s': 'inspect-delay 500ms' } });
    expect(await exchange(gateway.sniPort, intoTwoRecords(await clientHello({ servername: HOST }), 50))).toBe('');
    expect(tenant.connections).toBe(0);
  });

  test('closes a connection whose ClientHello is never finished after the inspect delay', async () => {
    const { gateway, tenant } = await start({ replace: { 'inspect-delay 10s': 'inspect-delay 300ms' } });
    await new RawConnection(gateway.sniPort, [(await clientHello({ servername: HOST })).subarray(0, 100)]).end();
    await new RawConnection(gateway.sniPort, []).end();
    expect(tenant.connections).toBe(0);
  });

  test('TLS stays closed: ALPN and client certificates are between client and API server', async () => {
    const ca = await authority();
    const pair = await ca.issue({ commonName: 'kube-apiserver', sans: [HOST], keyType: 'ecdsa' });
    const user = await ca.issue({ commonName: 'admin', keyType: 'ecdsa' });
    const seen: string[] = [];
    const api = await TlsServer.start({ cert: pair.certificate, key: pair.key, ca: ca.certificate, requestCert: true, ALPNProtocols: ['h2', 'http/1.1'] }, socket => {
      seen.push(`${socket.alpnProtocol} ${socket.getPeerCertificate().subject?.CN}`);
      socket.end('bye');
    });
    const gateway = await startGateway({
      hosts: [`${HOST} ${SERVICE}:${api.port}`], clusterIds: [`id-1 ${SERVICE}:${api.port}`], addresses: [`${SERVICE} 127.0.0.1`],
    });
    for (const ALPNProtocols of [['h2'], ['http/1.1'], undefined]) {
      const socket = await connectAs({ port: gateway.sniPort, ca }, {
        servername: HOST,
        cert: user.certificate,
        key: user.key,
        ...(ALPNProtocols && { ALPNProtocols }),
      });
      const answer = received(socket);
      await ended(socket);
      expect(answer.text).toBe('bye');
    }
    // The same behind a PROXY header, for a client that sends no SNI.
    const header = clusterIdHeader('id-1');
    const socket = connectTls({
      socket: splittingTransport(gateway.clusterIdPort, hello => [header, hello]),
      ca: ca.certificate,
      cert: user.certificate,
      key: user.key,
      checkServerIdentity: () => undefined,
    });
    keep({ stop: () => void socket.destroy() });
    const answer = received(socket.on('error', () => undefined));
    await ended(socket);
    expect(answer.text).toBe('bye');
    expect(seen).toEqual(['h2 admin', 'http/1.1 admin', 'false admin', 'false admin']);
  });
});

describeWithHaproxy('a load balancer with PROXY headers in front of the SNI port', () => {
  const config = { loadBalancerCidrs: ['127.0.0.0/8'] };

  test('says where connections come from; others have their own address', async () => {
    const { gateway } = await start({ config, hosts: [] });
    const hello = await clientHello({ servername: HOST });
    await exchange(gateway.sniPort, Buffer.concat([proxyHeader({ source: '198.51.100.7' }), hello]));
    await exchange(gateway.sniPort, hello, '::1');
    await eventually(() => gateway.haproxy.log.some(line => line.includes('source=198.51.100.7 ')));
    await eventually(() => gateway.haproxy.log.some(line => line.includes('source=::1 ')));
  });

  test('must send one, and an untrusted source must not', async () => {
    const { gateway, tenant } = await start({ config });
    const hello = await clientHello({ servername: HOST });
    expect(await exchange(gateway.sniPort, Buffer.concat([proxyHeader({}), hello]))).toBe('tenant-01');
    expect(await exchange(gateway.sniPort, hello)).toBe('');
    expect(await exchange(gateway.sniPort, Buffer.concat([proxyHeader({}), hello]), '::1')).toBe('');
    expect(await exchange(gateway.sniPort, Buffer.concat([proxyHeader({}), proxyHeader({}), hello]))).toBe('');
    expect(tenant.connections).toBe(1);
  });

  test('does not change the cluster ID port', async () => {
    const { gateway } = await start({ config, clusterIds: [] });
    expect(await answerTo(gateway, clusterIdHeader('unknown'))).toBe('');
  });
});
