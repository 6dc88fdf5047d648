import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { exposure, tenantDns, ZONES } from './support/tenants';
import { DnsFile, DnsOutput, DnsReplicationScope, DnsTarget, TenantDns, TenantDnsProps } from '../../src';

const ONE: Partial<TenantDnsProps> = { exposures: [exposure('a')], target: DnsTarget.addresses(['10.0.0.50', 'fd00::50']) };
const TUNNEL = DnsTarget.cloudflareTunnel('0f6a1c5e-8f0b-4b52-9d1b-1a2b3c4d5e6f');

function textOf(output: DnsOutput, props: Partial<TenantDnsProps> = {}): string {
  const files = output.files(tenantDns({ ...ONE, ...props }));
  expect(files).toHaveLength(1);
  return files[0].text;
}

describe('zone files', () => {
  test('have a serial that changes with the content and with nothing else', () => {
    const serial = (props: Partial<TenantDnsProps>) =>
      /(\d+) ; serial/.exec(DnsOutput.bind({ nameServers: ['ns1.example.com'] }).files(tenantDns({ ...ONE, ...props }))[0].text)![1];
    expect(serial({})).toBe(serial({}));
    expect(serial({ ttlSeconds: 301 })).not.toBe(serial({}));
    expect(Number(serial({}))).toBeGreaterThan(0);
  });

  test('hold the records alone without name servers', () => {
    expect(DnsOutput.bind().files(tenantDns({ ...ONE, wildcardDomains: ['k8s.example.com'] }))[0]).toEqual({
      name: 'k8s.example.com.zone',
      text: '$ORIGIN k8s.example.com.\n* 300 IN A 10.0.0.50\n* 300 IN AAAA fd00::50\n',
    });
  });

  test.each<[string, () => unknown, RegExp]>([
    ['several name servers and no serial', () => DnsOutput.bind({ nameServers: ['ns1.example.com', 'ns2.example.com'] }), /serial: is not set, .*git rev-list --count HEAD/],
    ['a serial that is none', () => DnsOutput.bind({ serial: 2 ** 32 }), /serial: 4294967296 is not a serial/],
    ['a name server with a final dot', () => DnsOutput.bind({ nameServers: ['ns1.example.com.'] }), /nameServers\[0\]: .* ends with a dot/],
    ['a refresh time of nothing', () => DnsOutput.bind({ refreshSeconds: 0 }), /refreshSeconds: 0 is not a time to live/],
    ['a name server in the zone without an address', () => DnsOutput.bind({ nameServers: ['ns1.k8s.example.com'] }).files(tenantDns()),
      /nameServers: "ns1\.k8s\.example\.com" lies in the zone "k8s\.example\.com" but has no address there\. Give its addresses in additionalNames/],
    ['a name server that is a canonical name\'s alias', () => DnsOutput.bind({ nameServers: ['tenant-01.k8s.example.com'] })
      .files(tenantDns({ target: DnsTarget.canonicalName('lb.example.com') })), /nameServers: .* has a CNAME record .* name servers need addresses/],
    ['a canonical name that its zone lacks', () => DnsOutput.bind({ nameServers: ['ns1.example.com'] })
      .files(tenantDns({ target: DnsTarget.canonicalName('lb.k8s.example.com') })), /^target: "lb\.k8s\.example\.com" is the canonical name of .* has no record there/],
  ])('refuse %s', (_, work, message) => {
    expect(work).toThrow(message);
  });
});

describe('the script for Windows Server', () => {
  const callsIn = (text: string) => text.split('\r\n').filter(line => /^(Set-Record|Add-MissingZone) /.test(line));

  test('adds the zones and sets every record', () => {
    expect(callsIn(textOf(DnsOutput.windowsServer(), { wildcardDomains: ['k8s.example.com'] }))).toEqual([
      'Add-MissingZone \'k8s.example.com\' @{ ZoneFile = \'k8s.example.com.dns\' }',
      'Set-Record \'k8s.example.com\' \'*\' \'A\' 300 @(\'10.0.0.50\') @(\'CNAME\')',
      'Set-Record \'k8s.example.com\' \'*\' \'AAAA\' 300 @(\'fd00::50\') @(\'CNAME\')',
      'Add-MissingZone \'konnectivity.example.com\' @{ ZoneFile = \'konnectivity.example.com.dns\' }',
      'Set-Record \'konnectivity.example.com\' \'a\' \'A\' 300 @(\'10.0.0.50\') @(\'CNAME\')',
      'Set-Record \'konnectivity.example.com\' \'a\' \'AAAA\' 300 @(\'fd00::50\') @(\'CNAME\')',
    ]);
  });

  test('writes canonical names absolutely, and replicates zones by Active Directory', () => {
    const text = textOf(DnsOutput.windowsServer({ computerName: 'dc-01', replicationScope: DnsReplicationScope.FOREST }),
      { target: DnsTarget.canonicalName('lb.example.net') });
    expect(text).toContain('$Server = @{ ComputerName = \'dc-01\' }');
    expect(callsIn(text).slice(0, 2)).toEqual([
      'Add-MissingZone \'k8s.example.com\' @{ ReplicationScope = \'Forest\' }',
      'Set-Record \'k8s.example.com\' \'a\' \'CNAME\' 300 @(\'lb.example.net.\') @(\'A\', \'AAAA\')',
    ]);
  });

  test('is ASCII, as Windows PowerShell reads files without a mark in the code page of the machine', () => {
    expect(textOf(DnsOutput.windowsServer())).toMatch(/^[\x09\x0a\x0d\x20-\x7e]*$/);
  });

  test('names no machine that could be a command', () => {
    expect(() => DnsOutput.windowsServer({ computerName: '\' ; evil' })).toThrow(/computerName: .* is not the name of a machine/);
  });
});

