import { isIP } from 'net';
import * as fc from 'fast-check';
import { clusterTarget, gatewayText } from '../../../../src/agent/contract/clusters';
import { mapLine, parseLine, ROUTING_TABLES, RoutingTable } from '../../../../src/agent/contract/routing-tables';
import { API_ROUTE } from '../../../../src/model/exposure';
import { tenantLines } from '../../../../src/shared-gateway/routing-tables';

const long = (length: number) => 'a'.repeat(length);
const name = (length: number) => `${`${long(49)}.`.repeat(5)}${long(253)}`.slice(0, length);

describe('a line is refused', () => {
  test.each<[string, RoutingTable, string]>([
    ['with a port that does not exist', 'hosts', 'a.example.com a.b.svc:99999'],
    ['with port 0', 'cluster-ids', 'a a.b.svc:0'],
    ['with a port of two parts', 'hosts', 'a.example.com a.b.svc:1:2'],
    ['with a name of 200,000 characters', 'hosts', `${long(200_000)}.example.com a.b.svc:1`],
    ['with a target of 200,000 characters', 'cluster-ids', `a ${'a.'.repeat(100_000)}svc:1`],
    ['with a label of 64 characters', 'hosts', `${long(64)}.example.com a.b.svc:1`],
    ['with a service label of 64 characters', 'hosts', `a.example.com ${long(64)}.b.svc:1`],
    ['with a name of 254 characters', 'hosts', `${name(254)} a.b.svc:1`],
    ['with a cluster ID of 129 characters', 'cluster-ids', `${long(129)} a.b.svc:1`],
    ['with an empty label', 'hosts', 'a..example.com a.b.svc:1'],
    ['with a label that starts with a dash', 'hosts', '-a.example.com a.b.svc:1'],
    ['with a label that ends with a dash', 'cluster-ids', 'a a-.b.svc:1'],
    ['with a wildcard', 'hosts', '*.example.com a.b.svc:1'],
    ['with a name that every tenant has', 'hosts', 'kubernetes.default.svc.cluster.local a.b.svc:1'],
    ['with an address for a service', 'hosts', 'a.example.com 169.254.169.254:80'],
    ['with a prefix that is too long', 'allowed', '10.0.0.0/33@a/b 1'],
    ['with an IPv6 prefix that is too long', 'allowed', 'fd00::/129@a/b 1'],
    ['with a network that is none', 'allowed', '10.0.0/8@a/b 1'],
    ['with two networks', 'allowed', '10.0.0.0/8/8@a/b 1'],
    ['with a list of a long name', 'allowed', `10.0.0.0/8@a/${long(64)} 1`],
    ['with an address that is none', 'destinations', '2001:db8:1 a.b.svc:1'],
    ['with an IPv4 address', 'destinations', '192.0.2.1 a.b.svc:1'],
    ['with a network', 'destinations', '2001:db8:1::/64 a.b.svc:1'],
    ['with another spelling of an address', 'destinations', '2001:0db8::1 a.b.svc:1'],
    ['with an address in capitals', 'destinations', '2001:DB8::1 a.b.svc:1'],
    ['with an address whose zeros are written', 'destinations', '2001:db8:0:0:0:0:0:1 a.b.svc:1'],
    ['with an address of a zone', 'destinations', 'fe80::1%eth0 a.b.svc:1'],
    ['with an address and no port', 'destinations', '2001:db8::1 a.b.svc'],
    ['with a carriage return', 'hosts', 'a.example.com a.b.svc:1\r'],
    ['with a command behind it', 'cluster-ids', 'a a.b.svc:1; show info'],
    ['with two spaces', 'cluster-ids', 'a  a.b.svc:1'],
    ['with a cluster without a name', 'hosts', 'a.example.com @'],
    ['with a cluster of two labels', 'hosts', 'a.example.com @eu.us'],
    ['with a cluster of a long name', 'ports', `30001 @${long(64)}`],
    ['with a cluster and a port', 'cluster-ids', 'a @eu:443'],
    ['with a cluster for a tunnel', 'tunnel', 'tenants.a @eu'],
    ['with a service for a domain', 'domains', 'example.com a.b.svc:1'],
    ['with a domain that every tenant has', 'domains', 'kubernetes.default.svc @eu'],
    ['with a gateway without a port', 'gateways', '@eu 192.0.2.1'],
    ['with a gateway at a port that does not exist', 'gateways', '@eu 192.0.2.1|65536'],
    ['with a gateway at an address that is none', 'gateways', '@eu 192.0.2.256|7444'],
    ['with a gateway at a name without a domain', 'gateways', '@eu gateway|7444'],
    ['with another spelling of a gateway', 'gateways', '@eu 2001:0db8::1|7444'],
  ])('%s', (_, table, line) => expect(parseLine(table, line)).toBeUndefined());
});

