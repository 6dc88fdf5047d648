import { connect } from 'tls';
import { authority } from './support/chain';
import { ended, received } from './support/client';
import { clientHello } from './support/client-hello';
import { eventually } from './support/eventually';
import { GatewayOptions, startGateway } from './support/gateway';
import { keep, stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { exchange, RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { TlsServer } from './support/tls-server';
import { Exposure } from '../../src';
import { tableTexts } from '../../src/shared-gateway/routing-tables';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const service = (name: string) => `${name}.tenants.svc.cluster.local`;

/** A gateway whose first ports lead to these tenants, each with its sources, as the library writes their routes. */
async function start(lists: { [name: string]: string[] | undefined }, options: Partial<GatewayOptions> = {}) {
  const tenants = await Promise.all(Object.keys(lists).map(name => TenantServer.start(name)));
  const texts = (first: number) => tableTexts(tenants.map(({ name, port }, i) => {
    const exposure = new Exposure({ name, namespace: 'tenants', hostname: 'edge.example.com', port: first + i, backend: { serviceName: name, apiPort: port } });
    return { exposure, routes: [], portRoutes: exposure.routes, allowedCidrs: lists[name] };
  }), 'cluster.local');
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const gateway = await startGateway({
    ports: first => lines(texts(first).ports),
    allowed: lines(texts(30_000).allowed),
    addresses: tenants.map(({ name }) => `${service(name)} 127.0.0.1`),
    ...options,
  });
  return { gateway, tenants, ask: (index: number, bytes: Buffer = TLS_START, host?: string) => exchange(gateway.firstPort + index, bytes, host) };
}

describeWithHaproxy('a port of a tenant', () => {
  test('leads to the tenant as bytes, of both families, whatever the host says or without one', async () => {
    const { ask, tenants: [one, two] } = await start({ one: undefined, two: undefined });
    for (const options of [{ servername: '' }, { servername: 'kubernetes.default.svc' }, { servername: 'two.example.com' }]) {
      const hello = await clientHello(options);
      expect(await ask(0, hello)).toBe('one');
      expect(one.received.pop()).toBe(hello.toString('latin1'));
    }
    for (const host of ['127.0.0.1', '::1']) {
      expect([await ask(0, TLS_START, host), await ask(1, TLS_START, host)]).toEqual(['one', 'two']);
    }
    expect(two.connections).toBe(2);
  });

  test('leaves TLS closed: ALPN and client certificates are between client and API server', async () => {
    const ca = await authority();
    const pair = await ca.issue({ commonName: 'kube-apiserver', sans: ['kubernetes'], keyType: 'ecdsa' });
    const user = await ca.issue({ commonName: 'admin', keyType: 'ecdsa' });
    const seen: string[] = [];
    const api = await TlsServer.start({ cert: pair.certificate, key: pair.key, ca: ca.certificate, requestCert: true, ALPNProtocols: ['h2'] }, socket => {
      seen.push(`${socket.servername} ${socket.alpnProtocol} ${socket.getPeerCertificate().subject?.CN}`);
      socket.end('bye');
    });
    const gateway = await startGateway({ ports: first => [`${first} ${service('one')}:${api.port}`], addresses: [`${service('one')} 127.0.0.1`] });
    // Without a server name, as by an address.
    const socket = connect({
      host: '127.0.0.1',
      port: gateway.firstPort,
      ca: ca.certificate,
      cert: user.certificate,
      key: user.key,
      ALPNProtocols: ['h2'],
      checkServerIdentity: () => undefined,
    });
    keep({ stop: () => void socket.destroy() });
    const answer = received(socket.on('error', () => undefined));
    await ended(socket);
    expect([answer.text, seen]).toEqual(['bye', ['false h2 admin']]);
  });

  test('that is nobody\'s is closed at once and connects to nobody', async () => {
    const { ask, tenants } = await start({ one: undefined, two: undefined });
    expect([await ask(2), await ask(7, Buffer.alloc(0))]).toEqual(['', '']);
    expect(tenants.map(({ connections }) => connections)).toEqual([0, 0]);
  });

  test('is closed to what is not TLS, and to silence after the inspect delay', async () => {
    const { gateway, ask, tenants: [one] } = await start({ one: undefined }, { replace: { 'inspect-delay 10s': 'inspect-delay 300ms' } });
    expect([await ask(0, Buffer.from('GET / HTTP/1.1\r\n\r\n')), await ask(0, Buffer.concat([proxyHeader({}), TLS_START]))]).toEqual(['', '']);
    await new RawConnection(gateway.firstPort, []).end();
    expect(one.connections).toBe(0);
  });

  test('comes, changes and goes in the running HAProxy, while connections of others go on', async () => {
    const { gateway: { haproxy, firstPort }, ask, tenants: [one, two] } = await start({ one: undefined, two: undefined });
    const open = new RawConnection(firstPort, [TLS_START]);
    expect(await open.answer()).toBe('one');
    const file = /^\d+ \((\S*ports\.map)\)/m.exec(await haproxy.command('show map'))![1];
    await haproxy.command(`add map ${file} ${firstPort + 4} ${service('two')}:${two.port}`);
    expect(await ask(4)).toBe('two');
    await haproxy.command(`set map ${file} ${firstPort + 4} ${service('one')}:${one.port}`);
    expect(await ask(4)).toBe('one');
    await haproxy.command(`del map ${file} ${firstPort + 4}`);
    expect(await ask(4)).toBe('');
    expect(open.ended).toBe(false);
  });

  test('never leads to the tenant of another port', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `tenant-${i}`);
    const { ask } = await start(Object.fromEntries(names.map(name => [name, undefined])));
    const asked = Array.from({ length: 400 }, (_, i) => i % names.length);
    expect(await Promise.all(asked.map(index => ask(index)))).toEqual(asked.map(index => names[index]));
  });

  test('is logged with its number and its tenant\'s address', async () => {
    const { gateway, ask } = await start({ one: undefined });
    await ask(0);
    await eventually(() => gateway.haproxy.log.some(line => line.includes(`frontend=port tenant=${gateway.firstPort} target=${service('one')}`)));
  });
});