describe('the import file for Infoblox', () => {
  test('has a header before the records of each type', () => {
    expect(textOf(DnsOutput.infoblox({ view: 'internal', comment: 'tenants, "prod"', createZones: true }), { zones: ['example.com'], wildcardDomains: ['k8s.example.com'] }))
      .toBe([
        'header-authzone,fqdn*,zone_format*,view,comment',
        'authzone,example.com,FORWARD,internal,"tenants, ""prod"""',
        'header-arecord,fqdn*,address*,view,ttl,comment',
        'arecord,*.k8s.example.com,10.0.0.50,internal,300,"tenants, ""prod"""',
        'arecord,a.konnectivity.example.com,10.0.0.50,internal,300,"tenants, ""prod"""',
        'header-aaaarecord,fqdn*,address*,view,ttl,comment',
        'aaaarecord,*.k8s.example.com,fd00::50,internal,300,"tenants, ""prod"""',
        'aaaarecord,a.konnectivity.example.com,fd00::50,internal,300,"tenants, ""prod"""',
        '',
      ].join('\r\n'));
  });

  test('has canonical names', () => {
    expect(textOf(DnsOutput.infoblox(), { target: DnsTarget.canonicalName('lb.example.net') }))
      .toContain('header-cnamerecord,fqdn*,canonical_name*,view,ttl,comment\r\ncnamerecord,a.k8s.example.com,lb.example.net,,300,\r\n');
  });
});

describe('the import files for Cloudflare', () => {
  test('have the names of a tunnel proxied', () => {
    expect(DnsOutput.cloudflare().files(tenantDns({ ...ONE, target: TUNNEL, wildcardDomains: ZONES }))[0]).toEqual({
      name: 'k8s.example.com.cloudflare-proxied.txt',
      text: [
        '; Import with "Proxy imported DNS records" on.',
        '$ORIGIN k8s.example.com.',
        '* 300 IN CNAME 0f6a1c5e-8f0b-4b52-9d1b-1a2b3c4d5e6f.cfargotunnel.com.',
        '',
      ].join('\n'),
    });
  });

  test('have addresses not proxied, beside a tunnel too', () => {
    const dns = tenantDns({ ...ONE, target: TUNNEL, additionalNames: [{ name: 'b.k8s.example.com', target: DnsTarget.addresses(['203.0.113.10']) }] });
    const files = DnsOutput.cloudflare().files(dns).filter(({ name }) => name.startsWith('k8s.'));
    expect(files.map(({ name }) => name).sort()).toEqual(['k8s.example.com.cloudflare-dns-only.txt', 'k8s.example.com.cloudflare-proxied.txt']);
    expect(files.find(({ name }) => name.includes('dns-only'))!.text).toContain('off.\n$ORIGIN k8s.example.com.\nb 300 IN A 203.0.113.10\n');
  });

  test('are refused when Cloudflare would not import them', () => {
    expect(() => DnsOutput.cloudflare().files(tenantDns({ target: DnsTarget.annotatedObject() }))).toThrow(/^target: holds no address for Cloudflare/);
    const exposures = Array.from({ length: 5000 }, (_, i) => exposure(`tenant-${i}`));
    expect(() => DnsOutput.cloudflare().files(tenantDns({ exposures, target: TUNNEL }))).toThrow(/^zones: "k8s\.example\.com" has records of \d+ bytes; Cloudflare imports 262144/);
  });
});

