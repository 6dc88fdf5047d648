import { once } from 'events';
import { connect, Socket } from 'net';
import { connectH2, connectTls, get, getH2 } from './support/client';
import { eventually } from './support/eventually';
import { newTicketKeys, startGateway } from './support/gateway';
import { stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { askThrough, clientCertificate, openTunnel, serviceOf, startTunnelEdge, startTunnelProxy, TUNNEL_HOST, TunnelEdge } from './support/tunnel';
import { MAPS_FOLDER } from '../../src/agent/contract/paths';
import { CertificateAuthority, CertificatePair } from '../support/certificates';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

const arrivals = ({ a, b }: TunnelEdge) => [a.api.server.connections, b.api.server.connections];

describeWithHaproxy('what goes through the tunnel', () => {
  test('a client certificate arrives at the API server, by every protocol', async () => {
    const edge = await startTunnelEdge();
    const proxy = await startTunnelProxy(edge, edge.a.pair);
    const user = await edge.ca.issue({ commonName: 'alice', keyType: 'ecdsa' });
    const target = { port: proxy.port, ca: edge.ca };
    const identity = { cert: user.certificate, key: user.key };
    expect(await get(target, '/one', identity)).toBe('200 GET /one');
    expect(await getH2(await connectH2(target, identity), '/two')).toBe('200 GET /two');
    expect(await get(target, '/three', { ...identity, ALPNProtocols: ['http/1.1'] })).toBe('200 GET /three');
    expect(edge.a.api.clientConnections.map(({ clientName, alpn }) => `${clientName} ${alpn}`)).toEqual(['alice false', 'alice h2', 'alice http/1.1']);
    expect(edge.b.api.server.connections).toBe(0);
  });

  test('the health check goes through it, and finds out that the API server is gone', async () => {
    const edge = await startTunnelEdge();
    const proxy = await startTunnelProxy(edge, edge.a.pair);
    await eventually(() => proxy.haproxy.ready());
    await edge.a.api.server.stop();
    await eventually(async () => !await proxy.haproxy.ready(), 30_000);
  });

  test('every connection but the first resumes the session of the one before', async () => {
    const edge = await startTunnelEdge();
    const proxy = await startTunnelProxy(edge, edge.a.pair);
    await eventually(() => proxy.haproxy.ready());
    for (let i = 0; i < 5; i++) await get({ port: proxy.port, ca: edge.ca }, `/${i}`);
    const lines = () => edge.gateway.haproxy.log.filter(line => line.includes('tls=TLSv1.2'));
    await eventually(() => lines().length >= 6);
    expect(lines().filter(line => line.includes('resumed=0'))).toHaveLength(1);
  });

  test('a session is resumed at another gateway with the same ticket keys, and at none with others', async () => {
    const ticketKeys = newTicketKeys();
    const edge = await startTunnelEdge({ ticketKeys });
    const first = await openTunnel(edge, { pair: edge.a.pair });
    const session = first.getSession();
    // Of one Deployment, so with the same certificate: HAProxy 3.2 resumes no session that began with another one.
    const other = async (keys: string) => startGateway({ tunnelEnd: { pair: edge.pair, clientCa: edge.tunnelCa.certificate, ticketKeys: keys } });
    const again = async (keys: string) =>
      (await openTunnel({ ...edge, gateway: await other(keys) }, { pair: edge.a.pair, session })).isSessionReused();
    expect(await again(ticketKeys)).toBe(true);
    expect(await again(newTicketKeys())).toBe(false);
  });
});

describeWithHaproxy('who a tenant is in the tunnel', () => {
  test.each([TUNNEL_HOST, 'tenants.b', 'b.k8s.example.com'])('the certificate of A leads to A, with the SNI %s outside and that of B inside', async servername => {
    const edge = await startTunnelEdge();
    const tunnel = await openTunnel(edge, { pair: edge.a.pair, servername, checkServerIdentity: () => undefined });
    expect(await askThrough(tunnel, edge.ca, { servername: 'b.k8s.example.com', checkServerIdentity: () => undefined })).toContain('200 OK');
    expect(arrivals(edge)).toEqual([1, 0]);
  });

  const refused: { who: string; certificate: (edge: TunnelEdge) => Promise<CertificatePair | undefined> }[] = [
    { who: 'without a certificate', certificate: async () => undefined },
    { who: 'with the name of B of another CA', certificate: async () => clientCertificate(await CertificateAuthority.create('other', 'ecdsa'), 'tenants.b') },
    { who: 'with the name of B of another CA of the same name', certificate: async () => clientCertificate(await CertificateAuthority.create('tunnel', 'ecdsa'), 'tenants.b') },
    { who: 'with an expired certificate', certificate: async ({ tunnelCa }) => tunnelCa.issue({ commonName: 'tenants.b', notBefore: new Date(0), notAfter: new Date(1000) }) },
  ];
  test.each(refused)('who comes $who is refused in the handshake, and the log says it', async ({ certificate }) => {
    const edge = await startTunnelEdge();
    const tunnel = openTunnel(edge, { pair: await certificate(edge) });
    await expect(tunnel.then(async socket => once(socket, 'data'))).rejects.toThrow();
    await eventually(() => edge.gateway.haproxy.log.some(line => /frontend=tunnel error="SSL [^"]+" tls="[^"]+"/.test(line)));
    expect(arrivals(edge)).toEqual([0, 0]);
  });

  const leadNowhere = ['tunnel.k8s.example.com', 'tenants.c', 'TENANTS.B', 'tenants.b ', 'tenants.b\nx', '*', 'tenants.b/../tenants.a', 'x'.repeat(64)];
  test.each(leadNowhere)('a certificate of the right CA for %j leads nowhere, and the log says who it was', async commonName => {
    const edge = await startTunnelEdge();
    const pair = await edge.tunnelCa.issue({ commonName, keyType: 'ecdsa' });
    expect(await askThrough(await openTunnel(edge, { pair }), edge.ca)).toBe('');
    const known = /^[\w.-]+$/.test(commonName) ? commonName : '-';
    await eventually(() => edge.gateway.haproxy.log.some(line => line.includes(`frontend=tunnel tenant=${known} target=- address=- ended=PR`)));
    expect(arrivals(edge)).toEqual([0, 0]);
  });

  test('what does not speak TLS inside reaches no API server', async () => {
    const edge = await startTunnelEdge();
    const tunnel = await openTunnel(edge, { pair: edge.a.pair });
    tunnel.write('GET / HTTP/1.1\r\n\r\n');
    await once(tunnel.resume(), 'close');
    expect(arrivals(edge)).toEqual([0, 0]);
  });
});

describeWithHaproxy('who was let in before', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)('an expired certificate is refused on a resumed session of %s', async maxVersion => {
    const edge = await startTunnelEdge();
    const pair = await clientCertificate(edge.tunnelCa, edge.a.name, new Date(Date.now() + 4_000));
    let session: Buffer | undefined;
    const resume = async () => {
      const socket = await openTunnel(edge, { pair, session, maxVersion });
      session = maxVersion === 'TLSv1.2' ? socket.getSession() : session;
      socket.on('session', ticket => session = ticket);
      const resumed = socket.isSessionReused();
      return { resumed, answer: (await askThrough(socket, edge.ca)).split('\r\n')[0] };
    };
    expect(await resume()).toEqual({ resumed: false, answer: 'HTTP/1.1 200 OK' });
    expect(await resume()).toEqual({ resumed: true, answer: 'HTTP/1.1 200 OK' });
    await eventually(async () => (await resume()).answer === '');
    expect(await resume()).toEqual({ resumed: true, answer: '' });
    await eventually(() => edge.gateway.haproxy.log.some(line => /tenant=tenants.a target=\S+ address=- ended=PR.* resumed=1 expires=\d{12}Z/.test(line)));
  });

  test('a tenant that leaves the map is refused at once, also on a resumed session', async () => {
    const edge = await startTunnelEdge();
    const { pair, name } = edge.a;
    const first = await openTunnel(edge, { pair });
    const session = first.getSession();
    expect(await askThrough(first, edge.ca)).toContain('200 OK');
    await edge.gateway.haproxy.command(`del map ${edge.gateway.folder}/${MAPS_FOLDER}/tunnel.map ${name}`);
    const again = await openTunnel(edge, { pair, session });
    expect(again.isSessionReused()).toBe(true);
    expect(await askThrough(again, edge.ca)).toBe('');
    expect(await askThrough(await openTunnel(edge, { pair }), edge.ca)).toBe('');
    expect(arrivals(edge)).toEqual([1, 0]);
  });
});

