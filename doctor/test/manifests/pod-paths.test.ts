import { SYNTHESIZED } from './synthesized';
import { checkManifests, TenantPath } from '../../src/manifests/check';
import { doctor } from '../support/doctor';
import { hostedCluster } from '../support/fleet';
import { withFolder } from '../support/manifests';

jest.setTimeout(60_000);

const ALONE = 'the API server alone';
const WITH_KEY = 'the API server, and whoever has the serving key of the tcp-proxy in the tenant';

function yamlOf(platform: string): string {
  return SYNTHESIZED[platform]().map(object => JSON.stringify(object)).join('\n---\n');
}

function pathsOf(platform: string): Promise<TenantPath[]> {
  return withFolder({ 'a.yaml': yamlOf(platform) }, async folder => checkManifests([folder]).paths);
}

describe('how pods of a tenant reach the API server, by what the manifests say', () => {
  test('at an address or a port of their own, with what default/kubernetes holds', async () => {
    expect((await pathsOf('addresses')).map(({ name, path }) => ({ name, ...path }))).toEqual([
      { name: 'tenant-01', way: 'ipv6-address', endpoints: ['[2001:db8:1::10]:7443'], opensTls: false, apiServers: ALONE },
      { name: 'tenant-02', way: 'ipv6-address', endpoints: ['[2001:db8:1::20]:7443'], opensTls: false, apiServers: ALONE },
      { name: 'tenant-03', way: 'port', endpoints: ['203.0.113.10:30001'], opensTls: false, apiServers: ALONE },
    ]);
  });

  test.each([
    ['traefik', { way: 'tcp-proxy', opensTls: true, apiServers: WITH_KEY }],
    ['shared-gateway', { way: 'tcp-proxy', opensTls: false, apiServers: ALONE }],
    ['tunnel', { way: 'tunnel', opensTls: false, apiServers: ALONE }],
    ['pods by a port: traefik', { way: 'port', opensTls: false, apiServers: ALONE }],
  ])('of %s, whoever delivers the tenants', async (platform, path) => {
    const [tenant] = await pathsOf(platform);
    expect(tenant.path).toMatchObject(path);
  });

  test('by the proxy of an operator, of which nothing else is claimed', async () => {
    expect((await pathsOf('k0smotron')).map(({ path }) => [path?.way, path?.opensTls])).toContainEqual(['operator', undefined]);
  });

  test('by the proxies of HyperShift, which open nothing', async () => {
    const [tenant] = await withFolder({ 'a.yaml': hostedCluster('a', 'a.example.com', 30001) }, async folder => checkManifests([folder]).paths);
    expect(tenant.path).toEqual({ way: 'operator', endpoints: [], opensTls: false, apiServers: ALONE });
  });

  test('is one line for each tenant, and one for each way where there are many', async () => {
    const few = await withFolder({ 'a.yaml': yamlOf('addresses') }, folder => doctor(['manifests', folder]));
    expect(few.stdout).toMatch('\nPods of tenants/tenant-01: an IPv6 address of their own at the shared edge ([2001:db8:1::10]:7443); TLS is not opened; towards pods the API server alone can be the API server.\n');
    const many = Array.from({ length: 21 }, (_, i) => JSON.stringify(SYNTHESIZED.traefik().find(({ kind, metadata }) =>
      kind === 'TenantControlPlane' && metadata.name === 'tenant-01')).replace(/tenant-01/g, `tenant-1${i}`)).join('\n---\n');
    const { stdout } = await withFolder({ 'a.yaml': many }, folder => doctor(['manifests', folder]));
    expect(stdout).toMatch(/\nPods of 21 \(tenants\/tenant-10, .*, …\): these manifests do not say how they reach the API server\.\n/);
  });
});
