import * as fc from 'fast-check';
import { checkDnsmasq, checkZone, describeWithDnsServers, DnsServer } from './support/dns-servers';
import { exposure, tenantDns, ZONES } from './support/tenants';
import { DnsOutput, DnsTarget, TenantDnsProps } from '../../src';
import { stopParts } from '../data-path/support/parts';

const NAME_SERVER = 'ns1.example.com';
const V4 = ['10.0.0.50', '10.0.0.51'];
const V6 = ['fd00::50', 'fd00::51'];
const BOTH = { A: V4, AAAA: V6, CNAME: 'ENODATA' };
const MISSING = { A: 'ENOTFOUND', AAAA: 'ENOTFOUND', CNAME: 'ENOTFOUND' };

jest.setTimeout(60_000);
afterEach(stopParts);

describeWithDnsServers('a real BIND', () => {
  const bind = DnsOutput.bind({ nameServers: [NAME_SERVER] });
  const servedBy = (props: Parameters<typeof tenantDns>[0], output = bind) => DnsServer.named(output.files(tenantDns(props)));

  test('answers for each tenant, and for nobody else', async () => {
    const server = await servedBy({ ttlSeconds: 120 });
    for (const host of ['tenant-01.k8s.example.com', 'tenant-02.konnectivity.example.com']) {
      expect(await server.ask(host)).toEqual(BOTH);
    }
    expect(await server.ask('tenant-03.k8s.example.com')).toEqual(MISSING);
    expect(await server.ttlOf('tenant-01.k8s.example.com')).toBe(120);
  });

  test('answers a wildcard for every tenant, also one that comes later', async () => {
    const server = await servedBy({ wildcardDomains: ['k8s.example.com'] });
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('tenant-99.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('tenant-99.konnectivity.example.com')).toEqual(MISSING);
  });

  test('says that a name has no address of the family that the target lacks', async () => {
    const server = await servedBy({ target: DnsTarget.addresses(['fd00::50']), wildcardDomains: ['k8s.example.com'] });
    const expected = { A: 'ENODATA', AAAA: ['fd00::50'], CNAME: 'ENODATA' };
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(expected);
    expect(await server.ask('tenant-01.konnectivity.example.com')).toEqual(expected);
  });

  test('follows a canonical name, of a wildcard too', async () => {
    const server = await servedBy({
      zones: ['example.com'],
      target: DnsTarget.canonicalName('lb.example.com'),
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [
        { name: 'lb.example.com', target: DnsTarget.addresses(['10.0.0.60']) },
        { name: NAME_SERVER, target: DnsTarget.addresses(['10.0.0.53']) },
      ],
    });
    const expected = { A: ['10.0.0.60'], AAAA: [], CNAME: ['lb.example.com'] };
    expect(await server.ask('tenant-99.k8s.example.com')).toEqual(expected);
    expect(await server.ask('tenant-02.konnectivity.example.com')).toEqual(expected);
  });

  test('answers for a tenant whose name lies above others, which no wildcard does', async () => {
    const server = await servedBy({
      zones: ['example.com'],
      exposures: [exposure('a', { hostname: 'a.example.com', konnectivity: { hostname: 'tunnel.a.example.com' } })],
      wildcardDomains: ['example.com', 'a.example.com'],
    }, DnsOutput.bind({ nameServers: ['ns1.example.net'] }));
    expect(await server.ask('a.example.com')).toEqual(BOTH);
    expect(await server.ask('tunnel.a.example.com')).toEqual(BOTH);
  });

  test('has the SOA and NS records of the props', async () => {
    const output = DnsOutput.bind({ nameServers: [NAME_SERVER, 'ns2.example.com'], contact: 'dns.team@example.com', serial: 2_024_020_901, negativeTtlSeconds: 30 });
    const server = await servedBy({}, output);
    expect(await server.soaOf(ZONES[0])).toEqual({
      nsname: NAME_SERVER, hostmaster: 'dns\\.team.example.com', serial: 2_024_020_901, refresh: 3600, retry: 900, expire: 1_209_600, minttl: 30,
    });
    expect((await server.nameServersOf(ZONES[1])).sort()).toEqual([NAME_SERVER, 'ns2.example.com']);
  });

  test('includes the records into a zone that exists', async () => {
    const [{ text }] = DnsOutput.bind().files(tenantDns({ zones: ['example.com'], wildcardDomains: ['k8s.example.com'] }));
    const existing = '$TTL 60\n@ IN SOA ns1.example.net. hostmaster.example.net. 1 3600 900 1209600 60\n@ IN NS ns1.example.net.\n';
    const after = 'www IN A 10.1.1.1\n';
    const server = await DnsServer.named([{ name: 'example.com.zone', text: existing + text + after }]);
    expect(await server.ask('tenant-99.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('www.example.com')).toMatchObject({ A: ['10.1.1.1'] });
    expect(await server.ttlOf('www.example.com')).toBe(60);
  });

  test('is content with every zone that is written', async () => {
    const character = fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code));
    await fc.assert(fc.asyncProperty(
      fc.subarray(ZONES), fc.boolean(), fc.string({ minLength: 1, maxLength: 63, unit: character }),
      async (wildcardDomains, oneFamily, mailbox) => {
        const dns = tenantDns({ wildcardDomains, ...oneFamily && { target: DnsTarget.addresses(['10.0.0.50']) } });
        const files = DnsOutput.bind({ nameServers: [NAME_SERVER], contact: `${mailbox}@example.com` }).files(dns);
        expect(await checkZone(ZONES[0], files[0].text)).toBe('');
      },
    ), { numRuns: 50 });
  });

  test('reads a mailbox back as it was written', async () => {
    const contact = '"a.b\\;(c)$@d@example.com';
    const server = await servedBy({}, DnsOutput.bind({ nameServers: [NAME_SERVER], contact }));
    const { hostmaster } = await server.soaOf(ZONES[0]);
    expect(hostmaster.replace(/\\(.)/g, '$1')).toBe(contact.replace('@example.com', '.example.com'));
  });
});

/** Zones in each other, wildcards and hosts at any depth below them. */
const LAYOUTS = fc.record({
  hosts: fc.uniqueArray(fc.constantFrom('a', 'b', 'a.b', 'c.b', 'a.c.b', 'k.a', 'a.k.a').map(name => `${name}.example.com`), { minLength: 1 }),
  wildcardDomains: fc.subarray(['example.com', 'b.example.com', 'c.b.example.com', 'k.a.example.com', 'a.example.com']),
  zones: fc.subarray(['b.example.com', 'a.example.com']).map(zones => ['example.com', ...zones]),
}).map(({ hosts, ...layout }) => ({
  ...layout,
  exposures: hosts.map((hostname, i) => exposure(`tenant-${i}`, { hostname, konnectivity: undefined })),
})).filter(layout => isPossible(layout));

function isPossible(layout: Partial<TenantDnsProps>): boolean {
  try {
    return tenantDns(layout) !== undefined;
  } catch {
    return false;
  }
}

describeWithDnsServers('whatever the zones, wildcards and hosts, every host is answered for', () => {
  test('by BIND', async () => {
    await fc.assert(fc.asyncProperty(LAYOUTS, async layout => {
      const dns = tenantDns(layout);
      const server = await DnsServer.named(DnsOutput.bind({ nameServers: ['ns1.example.net'] }).files(dns));
      for (const host of dns.hosts) {
        expect([host, await server.ask(host)]).toEqual([host, BOTH]);
      }
      await server.stop();
    }), { numRuns: 15 });
  });

  test('by dnsmasq', async () => {
    await fc.assert(fc.asyncProperty(LAYOUTS, fc.boolean(), async (layout, answerWholeZones) => {
      const dns = tenantDns(layout);
      const server = await DnsServer.dnsmasq(DnsOutput.dnsmasq({ answerWholeZones }).files(dns)[0].text);
      for (const host of dns.hosts) {
        expect([host, await server.ask(host)]).toEqual([host, BOTH]);
      }
      await server.stop();
    }), { numRuns: 15 });
  });
});

describeWithDnsServers('a real dnsmasq', () => {
  const servedBy = (props: Parameters<typeof tenantDns>[0], output = DnsOutput.dnsmasq({ answerWholeZones: true })) =>
    DnsServer.dnsmasq(output.files(tenantDns(props))[0].text);

  test('answers for each tenant, and for nobody else', async () => {
    const server = await servedBy({ ttlSeconds: 120 });
    for (const host of ['tenant-01.k8s.example.com', 'tenant-02.konnectivity.example.com']) {
      expect(await server.ask(host)).toEqual(BOTH);
    }
    expect(await server.ask('tenant-03.k8s.example.com')).toEqual(MISSING);
    expect(await server.ttlOf('tenant-01.k8s.example.com')).toBe(120);
  });

  test('answers a wildcard for every tenant, also one that comes later, but not for the domain itself', async () => {
    const server = await servedBy({ wildcardDomains: ['k8s.example.com'] });
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('tenant-99.k8s.example.com')).toMatchObject({ A: V4, AAAA: V6 });
    expect(await server.ask('k8s.example.com')).toMatchObject({ A: 'ENODATA', AAAA: 'ENODATA' });
    expect(await server.ask('tenant-99.konnectivity.example.com')).toEqual(MISSING);
  });

  test.each([true, false])('never says that a tenant with one address family does not exist (whole zones: %s)', async answerWholeZones => {
    const server = await servedBy(
      { target: DnsTarget.addresses(['10.0.0.50']), wildcardDomains: ['k8s.example.com'] }, DnsOutput.dnsmasq({ answerWholeZones }));
    const expected = { A: ['10.0.0.50'], AAAA: 'ENODATA', CNAME: 'ENODATA' };
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(expected);
    expect(await server.ask('tenant-01.konnectivity.example.com')).toEqual(expected);
  });

  test('looks other names up elsewhere unless it answers for whole zones', async () => {
    const server = await servedBy({}, DnsOutput.dnsmasq());
    // There is nobody to ask.
    expect(await server.ask('www.k8s.example.com')).toMatchObject({ A: 'EREFUSED' });
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(BOTH);
  });

  test('has the addresses behind a canonical name, and those of a name of its own', async () => {
    const server = await servedBy({
      zones: ['example.com'],
      target: DnsTarget.canonicalName('lb.example.com'),
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [
        { name: 'lb.example.com', target: DnsTarget.addresses(['10.0.0.60', 'fd00::60']) },
        { name: 'tenant-02.k8s.example.com', target: DnsTarget.addresses(['10.0.0.70']) },
      ],
    });
    expect(await server.ask('tenant-01.k8s.example.com')).toMatchObject({ A: ['10.0.0.60'], AAAA: ['fd00::60'] });
    expect(await server.ask('tenant-99.k8s.example.com')).toMatchObject({ A: ['10.0.0.60'], AAAA: ['fd00::60'] });
    expect(await server.ask('tenant-02.k8s.example.com')).toEqual({ A: ['10.0.0.70'], AAAA: 'ENODATA', CNAME: 'ENODATA' });
  });

  test('is content with the files for it and for Pi-hole', async () => {
    for (const output of [DnsOutput.dnsmasq(), DnsOutput.piHole({ answerWholeZones: true })]) {
      expect(await checkDnsmasq(output.files(tenantDns({ wildcardDomains: ZONES }))[0].text)).toBe('');
    }
    expect(await checkDnsmasq('host-record=\n')).not.toBe('');
  });
});
