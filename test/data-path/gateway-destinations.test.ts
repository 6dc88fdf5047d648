import { randomBytes } from 'crypto';
import { AddressNetwork } from './support/address-network';
import { clientHello } from './support/client-hello';
import { startGateway, GatewayOptions } from './support/gateway';
import { stopParts } from './support/parts';
import { proxyHeader } from './support/proxy-header';
import { TLS_START } from './support/tenant-server';
import { describeInNamespace } from '../../images/tcp-proxy/test/support/namespace';
import { Exposure } from '../../src';
import { parseRefusedLine } from '../../src/agent/contract/haproxy-names';
import { tableTexts } from '../../src/shared-gateway/routing-tables';
import { haproxyBinary } from '../support/haproxy';

jest.setTimeout(120_000);
afterEach(stopParts);

const PREFIX = '2001:db8:1::/64';
const PORT = 7443;
const at = (host: string) => `2001:db8:1::${host}`;
/** Clients have addresses of other networks. */
const [INSIDE, OUTSIDE] = ['2001:db8:2::7', '2001:db8:3::7'];

/** A gateway with a tenant at each address, with its sources, as the library writes their routes. */
async function start(tenants: { [name: string]: { address: string; allowedCidrs?: string[] } }, options: Partial<GatewayOptions> = {}) {
  const network = await AddressNetwork.create([PREFIX], [INSIDE, OUTSIDE]);
  const names = Object.keys(tenants);
  const ports = await Promise.all(names.map(name => network.listen(name)));
  const texts = tableTexts(names.map((name, i) => {
    const exposure = new Exposure({ name, namespace: 'tenants', hostname: `${name}.example.com`, backend: { serviceName: name, apiPort: ports[i] } });
    const { address, allowedCidrs } = tenants[name];
    return { exposure, routes: exposure.routes, address: { address, route: exposure.routes[0] }, allowedCidrs };
  }), 'cluster.local');
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const gateway = await startGateway({
    hosts: lines(texts.hosts),
    destinations: lines(texts.destinations),
    allowed: lines(texts.allowed),
    addresses: names.map(name => `${name}.tenants.svc.cluster.local 127.0.0.1`),
    inside: network.inside,
    ...options,
    config: { listenAddresses: ['127.0.0.1'], addressPort: PORT, ...options.config },
  });
  const ask = async (to: string, bytes?: Buffer, from?: string) => (await network.ask([{ to, from, port: PORT, bytes }]))[0];
  return { network, gateway, ask };
}

describeInNamespace('an IPv6 address of a tenant', () => {
  beforeAll(() => expect(haproxyBinary()).toBeDefined());

  test('leads to the tenant, whatever the host says or without one', async () => {
    const { ask } = await start({ one: { address: at('1:0') }, two: { address: at('2:0') } });
    for (const options of [{ servername: '' }, { servername: 'kubernetes.default.svc' }, { servername: 'two.example.com' }]) {
      expect(await ask(at('1:0'), await clientHello(options))).toBe('one');
    }
    expect(await ask(at('2:0'))).toBe('two');
  });

  test('never leads to another tenant: 20,000 addresses of the prefix, most of them beside those of tenants, lead nowhere', async () => {
    const { network, ask } = await start({ one: { address: at('1:0') }, two: { address: at('2:0') } }, { config: { limits: {} } });
    const near = Array.from({ length: 64 }, (_, bit) => ['10000', '20000'].map(host => flipped(host, bit))).flat();
    const random = Array.from({ length: 20_000 - near.length }, () => addressOf(randomBytes(8).toString('hex')));
    const answers = await network.ask([...near, ...random].map(to => ({ to, port: PORT })));
    expect(new Set(answers)).toEqual(new Set(['']));
    expect([await ask(at('1:0')), await ask(at('2:0'))]).toEqual(['one', 'two']);
  });

  test('is limited to the sources of the tenant, on its host as well', async () => {
    const { ask, network, gateway } = await start({ one: { address: at('1'), allowedCidrs: ['2001:db8:2::/64'] }, two: { address: at('2') } });
    expect([await ask(at('1'), TLS_START, INSIDE), await ask(at('1'), TLS_START, OUTSIDE)]).toEqual(['one', '']);
    expect([await ask(at('2'), TLS_START, INSIDE), await ask(at('2'), TLS_START, OUTSIDE)]).toEqual(['two', 'two']);
    const [byHost] = await network.ask([{ to: '127.0.0.1', port: gateway.sniPort, bytes: await clientHello({ servername: 'one.example.com' }) }]);
    expect(byHost).toBe('');
  });

  test('takes no PROXY header, which could say another source and another address', async () => {
    const { ask, gateway } = await start({ one: { address: at('1'), allowedCidrs: ['2001:db8:2::/64'] }, two: { address: at('2') } });
    expect(await ask(at('2'), Buffer.concat([proxyHeader({ source: '192.0.2.1' }), TLS_START]))).toBe('');
    expect(await ask(at('1'), Buffer.from('GET / HTTP/1.1\r\n\r\n'), INSIDE)).toBe('');
    expect(gateway.haproxy.log.filter(line => line.includes('frontend=address'))).toHaveLength(2);
  });

  test('is routed, moved and taken away without a reload', async () => {
    const { ask, gateway: { haproxy }, network } = await start({ one: { address: at('1') } });
    const port = await network.listen('two');
    const map = (await haproxy.command('show map')).split('\n').find(line => line.includes('destinations.map'))!.split(' ')[1].slice(1, -1);
    expect(await haproxy.command(`add map ${map} ${at('2')} one.tenants.svc.cluster.local:${port}`)).toBe('\n');
    expect(await ask(at('2'))).toBe('two');
    await haproxy.command(`set map ${map} ${at('1')} one.tenants.svc.cluster.local:${port}`);
    expect(await ask(at('1'))).toBe('two');
    await haproxy.command(`del map ${map} ${at('1')}`);
    expect([await ask(at('1')), await ask(at('2'))]).toEqual(['', 'two']);
  });

  test('counts into the limits of sources and tenants', async () => {
    const { network, gateway } = await start({ one: { address: at('1') } }, {
      config: { limits: { perSource: 3, perTenant: 100 } }, replace: { 'inspect-delay 10s': 'inspect-delay 2s' },
    });
    // Those that send nothing stay open for a while.
    const answers = await network.ask(Array.from({ length: 8 }, () => ({ to: at('1'), from: INSIDE, port: PORT, bytes: Buffer.alloc(0) })).concat(
      { to: at('1'), from: OUTSIDE, port: PORT, bytes: TLS_START }));
    expect(answers.pop()).toBe('one');
    expect(parseRefusedLine((await gateway.haproxy.health('/refused')).body)).toMatchObject({ count: { source: 5, tenant: 0 }, lastSource: INSIDE });
  });
});

/** An address of the prefix that differs in one bit of its host. */
function flipped(host: string, bit: number): string {
  const digits = [...host.padStart(16, '0')];
  const position = 15 - Math.floor(bit / 4);
  const weight = 2 ** (bit % 4);
  const digit = parseInt(digits[position], 16);
  digits[position] = (Math.floor(digit / weight) % 2 === 1 ? digit - weight : digit + weight).toString(16);
  return addressOf(digits.join(''));
}

/** @param host 16 digits */
function addressOf(host: string): string {
  return `2001:db8:1:0:${host.match(/.{4}/g)!.join(':')}`;
}
