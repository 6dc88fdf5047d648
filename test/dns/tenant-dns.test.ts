import { exposure, tenantDns, ZONES } from './support/tenants';
import { DnsRecordType, DnsTarget, TenantDnsProps } from '../../src';

function names(props: Partial<TenantDnsProps>): string[] {
  return tenantDns(props).names;
}

describe('the names of tenants', () => {
  test('are those of the exposures, with konnectivity and every further service', () => {
    const oauth = exposure('tenant-01', { tlsServices: [{ name: 'oauth', hostname: 'login.k8s.example.com', servicePort: 6443 }] });
    expect(names({ exposures: [oauth] })).toEqual([
      'login.k8s.example.com', 'tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com',
    ]);
  });

  test('are one wildcard for each domain that asks for it, and the rest by themselves', () => {
    expect(names({ wildcardDomains: ['k8s.example.com'] })).toEqual([
      '*.k8s.example.com', 'tenant-01.konnectivity.example.com', 'tenant-02.konnectivity.example.com',
    ]);
  });

  test('are written out below a wildcard that does not answer for them', () => {
    const nested = exposure('a', { hostname: 'a.example.com', konnectivity: { hostname: 'tunnel.a.example.com' } });
    expect(names({ zones: ['example.com'], exposures: [nested], wildcardDomains: ['example.com', 'a.example.com'] }))
      .toEqual(['*.example.com', 'a.example.com', '*.a.example.com']);
  });

  test('are written out where they are the name of a zone, which no wildcard of another zone answers for', () => {
    const apex = exposure('a', { hostname: 'a.example.com', konnectivity: undefined });
    expect(names({ zones: ['example.com', 'a.example.com'], exposures: [apex], wildcardDomains: ['example.com'] }))
      .toEqual(['*.example.com', 'a.example.com']);
  });

  test('do not depend on the order of exposures, zones and domains', () => {
    const [a, b] = [exposure('a'), exposure('b')];
    const one = tenantDns({ exposures: [a, b], zones: ZONES, wildcardDomains: ZONES });
    const other = tenantDns({ exposures: [b, a], zones: [...ZONES].reverse(), wildcardDomains: [...ZONES].reverse() });
    expect(other.records).toEqual(one.records);
    expect(other.zones).toEqual(one.zones);
  });

  test('have each address once, in its canonical form, by its family', () => {
    const { records } = tenantDns({
      exposures: [exposure('a', { konnectivity: undefined })], target: DnsTarget.addresses(['10.0.0.50', 'FD00:0:0::0050', '10.0.0.51']), ttlSeconds: 60,
    });
    expect(records).toEqual([
      { name: 'a.k8s.example.com', type: DnsRecordType.A, values: ['10.0.0.50', '10.0.0.51'], ttlSeconds: 60 },
      { name: 'a.k8s.example.com', type: DnsRecordType.AAAA, values: ['fd00::50'], ttlSeconds: 60 },
    ]);
  });

  test('may lead elsewhere one by one', () => {
    const { records } = tenantDns({
      exposures: [exposure('a', { konnectivity: undefined })],
      additionalNames: [{ name: 'a.k8s.example.com', target: DnsTarget.canonicalName('lb.example.net') }],
    });
    expect(records).toEqual([{ name: 'a.k8s.example.com', type: DnsRecordType.CNAME, values: ['lb.example.net'], ttlSeconds: 300 }]);
  });

  test('lie in the deepest of the zones', () => {
    const dns = tenantDns({ zones: ['example.com', 'k8s.example.com'] });
    expect(dns.zoneOf('tenant-01.k8s.example.com')).toBe('k8s.example.com');
    expect(dns.zoneOf('*.k8s.example.com')).toBe('k8s.example.com');
    expect(dns.zoneOf('tenant-01.konnectivity.example.com')).toBe('example.com');
  });
});