describe('the table of forwarded ports', () => {
  const rows = (internalAddresses: string[], props: Partial<TenantDnsProps> = {}) => textOf(DnsOutput.portForwards({ internalAddresses }), props)
    .split('\n').filter(line => /^\| (allow|forward)/.test(line));

  test('has each port of the routes at each public address', () => {
    const two = [exposure('a'), exposure('b', { port: 6443, konnectivity: { port: 8132 } })];
    expect(rows(['10.0.0.50'], { exposures: two, target: DnsTarget.addresses(['203.0.113.10']) })).toEqual([
      '| forward | 203.0.113.10 | 443 | 10.0.0.50 | 443 |',
      '| forward | 203.0.113.10 | 6443 | 10.0.0.50 | 6443 |',
      '| forward | 203.0.113.10 | 8132 | 10.0.0.50 | 8132 |',
    ]);
  });

  test('pairs addresses in their order, and lets IPv6 through', () => {
    expect(rows(['10.0.0.50', '10.0.0.51'], { target: DnsTarget.addresses(['203.0.113.10', '203.0.113.11', '2001:db8::1']) })).toEqual([
      '| forward | 203.0.113.10 | 443 | 10.0.0.50 | 443 |',
      '| forward | 203.0.113.11 | 443 | 10.0.0.51 | 443 |',
      '| allow | 2001:db8::1 | 443 | – | – |',
    ]);
  });

  test.each<[string, string[], DnsTarget, RegExp]>([
    ['no address of the public one\'s family', ['fd00::50'], DnsTarget.addresses(['203.0.113.10', '2001:db8::1']), /internalAddresses: .* has no IPv4 address for the public address 203\.0\.113\.10/],
    ['an address of the wrong family', ['10.0.0.50', 'fd00::50'], DnsTarget.addresses(['203.0.113.10']), /internalAddresses: \["fd00::50"\] is of the family IPv6, of which there is no public address/],
    ['too few addresses', ['10.0.0.50', '10.0.0.51'], DnsTarget.addresses(['203.0.113.10']), /internalAddresses: .* are 2 IPv4 addresses for 1 public ones/],
    ['no public address', [], DnsTarget.canonicalName('lb.example.net'), /^target: "lb\.example\.net" is no public address/],
    ['a name', ['lb'], DnsTarget.addresses(['203.0.113.10']), /internalAddresses\[0\]: "lb" is not an IP address/],
  ])('refuses %s', (_, internalAddresses, target, message) => {
    expect(() => rows(internalAddresses, { target })).toThrow(message);
  });
});

describe('the note for Cloudflare Zero Trust', () => {
  test('routes the addresses and sends the zones to the private DNS servers', () => {
    const text = textOf(DnsOutput.cloudflareZeroTrust({ dnsServers: ['10.0.0.53'] }));
    for (const line of ['tunnel route ip add 10.0.0.50/32', 'tunnel route ip add fd00::50/128', 'tunnel route ip add 10.0.0.53/32',
      'k8s.example.com: 10.0.0.53', 'konnectivity.example.com: 10.0.0.53', 'allow TCP port 443', '- a.konnectivity.example.com']) {
      expect(text).toContain(line);
    }
  });

  test('refuses a name where networks are asked for', () => {
    expect(() => textOf(DnsOutput.cloudflareZeroTrust(), { target: DnsTarget.canonicalName('lb.example.net') })).toThrow(/^target: "lb\.example\.net" is no address/);
    expect(() => DnsOutput.cloudflareZeroTrust({ dnsServers: ['dns.example.net'] })).toThrow(/dnsServers\[0\]: "dns\.example\.net" is not an IP address/);
  });
});

describe('every output', () => {
  const OUTPUTS: [string, DnsOutput][] = [
    ['bind', DnsOutput.bind()], ['coreDns', DnsOutput.coreDns()], ['dnsmasq', DnsOutput.dnsmasq()], ['piHole', DnsOutput.piHole()],
    ['windowsServer', DnsOutput.windowsServer()], ['infoblox', DnsOutput.infoblox()], ['portForwards', DnsOutput.portForwards({ internalAddresses: ['10.1.1.1'] })],
    ['cloudflareZeroTrust', DnsOutput.cloudflareZeroTrust()],
  ];

  test.each(OUTPUTS)('%s: names each zone or host, and is the same twice', (_, output) => {
    const files = (): DnsFile[] => output.files(tenantDns({ ...ONE }));
    expect(files()).toEqual(files());
    expect(files().every(({ text }) => text.endsWith('\n'))).toBe(true);
  });

  test.each(OUTPUTS)('%s: refuses a target that it cannot lead anybody to', (_, output) => {
    expect(() => textOf(output, { target: DnsTarget.annotatedObject() })).toThrow(/target: (holds no address|is no address)/);
    expect(() => textOf(output, { target: TUNNEL })).toThrow(/^target: ".*cfargotunnel\.com" is (the name of a Cloudflare Tunnel|no address)/);
  });

  test('writes its files into a folder that it makes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dns-'));
    try {
      const paths = DnsOutput.bind().writeFiles(tenantDns(), join(folder, 'a', 'b'));
      expect(paths).toEqual(ZONES.map(zone => join(folder, 'a', 'b', `${zone}.zone`)));
      expect(readFileSync(paths[0], 'utf8')).toContain('tenant-01 300 IN A 10.0.0.50');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('may be of a user\'s own', () => {
    class HostsFile extends DnsOutput {
      public files(dns: TenantDns): DnsFile[] {
        return [{ name: 'hosts', text: dns.hosts.map(host => `${dns.target.ipv4[0]} ${host}\n`).join('') }];
      }
    }
    expect(new HostsFile().files(tenantDns(ONE))[0].text).toBe('10.0.0.50 a.k8s.example.com\n10.0.0.50 a.konnectivity.example.com\n');
  });
});
