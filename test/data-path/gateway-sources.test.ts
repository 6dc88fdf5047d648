import { clientHello } from './support/client-hello';
import { answerTo, clusterIdHeader, startGateway } from './support/gateway';
import { stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { exchange, TenantServer } from './support/tenant-server';
import { Exposure } from '../../src';
import { tableTexts } from '../../src/shared-gateway/routing-tables';
import { describeWithHaproxy } from '../support/haproxy';

jest.setTimeout(60_000);
afterEach(stopParts);

/** Starts a gateway with tenants, as the library writes their routes; each has a list of sources. */
async function start(lists: { [name: string]: string[] | undefined }, loadBalancer = false) {
  const tenants = await Promise.all(Object.keys(lists).map(name => TenantServer.start(name)));
  const texts = tableTexts(tenants.map(({ name, port }) => {
    const exposure = new Exposure({ name, namespace: 'tenants', hostname: `${name}.example.com`, clusterId: `id-${name}`, backend: { serviceName: name, apiPort: port } });
    return { exposure, routes: exposure.routes, allowedCidrs: lists[name] };
  }), 'cluster.local');
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const gateway = await startGateway({
    hosts: lines(texts.hosts),
    clusterIds: lines(texts['cluster-ids']),
    allowed: lines(texts.allowed),
    addresses: tenants.map(({ name }) => `${name}.tenants.svc.cluster.local 127.0.0.1`),
    config: loadBalancer ? { loadBalancerCidrs: ['127.0.0.1/32'] } : {},
  });
  return {
    gateway,
    tenants,
    byId: (name: string, host?: string, source?: string) => answerTo(gateway, clusterIdHeader(`id-${name}`, { source }), host),
    bySni: async (name: string, host?: string) => exchange(gateway.sniPort, await clientHello({ servername: `${name}.example.com` }), host),
  };
}

describeWithHaproxy('allowed sources', () => {
  test('let in on both ports who is in one of the networks, of either family', async () => {
    const { byId, bySni } = await start({ mixed: ['10.0.0.0/8', '127.0.0.0/8', '::1/128'] });
    for (const host of ['127.0.0.1', '::1']) {
      expect(await byId('mixed', host)).toBe('mixed');
      expect(await bySni('mixed', host)).toBe('mixed');
    }
  });

  test('close connections of others on both ports, which never reach another tenant', async () => {
    const { byId, bySni, tenants } = await start({ v4: ['127.0.0.0/8'], v6: ['::1/128'], other: ['10.0.0.0/8'], open: undefined });
    expect(await byId('v4', '::1')).toBe('');
    expect(await bySni('v4', '::1')).toBe('');
    expect(await byId('v6', '127.0.0.1')).toBe('');
    expect(await bySni('v6', '127.0.0.1')).toBe('');
    expect(await byId('other')).toBe('');
    expect(await bySni('other')).toBe('');
    expect(tenants.map(({ connections }) => connections)).toEqual([0, 0, 0, 0]);
    expect(await byId('open', '::1')).toBe('open');
    expect(await bySni('open')).toBe('open');
  });

  test('are of the TCP connection, whatever the PROXY header says', async () => {
    const { byId } = await start({ local: ['127.0.0.0/8'], remote: ['192.0.2.0/24', '2001:db8::/32'] });
    expect(await byId('local', '127.0.0.1', '192.0.2.1')).toBe('local');
    expect(await byId('remote', '127.0.0.1', '192.0.2.1')).toBe('');
    expect(await byId('remote', '127.0.0.1', '2001:db8::1')).toBe('');
  });

  test('0.0.0.0/32 lets nobody in, 0.0.0.0/0 every IPv4 address', async () => {
    const { byId } = await start({ none: ['0.0.0.0/32'], all: ['0.0.0.0/0'] });
    expect(await byId('none')).toBe('');
    expect(await byId('none', '::1')).toBe('');
    expect(await byId('all')).toBe('all');
    expect(await byId('all', '::1')).toBe('');
  });

  test('may be as many as HyperShift allows', async () => {
    const many = Array.from({ length: 499 }, (_, i) => `10.${i % 256}.${Math.floor(i / 256)}.0/24`);
    const { byId } = await start({ many: [...many, '127.0.0.1/32'] });
    expect(await byId('many')).toBe('many');
  });

  // Addresses at the edges of networks of every prefix length, sent by a trusted load balancer.
  test.each<[string, string[], string[]]>([
    ['10.64.0.0/10', ['10.64.0.0', '10.127.255.255'], ['10.63.255.255', '10.128.0.0', '2001:db8::1']],
    ['198.51.100.16/29', ['198.51.100.16', '198.51.100.23'], ['198.51.100.15', '198.51.100.24']],
    ['198.51.100.17/32', ['198.51.100.17'], ['198.51.100.16']],
    ['128.0.0.0/1', ['128.0.0.0', '255.255.255.255'], ['127.255.255.255']],
    ['2001:db8:8000::/33', ['2001:db8:8000::1', '2001:db8:ffff::1'], ['2001:db8:7fff::1', '2001:db9:8000::1', '10.0.0.1']],
    ['2001:db8:0:1::/64', ['2001:db8:0:1::', '2001:db8:0:1:ffff:ffff:ffff:ffff'], ['2001:db8::', '2001:db8:0:2::']],
    ['2001:db8::7e/127', ['2001:db8::7e', '2001:db8::7f'], ['2001:db8::7d', '2001:db8::80']],
    ['::/0', ['2001:db8::1', 'fd00::1'], ['10.0.0.1', '2002:a00:1::1']],
    ['10.0.0.0/8', ['10.1.2.3'], ['2002:a00:1::1', '11.0.0.0']],
  ])('%s holds %j and not %j', async (cidr, inside, outside) => {
    const { gateway } = await start({ tenant: [cidr] }, true);
    const hello = await clientHello({ servername: 'tenant.example.com' });
    for (const source of inside) {
      expect([source, await exchange(gateway.sniPort, Buffer.concat([proxyHeader({ source }), hello]))]).toEqual([source, 'tenant']);
    }
    for (const source of outside) {
      expect([source, await exchange(gateway.sniPort, Buffer.concat([proxyHeader({ source }), hello]))]).toEqual([source, '']);
    }
  });
});