describeWithHaproxy('sources of a port of a tenant', () => {
  test('are those of its list, or everyone', async () => {
    const { ask, tenants } = await start({ v4: ['127.0.0.0/8'], v6: ['::1/128'], other: ['10.0.0.0/8'], open: undefined });
    expect([await ask(0), await ask(0, TLS_START, '::1')]).toEqual(['v4', '']);
    expect([await ask(1), await ask(1, TLS_START, '::1')]).toEqual(['', 'v6']);
    expect([await ask(2), await ask(3), await ask(3, TLS_START, '::1')]).toEqual(['', 'open', 'open']);
    expect(tenants.map(({ connections }) => connections)).toEqual([1, 1, 0, 2]);
  });

  test('are what a trusted load balancer says, which cannot say another port', async () => {
    const { ask, tenants: [one, two] } = await start({ one: ['198.51.100.0/24'], two: undefined }, { config: { portLoadBalancerCidrs: ['127.0.0.1/32'] } });
    const from = (source: string) => Buffer.concat([proxyHeader({ source }), TLS_START]);
    expect([await ask(0, from('198.51.100.7')), await ask(0, from('203.0.113.7'))]).toEqual(['one', '']);
    // The header says port 443.
    expect(await ask(1, from('203.0.113.7'))).toBe('two');
    // It must send a header, and others must not.
    expect([await ask(1), await ask(1, from('198.51.100.7'), '::1'), await ask(1, TLS_START, '::1')]).toEqual(['', '', 'two']);
    expect([one.connections, two.connections]).toEqual([1, 2]);
  });
});
