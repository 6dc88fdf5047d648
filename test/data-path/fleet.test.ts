import { clientHello } from './support/client-hello';
import { eventually } from './support/eventually';
import { clusterIdHeader, Gateway, GatewayOptions, startGateway } from './support/gateway';
import { stopParts } from './support/parts';
import { proxyHeader, ProxyHeaderOptions } from './support/proxy-header';
import { exchange, RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { parseRefusedLine } from '../../src/agent/contract/haproxy-names';
import { FOUND_BY_TLV } from '../../src/shared-gateway/found-by';
import { describeWithHaproxy } from '../support/haproxy';
import { freePorts } from '../support/ports';

jest.setTimeout(60_000);
afterEach(stopParts);

/** The edge connects from here. */
const EDGE = '127.0.0.1';
const service = (name: string) => `${name}.tenants.svc.cluster.local`;

interface Member {
  readonly gateway: Gateway;
  readonly tenants: TenantServer[];
  /** Port for the edge. */
  readonly port: number;
}

/** A gateway of a management cluster with tenants, each with a host, an ID, a port, and maybe the sources that it admits. */
async function startMember(domain: string, lists: { [name: string]: string | undefined }, options: Partial<GatewayOptions> = {}, cidr = `${EDGE}/32`): Promise<Member> {
  const names = Object.keys(lists);
  const tenants = await Promise.all(names.map(name => TenantServer.start(name)));
  const [port] = await freePorts(1);
  const target = (i: number) => `${service(names[i])}:${tenants[i].port}${lists[names[i]] === undefined ? '' : `:tenants/${names[i]}`}`;
  const gateway = await startGateway({
    hosts: names.map((name, i) => `${name}.${domain} ${target(i)}`),
    clusterIds: names.map((name, i) => `id-${name} ${target(i)}`),
    ports: first => names.map((_, i) => `${first + i} ${target(i)}`),
    allowed: names.flatMap(name => lists[name] === undefined ? [] : [`${lists[name]}@tenants/${name} 1`]),
    addresses: names.map(name => `${service(name)} 127.0.0.1`),
    ...options,
    config: { edge: { port, cidrs: [cidr] }, ...options.config },
  });
  return { gateway, tenants, port };
}

/** An edge with its routes: host, ID or port to cluster, and domains of clusters. */
async function startEdge(members: { [cluster: string]: Member }, routes: Partial<GatewayOptions>, address = '127.0.0.1'): Promise<Gateway> {
  return startGateway({
    gateways: Object.entries(members).map(([cluster, { port }]) => `@${cluster} ${address}|${port}`),
    ...routes,
    addresses: [`${address} ${address}`, ...routes.addresses ?? []],
    config: { clusters: true, ...routes.config },
  });
}

async function byHost(edge: Pick<Gateway, 'sniPort'>, servername: string, from?: ProxyHeaderOptions): Promise<string> {
  const hello = await clientHello({ servername });
  return exchange(edge.sniPort, from ? Buffer.concat([proxyHeader(from), hello]) : hello);
}
const byId = (edge: Gateway, id: string, source?: string) =>
  exchange(edge.clusterIdPort, Buffer.concat([clusterIdHeader(id, { source }), TLS_START]));
/** A line is there a moment after its connection has ended. */
const logged = (gateway: Gateway, text: string) => eventually(() => gateway.haproxy.log.find(line => line.includes(text)));

/** The edge of two clusters, in front of which a load balancer tells sources. */
async function startFleet(options: { readonly address?: string; readonly lists?: { [name: string]: string } } = {}) {
  const cidr = options.address === '::1' ? '::1/128' : `${EDGE}/32`;
  const eu = await startMember('eu.example.com', { a: options.lists?.a, b: options.lists?.b }, {}, cidr);
  const us = await startMember('us.example.com', { c: options.lists?.c }, {}, cidr);
  const edge = await startEdge({ eu, us }, {
    hosts: ['a.eu.example.com @eu', 'c.us.example.com @us', 'nowhere.example.com @asia', 'unknown.eu.example.com @eu'],
    clusterIds: ['id-a @eu', 'id-c @us', 'id-unknown @us'],
    ports: first => [`${first} @eu`, `${first + 1} @us`],
    config: { clusters: true, loadBalancerCidrs: ['127.0.0.1/32'], portLoadBalancerCidrs: ['127.0.0.1/32'] },
  }, options.address);
  return { eu, us, edge };
}

describeWithHaproxy('the edge of a fleet', () => {
  test('leads a host to the gateway of its cluster, which has the tenant, and no other host anywhere', async () => {
    const { edge, eu, us } = await startFleet();
    const source = '198.51.100.7';
    expect([await byHost(edge, 'a.eu.example.com', { source }), await byHost(edge, 'c.us.example.com', { source })]).toEqual(['a', 'c']);
    // Known to the cluster and not to the edge; to nobody; of a cluster without a gateway; to the edge and not to the cluster.
    for (const host of ['b.eu.example.com', 'd.eu.example.com', 'nowhere.example.com', 'unknown.eu.example.com', 'a.us.example.com']) {
      expect([host, await byHost(edge, host, { source })]).toEqual([host, '']);
    }
    expect([eu, us].map(({ tenants }) => tenants.map(({ connections }) => connections))).toEqual([[1, 0], [1]]);
  });

  test('leads a cluster ID likewise, whatever the TLS inside says', async () => {
    const { edge } = await startFleet();
    expect([await byId(edge, 'id-a'), await byId(edge, 'id-c'), await byId(edge, 'id-b'), await byId(edge, 'id-unknown')]).toEqual(['a', 'c', '', '']);
    const hello = await clientHello({ servername: 'c.us.example.com' });
    expect(await exchange(edge.clusterIdPort, Buffer.concat([clusterIdHeader('id-a'), hello]))).toBe('a');
  });

  test('leads a port likewise: the gateway of the cluster looks it up in its own map', async () => {
    const { edge, eu, us } = await startFleet();
    const [euPort, usPort] = [eu.gateway.firstPort, us.gateway.firstPort];
    // The number is the tenant's at the edge, so the cluster's map has it too.
    await eu.gateway.haproxy.command(`add map ${eu.gateway.folder}/maps/ports.map ${edge.firstPort} ${service('b')}:${eu.tenants[1].port}`);
    const bytes = Buffer.concat([proxyHeader({}), TLS_START]);
    expect(await exchange(edge.firstPort, bytes)).toBe('b');
    expect(await exchange(edge.firstPort + 1, bytes)).toBe('');
    expect(await exchange(edge.firstPort + 2, bytes)).toBe('');
    expect([await exchange(euPort, TLS_START), await exchange(usPort, TLS_START)]).toEqual(['a', 'c']);
  });

  test.each([['127.0.0.1', '198.51.100.7', '203.0.113.7'], ['::1', '198.51.100.7', '203.0.113.7'], ['127.0.0.1', '2001:db8:1::7', '2001:db8:2::7'], ['::1', '2001:db8:1::7', '2001:db8:2::7']])(
    'has sources limited where the tenant is: by the gateway at %s, of %s and not of %s', async (address, inside, outside) => {
      const network = inside.includes(':') ? '2001:db8:1::/64' : '198.51.100.0/24';
      const { edge, eu } = await startFleet({ address, lists: { a: network } });
      expect([await byHost(edge, 'a.eu.example.com', { source: inside }), await byHost(edge, 'a.eu.example.com', { source: outside })]).toEqual(['a', '']);
      expect(await logged(eu.gateway, `source=${outside} `)).toContain('frontend=edge tenant=a.eu.example.com');
    });

  test('says of a cluster ID the source of the connection, never that in the header of the tenant', async () => {
    const { edge, eu } = await startFleet({ lists: { a: '198.51.100.0/24' } });
    expect(await byId(edge, 'id-a', '198.51.100.7')).toBe('');
    expect(await logged(eu.gateway, 'tenant=id-a')).toContain('source=127.0.0.1 ');
  });

  test('never passes on what a header says that a client made', async () => {
    const { edge, us } = await startFleet();
    const tlvs: [number, string][] = [[FOUND_BY_TLV, 'cluster-ids:id-c']];
    expect(await byHost(edge, 'a.eu.example.com', { tlvs })).toBe('a');
    expect(await byHost(edge, 'b.eu.example.com', { tlvs })).toBe('');
    expect(await exchange(edge.clusterIdPort, Buffer.concat([clusterIdHeader('id-a', { tlvs: [[0xe1, 'id-a'], ...tlvs] }), TLS_START]))).toBe('a');
    expect(us.tenants[0].connections).toBe(0);
  });

  test('leads hosts of a domain to its cluster, the longest domain first and a line of the host before it', async () => {
    const eu = await startMember('eu.example.com', { 'a': undefined, 'b.k8s': undefined, 'd.e.f.g': undefined, 'h.i.j.k.l': undefined });
    const us = await startMember('eu.example.com', { 'x.us': undefined, 'moved': undefined });
    const edge = await startEdge({ eu, us }, { domains: ['eu.example.com @eu', 'us.eu.example.com @us'], hosts: ['moved.eu.example.com @us'] });
    expect([await byHost(edge, 'a.eu.example.com'), await byHost(edge, 'B.k8s.eu.example.com'), await byHost(edge, 'd.e.f.g.eu.example.com')]).toEqual(['a', 'b.k8s', 'd.e.f.g']);
    expect([await byHost(edge, 'x.us.eu.example.com'), await byHost(edge, 'moved.eu.example.com')]).toEqual(['x.us', 'moved']);
    expect([await byHost(edge, 'h.i.j.k.l.eu.example.com'), await byHost(edge, 'a.other.example.com'), await byHost(edge, 'aeu.example.com')]).toEqual(['', '', '']);
  });

  test('is not needed for a tenant that comes and goes in a domain of its cluster, and needs one line for another: both without a reload', async () => {
    const eu = await startMember('eu.example.com', { a: undefined, b: undefined });
    const edge = await startEdge({ eu }, { domains: ['eu.example.com @eu'] });
    const versions = await Promise.all([edge, eu.gateway].map(({ haproxy }) => haproxy.pid));
    const hosts = `${eu.gateway.folder}/maps/hosts.map`;
    await eu.gateway.haproxy.command(`add map ${hosts} new.eu.example.com ${service('b')}:${eu.tenants[1].port}`);
    expect(await byHost(edge, 'new.eu.example.com')).toBe('b');
    const open = new RawConnection(edge.sniPort, [await clientHello({ servername: 'new.eu.example.com' })]);
    expect(await open.answer()).toBe('b');
    await eu.gateway.haproxy.command(`del map ${hosts} new.eu.example.com`);
    expect(await byHost(edge, 'new.eu.example.com')).toBe('');
    await eu.gateway.haproxy.command(`add map ${hosts} other.example.com ${service('b')}:${eu.tenants[1].port}`);
    expect(await byHost(edge, 'other.example.com')).toBe('');
    await edge.haproxy.command(`add map ${edge.folder}/maps/hosts.map other.example.com @eu`);
    expect(await byHost(edge, 'other.example.com')).toBe('b');
    expect(open.ended).toBe(false);
    expect([edge, eu.gateway].map(({ haproxy }) => haproxy.pid)).toEqual(versions);
  });

  test('has tenants of its own cluster beside those of others', async () => {
    const eu = await startMember('eu.example.com', { a: undefined });
    const own = await TenantServer.start('own');
    const edge = await startEdge({ eu }, {
      hosts: [`own.example.com ${service('own')}:${own.port}`, 'a.eu.example.com @eu'], addresses: [`${service('own')} 127.0.0.1`],
    });
    expect([await byHost(edge, 'own.example.com'), await byHost(edge, 'a.eu.example.com')]).toEqual(['own', 'a']);
  });

  test('counts connections by what was asked for, as those of a cluster are those of all its tenants', async () => {
    const eu = await startMember('eu.example.com', { a: undefined, b: undefined });
    const edge = await startEdge({ eu }, { domains: ['eu.example.com @eu'], config: { clusters: true, limits: { perTenant: 2 } } });
    const hello = await clientHello({ servername: 'a.eu.example.com' });
    const open = [1, 2].map(() => new RawConnection(edge.sniPort, [hello]));
    expect(await Promise.all(open.map(connection => connection.answer()))).toEqual(['a', 'a']);
    expect([await byHost(edge, 'a.eu.example.com'), await byHost(edge, 'b.eu.example.com')]).toEqual(['', 'b']);
    expect(parseRefusedLine((await edge.haproxy.health('/refused')).body)).toMatchObject({ count: { tenant: 1 }, lastTenant: 'a.eu.example.com' });
  });
});

describeWithHaproxy('the port for the edge of a fleet', () => {
  const header = (found: string, source = '198.51.100.7') => proxyHeader({ source, tlvs: [[FOUND_BY_TLV, found]] });

  test('is closed to whoever is not the edge, whatever source its header says', async () => {
    const { port, tenants, gateway } = await startMember('eu.example.com', { a: '198.51.100.0/24' });
    const bytes = Buffer.concat([header('cluster-ids:id-a'), TLS_START]);
    expect(await exchange(port, bytes)).toBe('a');
    expect(await exchange(port, bytes, '::1')).toBe('');
    expect(tenants[0].connections).toBe(1);
    // Nor does a header say another source at the other ports.
    expect(await exchange(gateway.sniPort, Buffer.concat([header('cluster-ids:id-a'), await clientHello({ servername: 'a.eu.example.com' })]))).toBe('');
    expect(await exchange(gateway.firstPort, bytes)).toBe('');
    expect(await exchange(gateway.clusterIdPort, bytes)).toBe('');
    expect(await exchange(gateway.clusterIdPort, Buffer.concat([proxyHeader({ source: '198.51.100.7', tlvs: [[FOUND_BY_TLV, 'cluster-ids:id-a'], [0xe1, 'id-a']] }), TLS_START]))).toBe('');
    expect(tenants[0].connections).toBe(1);
  });

  test('looks in the one table that the edge did, and takes nothing else', async () => {
    const { port, gateway } = await startMember('eu.example.com', { a: undefined });
    const hello = await clientHello({ servername: 'a.eu.example.com' });
    const answer = (found: string, bytes: Buffer = TLS_START) => exchange(port, Buffer.concat([header(found), bytes]));
    expect([await answer('hosts:', hello), await answer('cluster-ids:id-a'), await answer(`ports:${gateway.firstPort}`)]).toEqual(['a', 'a', 'a']);
    expect(await answer('hosts:a.eu.example.com', await clientHello({ servername: 'b.eu.example.com' }))).toBe('');
    for (const found of ['', 'cluster-ids:', 'cluster-ids:a.eu.example.com', 'ports:id-a', 'destinations:id-a', 'allowed:id-a', 'x'.repeat(1000)]) {
      expect([found, await answer(found)]).toEqual([found, '']);
    }
    expect(await exchange(port, Buffer.concat([proxyHeader({}), hello]))).toBe('');
    expect(await exchange(port, hello)).toBe('');
    expect(await answer('cluster-ids:id-a', Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe('');
    expect(await answer('cluster-ids:id-a\nforged line')).toBe('');
    expect(gateway.haproxy.log.filter(line => line.startsWith('forged'))).toEqual([]);
    expect(gateway.haproxy.alive).toBe(true);
  });

  test('leads nothing on to a further cluster, so that no route comes back to an edge', async () => {
    const { port, gateway, tenants } = await startMember('eu.example.com', { a: undefined }, { gateways: [], config: { clusters: true } });
    const maps = `${gateway.folder}/maps`;
    for (const line of [
      `gateways.map @self 127.0.0.1|${port}`, 'hosts.map b.eu.example.com @self', 'domains.map far.example.com @self', 'cluster-ids.map id-b @self', 'addresses.map 127.0.0.1 127.0.0.1',
    ]) {
      await gateway.haproxy.command(`add map ${maps}/${line}`);
    }
    expect(await exchange(port, Buffer.concat([header('cluster-ids:id-b'), TLS_START]))).toBe('');
    for (const host of ['b.eu.example.com', 'x.far.example.com']) {
      const hello = await clientHello({ servername: host });
      expect([await exchange(gateway.sniPort, hello), await exchange(port, Buffer.concat([header('hosts:'), hello]))]).toEqual(['', '']);
    }
    expect(await byId(gateway, 'id-b')).toBe('');
    expect([await byId(gateway, 'id-a'), tenants[0].connections]).toEqual(['a', 1]);
    // One line for each connection that came there at most.
    expect(gateway.haproxy.log.filter(line => line.includes('frontend=edge')).length).toBeLessThanOrEqual(6);
  });

  test('waits for the whole ClientHello', async () => {
    const { port } = await startMember('eu.example.com', { a: undefined });
    const hello = await clientHello({ servername: 'a.eu.example.com' });
    const connection = new RawConnection(port, [header('hosts:'), hello.subarray(0, 30), hello.subarray(30)]);
    expect(await connection.answer()).toBe('a');
  });

  test('limits each source, not the edge', async () => {
    const { port, gateway } = await startMember('eu.example.com', { a: undefined }, { config: { limits: { perSource: 2, perTenant: 100 } } });
    const from = (source: string) => new RawConnection(port, [header('cluster-ids:id-a', source), TLS_START]);
    const many = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3'].map(from);
    expect(await Promise.all(many.map(connection => connection.answer()))).toEqual(['a', 'a', 'a', 'a']);
    expect(await from('192.0.2.1').answer()).toBe('');
    expect(parseRefusedLine((await gateway.haproxy.health('/refused')).body)).toMatchObject({ count: { source: 1 }, lastSource: '192.0.2.1' });
  });
});
