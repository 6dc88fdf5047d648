import { spawnSync } from 'child_process';
import { writeFile } from 'fs/promises';
import { join } from 'path';
import { DnsOutput, DnsTarget, TenantDnsProps } from '../../src';
import { stopParts } from '../data-path/support/parts';
import { DnsServer } from '../dns/support/dns-servers';
import { exposure, tenantDns } from '../dns/support/tenants';

const V4 = ['10.0.0.50', '10.0.0.51'];
const V6 = ['fd00::50', 'fd00::51'];
const BOTH = { A: V4, AAAA: V6, CNAME: 'ENODATA' };
const MISSING = { A: 'ENOTFOUND', AAAA: 'ENOTFOUND', CNAME: 'ENOTFOUND' };

let binary: string;

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(join(__dirname, '..', '..', 'scripts', 'coredns.sh'), { encoding: 'utf8' });
  if (status !== 0) {
    throw new Error(stderr);
  }
  binary = stdout.trim();
});
afterEach(stopParts);

function coreDns(props: Partial<TenantDnsProps>): Promise<DnsServer> {
  return DnsServer.start(async (folder, port) => {
    const file = join(folder, 'Corefile');
    const [{ text }] = DnsOutput.coreDns({ port }).files(tenantDns(props));
    await writeFile(file, text.replace(/^ {4}errors$/gm, '$&\n    bind 127.0.0.1'));
    return [binary, '-conf', file];
  });
}

describe('a real CoreDNS', () => {
  test('answers for each tenant, and for nobody else', async () => {
    const server = await coreDns({ ttlSeconds: 120 });
    for (const host of ['tenant-01.k8s.example.com', 'tenant-02.konnectivity.example.com', 'Tenant-02.K8S.example.com']) {
      expect(await server.ask(host)).toEqual(BOTH);
    }
    for (const other of ['tenant-03.k8s.example.com', 'x.tenant-01.k8s.example.com', 'tenant-01xk8s.example.com.k8s.example.com']) {
      expect(await server.ask(other)).toEqual(MISSING);
    }
    expect(await server.ttlOf('tenant-01.k8s.example.com')).toBe(120);
  });

  test('answers a wildcard for every tenant, also one that comes later, but not for the domain itself', async () => {
    const server = await coreDns({ wildcardDomains: ['k8s.example.com'] });
    expect(await server.ask('tenant-01.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('tenant-99.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('k8s.example.com')).toEqual({ A: 'ENODATA', AAAA: 'ENODATA', CNAME: 'ENODATA' });
    expect(await server.ask('tenant-99.konnectivity.example.com')).toEqual(MISSING);
  });

  test('says that a name has no address of the family that the target lacks', async () => {
    const server = await coreDns({ target: DnsTarget.addresses(['10.0.0.50']), wildcardDomains: ['k8s.example.com'] });
    const expected = { A: ['10.0.0.50'], AAAA: 'ENODATA', CNAME: 'ENODATA' };
    expect(await server.ask('tenant-99.k8s.example.com')).toEqual(expected);
    expect(await server.ask('tenant-01.konnectivity.example.com')).toEqual(expected);
  });

  test('prefers the target of a name of its own over that of the wildcard', async () => {
    const server = await coreDns({
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [{ name: 'tenant-02.k8s.example.com', target: DnsTarget.addresses(['10.0.0.70']) }],
    });
    expect(await server.ask('tenant-02.k8s.example.com')).toEqual({ A: ['10.0.0.70'], AAAA: 'ENODATA', CNAME: 'ENODATA' });
  });

  test('follows a canonical name, of a wildcard too', async () => {
    const server = await coreDns({
      zones: ['example.com'],
      target: DnsTarget.canonicalName('lb.example.com'),
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [{ name: 'lb.example.com', target: DnsTarget.addresses(['10.0.0.60']) }],
    });
    const expected = { A: ['10.0.0.60'], CNAME: ['lb.example.com'] };
    expect(await server.ask('tenant-99.k8s.example.com')).toMatchObject(expected);
    expect(await server.ask('tenant-02.konnectivity.example.com')).toMatchObject(expected);
  });

  test('answers for each of a thousand tenants', async () => {
    const exposures = Array.from({ length: 1000 }, (_, i) => exposure(`tenant-${i}`));
    const server = await coreDns({ exposures });
    expect(await server.ask('tenant-999.k8s.example.com')).toEqual(BOTH);
    expect(await server.ask('tenant-1000.k8s.example.com')).toEqual(MISSING);
  });
});
