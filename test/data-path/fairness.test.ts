import { connect, Socket } from 'net';
import { API_HOST, startChain } from './support/chain';
import { clientHello } from './support/client-hello';
import { eventually } from './support/eventually';
import { clusterIdHeader, Gateway, startGateway } from './support/gateway';
import { HaproxyProcess } from './support/haproxy-process';
import { keep, stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { TenantServer, TLS_START } from './support/tenant-server';
import { GatewayHaproxyOptions } from '../../src/shared-gateway/haproxy-options';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(120_000);
afterEach(stopParts);

const TOTAL = 100;
/** Below the total by more than HAProxy counts too many for a moment: a listener counts a connection before it has one. */
const MANY = TOTAL - 20;
const SHARES = { perSource: 12, perTenant: 12 };

/** A client of a test, from an address of its own. */
class Client {
  public text = '';
  public closed = false;
  private readonly socket: Socket;

  constructor(port: number, source: string, bytes: Buffer = Buffer.alloc(0)) {
    const host = source.includes(':') ? '::1' : '127.0.0.1';
    this.socket = connect({ port, host, localAddress: source, noDelay: true });
    keep({ stop: () => void this.socket.destroy() });
    this.socket
      .on('error', () => undefined)
      .on('close', () => this.closed = true)
      .on('data', chunk => this.text += chunk.toString('latin1'));
    if (bytes.length > 0) {
      this.socket.write(bytes);
    }
  }

  public stop(): void {
    this.socket.destroy();
  }
}

const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** Waits until every client was answered or closed, and says how many were answered. */
async function answered(clients: Client[]): Promise<number> {
  await eventually(() => clients.every(({ text, closed }) => text !== '' || closed));
  return clients.filter(({ text }) => text !== '').length;
}

/** Waits until that many of the clients are left. */
function left(clients: Client[], count: number): Promise<unknown> {
  return eventually(() => clients.filter(({ closed }) => !closed).length === count);
}

interface Setting {
  readonly gateway: Gateway;
  hello(tenant: string): Promise<Buffer>;
  byId(tenant: string): Buffer;
  /** The port of a tenant of its own. */
  portOf(tenant: number): number;
  /** Counters of refusals, as the agent reads them. */
  refused(): Promise<string>;
}

async function start(config: Partial<GatewayHaproxyOptions> = {}): Promise<Setting> {
  const tenants = await Promise.all(times(5, i => TenantServer.start(`tenant-${i}`)));
  const gateway = await startGateway({
    hosts: tenants.map(({ name, port }) => `${name}.example.com ${name}.svc:${port}`),
    clusterIds: tenants.map(({ name, port }) => `${name} ${name}.svc:${port}`),
    ports: first => tenants.map(({ name, port }, i) => `${first + i} ${name}.svc:${port}`),
    addresses: tenants.map(({ name }) => `${name}.svc 127.0.0.1`),
    config: { maxConnections: TOTAL, limits: SHARES, ...config },
  });
  return {
    gateway,
    hello: tenant => clientHello({ servername: `${tenant}.example.com` }),
    byId: tenant => Buffer.concat([clusterIdHeader(tenant), TLS_START]),
    portOf: tenant => gateway.firstPort + tenant,
    refused: async () => (await gateway.haproxy.health('/refused')).body,
  };
}

const healthy = async (haproxy: HaproxyProcess) => expect((await haproxy.health('/ready')).status).toBe(200);

describeWithHaproxy('fairness of the gateway', () => {
  test('a flood of silent connections from one source leaves the others their room', async () => {
    const { gateway, hello, byId, refused } = await start();
    const flood = times(TOTAL + 10, i => new Client(i % 2 ? gateway.sniPort : gateway.clusterIdPort, '127.0.0.66'));
    await left(flood, SHARES.perSource);
    await healthy(gateway.haproxy);
    const hellos = await Promise.all(times(4, i => hello(`tenant-${i}`)));
    const legitimate = times(40, i => new Client(i % 2 ? gateway.sniPort : gateway.clusterIdPort, `127.0.1.${i}`, i % 2 ? hellos[i % 4] : byId(`tenant-${i % 4}`)));
    expect(await answered(legitimate)).toBe(40);
    expect(await refused()).toBe(`total=0 source=${TOTAL + 10 - SHARES.perSource}:127.0.0.66 tenant=0:`);
  });

  test('a flood of connections to one tenant from many sources leaves the others their room', async () => {
    const { gateway, hello, byId, refused } = await start();
    const attacked = await hello('tenant-0');
    const flood = times(MANY, i => new Client(i % 2 ? gateway.sniPort : gateway.clusterIdPort, `127.0.2.${i}`, i % 2 ? attacked : byId('tenant-0')));
    expect(await answered(flood)).toBe(SHARES.perTenant);
    await healthy(gateway.haproxy);
    const hellos = await Promise.all(times(4, i => hello(`tenant-${1 + i}`)));
    const legitimate = times(40, i => new Client(i % 2 ? gateway.sniPort : gateway.clusterIdPort, `127.0.1.${i}`, i % 2 ? hellos[i % 4] : byId(`tenant-${1 + i % 4}`)));
    expect(await answered(legitimate)).toBe(40);
    expect(await refused()).toBe(`total=0 source=0: tenant=${MANY - SHARES.perTenant}:tenant-0.svc`);
    // The log is no way to fill a disk.
    expect(gateway.haproxy.log.filter(line => line.includes('tenant=tenant-0'))).toHaveLength(0);
  });

  test('with all ports full the health check is answered, and what is refused is counted', async () => {
    const { gateway, refused } = await start();
    const flood = times(3 * TOTAL, i => new Client(i % 2 ? gateway.sniPort : gateway.clusterIdPort, `127.0.3.${i % 250}`));
    await left(flood, TOTAL);
    for (let i = 0; i < 5; i++) {
      await healthy(gateway.haproxy);
    }
    expect(await refused()).toBe(`total=${2 * TOTAL} source=0: tenant=0:`);
  });

  test('a flood of silent connections to the ports of tenants counts with the source\'s others', async () => {
    const { gateway, portOf, refused } = await start();
    const flood = times(TOTAL + 10, i => new Client(i % 3 ? portOf(i % 5) : gateway.sniPort, '127.0.0.66'));
    await left(flood, SHARES.perSource);
    await healthy(gateway.haproxy);
    expect(await answered(times(40, i => new Client(portOf(i % 4), `127.0.1.${i}`, TLS_START)))).toBe(40);
    expect(await refused()).toBe(`total=0 source=${TOTAL + 10 - SHARES.perSource}:127.0.0.66 tenant=0:`);
  });

  test('a flood of connections to the port of one tenant counts with the tenant\'s others', async () => {
    const { gateway, byId, portOf, refused } = await start();
    const flood = times(MANY, i => i % 2 ? new Client(portOf(0), `127.0.2.${i}`, TLS_START) : new Client(gateway.clusterIdPort, `127.0.2.${i}`, byId('tenant-0')));
    expect(await answered(flood)).toBe(SHARES.perTenant);
    await healthy(gateway.haproxy);
    expect(await answered(times(40, i => new Client(portOf(1 + i % 4), `127.0.1.${i}`, TLS_START)))).toBe(40);
    expect(await refused()).toBe(`total=0 source=0: tenant=${MANY - SHARES.perTenant}:tenant-0.svc`);
    expect(gateway.haproxy.log.filter(line => line.includes('target=tenant-0'))).toHaveLength(0);
  });

  test('the ports of tenants and the others have one total', async () => {
    const { gateway, portOf, refused } = await start();
    const ports = [gateway.sniPort, gateway.clusterIdPort, portOf(0), portOf(4)];
    await left(times(3 * TOTAL, i => new Client(ports[i % 4], `127.0.3.${i % 250}`)), TOTAL);
    await healthy(gateway.haproxy);
    expect(await refused()).toBe(`total=${2 * TOTAL} source=0: tenant=0:`);
  });

  test('behind a load balancer that tells the sources of the ports of tenants, these count', async () => {
    const { portOf, refused } = await start({ portLoadBalancerCidrs: ['127.0.0.1/32'] });
    const through = (count: number, source: (i: number) => string) => times(count, i =>
      new Client(portOf(i % 4), '127.0.0.1', Buffer.concat([proxyHeader({ source: source(i) }), TLS_START])));
    expect(await answered(through(20, () => '198.51.100.7'))).toBe(SHARES.perSource);
    expect(await refused()).toBe('total=0 source=8:198.51.100.7 tenant=0:');
    expect(await answered(through(20, i => `198.51.100.${10 + i}`))).toBe(20);
  });

  test('a part of the whole is kept for trusted sources, which may have twice as much each', async () => {
    const { gateway, byId } = await start({ limits: { ...SHARES, trustedSources: ['127.0.9.0/24'] } });
    const flood = times(2 * TOTAL, i => new Client(gateway.clusterIdPort, `127.0.3.${i}`));
    await left(flood, TOTAL * 3 / 4);
    const nodes = times(TOTAL / 4 + 5, () => new Client(gateway.clusterIdPort, '127.0.9.1'));
    await left(nodes, 2 * SHARES.perSource);
    nodes.forEach(client => client.stop());
    await eventually(async () => await gateway.haproxy.stat('cluster-id', 'FRONTEND', 'scur') === TOTAL * 3 / 4);
    expect(await answered(times(9, i => new Client(gateway.clusterIdPort, `127.0.9.${i}`, byId('tenant-1'))))).toBe(9);
  });

  test('a part of what a tenant may have is kept for trusted sources', async () => {
    const { gateway, byId } = await start({ limits: { ...SHARES, trustedSources: ['127.0.9.0/24'] } });
    expect(await answered(times(30, i => new Client(gateway.clusterIdPort, `127.0.3.${i}`, byId('tenant-0'))))).toBe(SHARES.perTenant * 3 / 4);
    expect(await answered(times(30, i => new Client(gateway.clusterIdPort, `127.0.9.${i}`, byId('tenant-0'))))).toBe(SHARES.perTenant / 4);
  });

  test('nobody becomes a trusted or another source by a PROXY header on the cluster ID port', async () => {
    const { gateway } = await start({ limits: { ...SHARES, trustedSources: ['192.0.2.0/24'] } });
    const claims = times(30, i => new Client(gateway.clusterIdPort, '127.0.0.66',
      Buffer.concat([clusterIdHeader(`tenant-${i % 4}`, { source: `192.0.2.${i}` }), TLS_START])));
    expect(await answered(claims)).toBe(SHARES.perSource);
    claims.forEach(client => client.stop());
    await eventually(async () => await gateway.haproxy.stat('cluster-id', 'FRONTEND', 'scur') === 0);
    const toOne = times(12, i => new Client(gateway.clusterIdPort, `127.0.4.${i}`,
      Buffer.concat([clusterIdHeader('tenant-0', { source: '192.0.2.1' }), TLS_START])));
    expect(await answered(toOne)).toBe(SHARES.perTenant * 3 / 4);
  });

  test('behind a load balancer that tells sources, these count and not the load balancer', async () => {
    const { gateway, hello, refused } = await start({ loadBalancerCidrs: ['127.0.0.1/32'], clusterIdPort: undefined });
    const hellos = await Promise.all(times(4, i => hello(`tenant-${i}`)));
    const through = (count: number, source: (i: number) => string) => times(count, i =>
      new Client(gateway.sniPort, '127.0.0.1', Buffer.concat([proxyHeader({ source: source(i) }), hellos[i % 4]])));
    expect(await answered(through(20, () => '198.51.100.7'))).toBe(SHARES.perSource);
    expect(await refused()).toBe('total=0 source=8:198.51.100.7 tenant=0:');
    expect(await answered(through(20, i => `198.51.100.${10 + i}`))).toBe(20);
  });

  test('a load balancer that tells sources on the SNI port alone is no source on the other ports', async () => {
    const { gateway, byId, portOf, refused } = await start({ loadBalancerCidrs: ['127.0.0.1/32'] });
    expect(await answered(times(40, i => new Client(i % 2 ? portOf(i % 4) : gateway.clusterIdPort, '127.0.0.1', i % 2 ? TLS_START : byId(`tenant-${i % 4}`))))).toBe(40);
    // Who does not come through it is one as ever.
    await left(times(20, i => new Client(i % 2 ? portOf(1) : gateway.clusterIdPort, '127.0.0.66')), SHARES.perSource);
    expect(await refused()).toBe(`total=0 source=${20 - SHARES.perSource}:127.0.0.66 tenant=0:`);
  });

  test('a network of 64 bits is one source of IPv6, its neighbour another', async () => {
    const { gateway, hello } = await start({ loadBalancerCidrs: ['127.0.0.1/32'], clusterIdPort: undefined });
    const hellos = await Promise.all(times(4, i => hello(`tenant-${i}`)));
    const through = (count: number, source: (i: number) => string) => times(count, i =>
      new Client(gateway.sniPort, '127.0.0.1', Buffer.concat([proxyHeader({ source: source(i) }), hellos[i % 4]])));
    expect(await answered(through(20, i => `2001:db8:0:1:${i + 1}::${i + 1}`))).toBe(SHARES.perSource);
    expect(await answered(through(8, i => `2001:db8:0:${i + 2}::1`))).toBe(8);
  });

  test('sources that come and go put nobody out of the table', async () => {
    const { gateway } = await start();
    const held = times(20, () => new Client(gateway.clusterIdPort, '127.0.0.66'));
    await left(held, SHARES.perSource);
    for (let network = 10; network < 14; network++) {
      const passing = times(60, i => new Client(gateway.clusterIdPort, `127.0.${network}.${i}`));
      await eventually(async () => await gateway.haproxy.stat('cluster-id', 'FRONTEND', 'scur') >= 60);
      passing.forEach(client => client.stop());
      await eventually(async () => await gateway.haproxy.stat('cluster-id', 'FRONTEND', 'scur') === SHARES.perSource);
    }
    await left(times(5, () => new Client(gateway.clusterIdPort, '127.0.0.66')), 0);
  });
});

describeWithHaproxy('fairness of the tcp-proxy', () => {
  test.each(['tls', 'tcp'] as const)('one pod that takes all it may have leaves the others their room (by %s)', async mode => {
    const chain = await startChain({ proxy: { upstream: { mode }, settings: { maxConnections: 40 } } });
    const flood = times(50, () => new Client(chain.port, '127.0.0.66'));
    await left(flood, 10);
    const hello = await clientHello({ servername: API_HOST });
    expect(await answered(times(8, i => new Client(chain.port, `127.0.1.${i}`, hello)))).toBe(8);
    expect((await chain.haproxy.health('/refused')).body).toBe('total=0 source=40:127.0.0.66 tenant=0:');
    await eventually(() => chain.haproxy.ready());
  });

  test('with all connections taken it still tells its agent how it is', async () => {
    const chain = await startChain({ proxy: { settings: { maxConnections: 40 } } });
    await eventually(() => chain.haproxy.ready());
    await left(times(120, i => new Client(chain.port, `127.0.3.${i}`)), 40);
    expect(await chain.haproxy.ready()).toBe(true);
    expect((await chain.haproxy.health('/metrics')).status).toBe(200);
  });
});