test.each<[RoutingTable, string, string]>([
  ['hosts', `${name(253)}`, `${long(63)}.${long(63)}.svc.cluster.local:65535:${long(63)}/${long(63)}`],
  ['cluster-ids', `${long(128)}`, 'a.b.svc:1'],
  ['destinations', '2001:db8:1111:2222:3333:4444:5555:6666', 'a.b.svc:1'],
  ['allowed', '0.0.0.0/0@a/b', '1'],
  ['allowed', 'fd00::/8@a/b', '1'],
])('the longest line of %s is taken', (table, key, value) => expect(parseLine(table, `${key} ${value}`)).toEqual([key, value]));

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'ab0-.:/@ \n\r;#é\u0000'), maxLength: 300 }),
  fc.stringMatching(/^[a-z0-9.-]{0,80} [a-z0-9.-]{0,80}:\d{0,6}(:[a-z]{0,3}\/[a-z]{0,3})?$/),
  fc.stringMatching(/^[0-9a-f.:]{0,40}\/\d{0,4}@[a-z]{0,3}\/[a-z]{0,3} 1$/),
);

test('whatever a line holds, what is taken of it is safe in a command and a file of HAProxy, and can be', () => {
  fc.assert(fc.property(fc.constantFrom(...ROUTING_TABLES), text, (table, line) => {
    const entry = parseLine(table, line);
    if (!entry) return;
    const [key, value] = entry;
    expect(`${key} ${value}`).toBe(line);
    expect(key).toMatch(/^[A-Za-z0-9:][A-Za-z0-9._:/@-]*$/);
    expect(value).toMatch(/^[a-z0-9][a-z0-9._:/-]*$/);
    if (table === 'allowed') {
      if (key.startsWith('0.0.0.1/128@')) return; // how HAProxy writes ::1/128
      const [, address, prefix] = /^(.+)\/(\d+)@/.exec(key)!;
      expect(Number(prefix)).toBeLessThanOrEqual(isIP(address) === 4 ? 32 : 128);
      return;
    }
    const [service, port] = value.split(':');
    expect(Number(port)).toBeGreaterThanOrEqual(1);
    expect(Number(port)).toBeLessThanOrEqual(65_535);
    for (const label of service.split('.')) expect(label).toMatch(/^[a-z0-9-]{1,63}$/);
    expect(service.length).toBeLessThanOrEqual(253);
  }), { numRuns: 2_000 });
});

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);

test('what the library writes is taken', () => {
  fc.assert(fc.property(label, label, label, fc.integer({ min: 1, max: 65_535 }), (namespace, tenant, service, servicePort) => {
    const hostname = `${tenant}.k8s.example.com`;
    const route = { name: API_ROUTE, hostname, port: servicePort, serviceName: service, serviceNamespace: namespace, servicePort };
    const lines = tenantLines({
      exposure: { namespace, name: tenant, clusterId: tenant },
      routes: [route],
      portRoutes: [route],
      address: { address: '2001:db8::1', route },
      allowedCidrs: ['203.0.113.0/24', '2001:db8::/32', '0.0.0.0/0', '::1/128'],
    } as unknown as Parameters<typeof tenantLines>[0], 'cluster.local');
    for (const table of ROUTING_TABLES.filter(of => of !== 'domains' && of !== 'gateways')) {
      expect(lines[table as keyof typeof lines].length).toBeGreaterThan(0);
      for (const line of lines[table as keyof typeof lines]) expect(parseLine(table, line)?.join(' ')).toBe(line);
    }
  }));
});

test.each(['192.0.2.1', '2001:db8::1', 'gw.eu.example.com'])('a line that the library writes of another cluster at %s is never refused', address => {
  for (const table of ['hosts', 'domains', 'cluster-ids'] as const) {
    expect(parseLine(table, mapLine('eu.example.com', clusterTarget('eu-1')))).toEqual(['eu.example.com', '@eu-1']);
  }
  expect(parseLine('gateways', mapLine(clusterTarget('eu-1'), gatewayText(address, 7444)))).toEqual(['@eu-1', `${address}|7444`]);
});