describeWithHaproxy('limits of the tunnel', () => {
  test('a tenant with a list is reached from the sources that the ingress controller names, and from no others', async () => {
    const list = 'tenants/a';
    const edge = await startTunnelEdge({ proxyProtocolCidrs: ['127.0.0.1/32'], list: `:${list}`, allowed: [`203.0.113.0/24@${list} 1`] });
    const from = async (source: string) => {
      const tcp = connect(edge.gateway.tunnelPort, '127.0.0.1');
      tcp.write(proxyHeader({ source }));
      return askThrough(await openTunnel(edge, { pair: edge.a.pair, socket: tcp }), edge.ca);
    };
    expect(await from('203.0.113.7')).toContain('200 OK');
    expect(await from('198.51.100.7')).toBe('');
    expect(arrivals(edge)).toEqual([1, 0]);
  });

  test('who opens connections without a certificate takes half of all at most, and the other ports go on', async () => {
    const edge = await startTunnelEdge({ config: { maxConnections: 20, limits: {} } });
    const open = (port: number) => connect(port, '127.0.0.1').on('error', () => undefined);
    // One that is refused is counted a moment longer, so who comes then may be refused too, and has to come again.
    const fill = async (frontend: string, port: number, sockets: Socket[]) => eventually(async () => {
      const held = sockets.filter(socket => !socket.closed).length;
      if (held < 10) sockets.push(open(port));
      return held === 10 && await edge.gateway.haproxy.stat(frontend, 'FRONTEND', 'scur') === 10;
    });
    const sockets = Array.from({ length: 30 }, () => open(edge.gateway.tunnelPort));
    const other: Socket[] = [];
    await fill('tunnel', edge.gateway.tunnelPort, sockets);
    await fill('sni', edge.gateway.sniPort, other);
    [...sockets, ...other].forEach(socket => socket.destroy());
  });

  test('the log of a tcp-proxy says why the gateway refuses it', async () => {
    const edge = await startTunnelEdge();
    const proxy = await startTunnelProxy(edge, await clientCertificate(await CertificateAuthority.create('other', 'ecdsa'), 'tenants.a'));
    const client = connectTls({ port: proxy.port, ca: edge.ca });
    await expect(client).rejects.toThrow();
    await eventually(() => proxy.haproxy.log.some(line => /tls="[^"-][^"]*alert/i.test(line)));
    expect(await proxy.haproxy.ready()).toBe(false);
    expect(serviceOf('tenants.a')).toBe('a.tenants.svc.cluster.local');
  });
});