describe('what cannot work says what to change', () => {
  const lb = DnsTarget.canonicalName('lb.example.com');

  test.each<[string, Partial<TenantDnsProps>, RegExp]>([
    ['a host outside of the zones', { zones: ['k8s.example.com'] },
      /^zones: \["k8s\.example\.com"\] hold no zone for the name "tenant-01\.konnectivity\.example\.com"\. Add the zone/],
    ['a name that only ends like the zone', { zones: ['8s.example.com', 'konnectivity.example.com'] }, /hold no zone for the name "tenant-01\.k8s/],
    ['no zone', { zones: [] }, /^zones: \[\] names no zone/],
    ['a zone twice', { zones: [...ZONES, ZONES[0]] }, /^zones\[2\]: .* is listed twice/],
    ['a zone as a wildcard', { zones: ['*.k8s.example.com'] }, /^zones\[0\]: "\*\.k8s\.example\.com" is a wildcard\. Write the domain alone: "k8s\.example\.com"/],
    ['no exposure', { exposures: [] }, /^exposures: \[\] has no exposure/],
    ['a wildcard over a deeper host', { zones: ['example.com'], wildcardDomains: ['example.com'] },
      /^wildcardDomains: "\*\.example\.com" does not stand for the host "tenant-01\.k8s\.example\.com", which lies more than one label below\. Add "k8s\.example\.com"/],
    ['a wildcard outside of the zones', { wildcardDomains: ['k8s.example.org'] }, /hold no zone for the name "\*\.k8s\.example\.org"/],
    ['a wildcard with two targets', { wildcardDomains: ['k8s.example.com'], additionalNames: [{ name: '*.k8s.example.com', target: lb }] },
      /^additionalNames\[0\]\.name: "\*\.k8s\.example\.com" is also the wildcard of wildcardDomains, with another target/],
    ['a name twice', { additionalNames: [{ name: 'a.k8s.example.com', target: lb }, { name: 'a.k8s.example.com', target: lb }] },
      /^additionalNames\[1\]\.name: .* is listed twice; one name has one target/],
    ['a wildcard inside of a name', { additionalNames: [{ name: 'a.*.k8s.example.com', target: lb }] }, /has a "\*" inside/],
    ['an additional name without an address', { additionalNames: [{ name: 'a.k8s.example.com', target: DnsTarget.annotatedObject() }] },
      /^additionalNames\[0\]\.target: .* has no address/],
    ['a CNAME of the zone itself', { target: lb, zones: [...ZONES, 'tenant-01.k8s.example.com'] },
      /^target: "lb\.example\.com" would be a CNAME record of tenant-01\.k8s\.example\.com, but a zone's own name has SOA and NS records/],
    ['a canonical name below its own wildcard', { target: DnsTarget.canonicalName('lb.k8s.example.com'), wildcardDomains: ['k8s.example.com'] },
      /^target: "lb\.k8s\.example\.com" leads \*\.k8s\.example\.com back to itself\. Give "lb\.k8s\.example\.com" addresses in additionalNames/],
    ['a host that is its own canonical name', { target: DnsTarget.canonicalName('tenant-01.k8s.example.com') }, /leads tenant-01\.k8s\.example\.com back to itself/],
    ['a TTL of nothing', { ttlSeconds: 0 }, /^ttlSeconds: 0 is not a time to live\. Give whole seconds from 1 to 2147483647/],
    ['a TTL in parts of seconds', { ttlSeconds: 0.5 }, /^ttlSeconds: 0\.5 is not a time to live/],
    ['a TTL beyond DNS', { ttlSeconds: 2 ** 31 }, /^ttlSeconds: 2147483648 is not a time to live/],
  ])('%s', (_, props, message) => {
    expect(() => tenantDns(props)).toThrow(message);
  });

  test('a canonical name below its own wildcard works with addresses of its own', () => {
    expect(names({
      target: DnsTarget.canonicalName('lb.k8s.example.com'),
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [{ name: 'lb.k8s.example.com', target: DnsTarget.addresses(['10.0.0.60']) }],
    })).toContain('lb.k8s.example.com');
  });
});

describe('a target', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['no address', () => DnsTarget.addresses([]), /addresses: \[\] holds no address/],
    ['a name as an address', () => DnsTarget.addresses(['lb.example.com']), /addresses\[0\]: "lb\.example\.com" is not an IP address.*canonicalName/],
    ['an address as a name', () => DnsTarget.canonicalName('10.0.0.50'), /canonicalName: "10\.0\.0\.50" is an address; .* Use DnsTarget\.addresses/],
    ['a final dot', () => DnsTarget.canonicalName('lb.example.com.'), /canonicalName: "lb\.example\.com\." ends with a dot/],
    ['an address in two forms', () => DnsTarget.addresses(['fd00::50', 'fd00:0::50']), /addresses\[1\]: "fd00:0::50" is listed twice/],
    ['loopback', () => DnsTarget.addresses(['127.0.0.1']), /is a loopback address/],
    ['loopback of IPv6', () => DnsTarget.addresses(['::1']), /is a loopback address/],
    ['link-local', () => DnsTarget.addresses(['fe80::1']), /is a link-local address/],
    ['multicast', () => DnsTarget.addresses(['224.0.0.1']), /is a multicast address/],
    ['unspecified', () => DnsTarget.addresses(['::']), /is the unspecified address/],
    ['IPv4 in disguise', () => DnsTarget.addresses(['::ffff:10.0.0.50']), /is an IPv4 address written as IPv6/],
    ['loopback in disguise', () => DnsTarget.addresses(['::ffff:127.0.0.1']), /is an IPv4 address written as IPv6/],
    ['a tunnel by its name', () => DnsTarget.cloudflareTunnel('my-tunnel'), /tunnelId: "my-tunnel" is not the ID of a tunnel/],
  ])('%s', (_, target, message) => {
    expect(target).toThrow(message);
  });

  test('takes private and public addresses', () => {
    expect(DnsTarget.addresses(['192.168.1.5', '203.0.113.10', '2001:db8::1']).ipv4).toEqual(['192.168.1.5', '203.0.113.10']);
  });
});

describe('the names of other entries', () => {
  const WITH_PUBLIC = exposure('tenant-01', {
    furtherEntries: [{ name: 'public', hostname: 'tenant-01.example.net', konnectivityHostname: 'agents.k8s.example.com' }, { name: 'customer', hostname: 'k8s.customer.example' }],
  });
  const [INNER, OUTER] = [DnsTarget.addresses(['10.0.0.50']), DnsTarget.addresses(['203.0.113.10', '2001:db8::10'])];
  const valuesOf = (props: Partial<TenantDnsProps>) => Object.fromEntries(tenantDns({ zones: ['example.com', 'example.net', 'customer.example'], exposures: [WITH_PUBLIC], target: INNER, ...props })
    .records.map(({ name, type, values }) => [`${name} ${type}`, values.join()]));
  const MAIN = { 'tenant-01.k8s.example.com A': '10.0.0.50', 'tenant-01.konnectivity.example.com A': '10.0.0.50' };

  test('lead to the address of their entry', () => {
    expect(valuesOf({ entryTargets: { public: OUTER, customer: DnsTarget.canonicalName('lb.example.org') } })).toEqual({
      ...MAIN,
      'tenant-01.example.net A': '203.0.113.10',
      'tenant-01.example.net AAAA': '2001:db8::10',
      'agents.k8s.example.com A': '203.0.113.10',
      'agents.k8s.example.com AAAA': '2001:db8::10',
      'k8s.customer.example CNAME': 'lb.example.org',
    });
  });

  test('are left out without a target, for another server to hold', () => {
    expect(valuesOf({})).toEqual(MAIN);
    expect(tenantDns({ exposures: [WITH_PUBLIC] }).hosts).toEqual(['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com']);
  });

  test('are left out without a target whatever they are called', () => {
    const named = exposure('tenant-01', { furtherEntries: [{ name: 'constructor', hostname: 'tenant-01.example.net' }] });
    expect(valuesOf({ exposures: [named] })).toEqual(MAIN);
  });

  test('have records of their own below a wildcard that leads to the main entry', () => {
    expect(valuesOf({ wildcardDomains: ['k8s.example.com'], entryTargets: { public: OUTER } })).toMatchObject({ '*.k8s.example.com A': '10.0.0.50', 'agents.k8s.example.com A': '203.0.113.10' });
  });

  test('are those of konnectivity where that has a controller of its own', () => {
    const own = exposure('tenant-01', { konnectivity: { hostname: 'agents.example.com' }, konnectivityOwnEntry: true });
    expect(valuesOf({ exposures: [own], entryTargets: { konnectivity: OUTER } })).toEqual({
      'tenant-01.k8s.example.com A': '10.0.0.50', 'agents.example.com A': '203.0.113.10', 'agents.example.com AAAA': '2001:db8::10',
    });
  });

  test.each<[string, Partial<TenantDnsProps>, string]>([
    ['an entry that there is not', { entryTargets: { pubic: OUTER } }, 'entryTargets: "pubic" is the name of no entry of these control planes. Name one of "public", "customer".'],
    ['an address that only an object knows', { entryTargets: { public: DnsTarget.annotatedObject() } }, 'entryTargets["public"]: "public" has no address'],
    ['a tunnel', { entryTargets: { public: DnsTarget.cloudflareTunnel('5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10') } }, 'is a Cloudflare Tunnel, which leads to one ingress controller'],
    ['a wildcard of the main entry over a host without a target', { wildcardDomains: ['example.net'] },
      'wildcardDomains: "*.example.net" would lead "tenant-01.example.net" of the entry "public" to the address of the main one'],
  ])('are an error with %s', (_, props, message) => {
    expect(() => valuesOf(props)).toThrow(message);
  });
});
