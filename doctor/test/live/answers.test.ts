import { stopParts } from '../../../test/data-path/support/parts';
import { describeWithHaproxy } from '../../../test/support/haproxy';
import { judgeVersion } from '../../src/live/hops/api';
import { startSharedAddress } from '../support/shared-address';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

describeWithHaproxy('the doctor, where servers answer', () => {
  test.each([401, 403])('takes status %s for the answer of an API server', async status => {
    const tenant = await Tenant.create('tenant-01');
    tenant.api.status = status;
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }));
    expect(examination.failed).toEqual([]);
    expect(examination.hop('version').detail).toBe(`the API server answers ${status}: it does not tell its version to anonymous clients`);
    expect(examination.hop('readyz').detail).toBe(`status ${status}: it does not tell anonymous clients`);
  });

  test('names what makes the API server not ready', async () => {
    const tenant = await Tenant.create('tenant-01');
    tenant.api.readyz = { status: 500, body: '[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac failed: reason withheld\nreadyz check failed\n' };
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }));
    expect(examination.hop('readyz')).toMatchObject({ status: 'failed', detail: 'status 500: etcd, poststarthook/rbac' });
    expect(examination.failed).toEqual(['readyz']);
  });

  test('tells that the API host leads to the konnectivity server', async () => {
    const tenant = await Tenant.create('tenant-01', { konnectivityProtocols: ['h2', 'http/1.1'] });
    const routes = { ...tenant.routes, [tenant.host]: tenant.konnectivityPort };
    expect((await Examination.of(tenant, await startSharedAddress({ routes }))).hop('version').status).toBe('failed');
  });
});

describeWithHaproxy('the doctor, where konnectivity is checked', () => {
  test('tells that its host has no route', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: { [tenant.host]: tenant.api.port } }));
    expect(examination.failed).toEqual(['konnectivity-sni']);
    expect(examination.hop('konnectivity-grpc')).toMatchObject({ status: 'skipped', detail: 'needs konnectivity-sni' });
  });

  test('tells that its host leads to the API server', async () => {
    const tenant = await Tenant.create('tenant-01');
    const routes = { ...tenant.routes, [tenant.konnectivityHost]: tenant.api.port };
    const examination = await Examination.of(tenant, await startSharedAddress({ routes }));
    expect(examination.failed).toEqual(['konnectivity-grpc']);
    expect(examination.hop('konnectivity-grpc').detail).toBe('the API server answers in its place');
  });

  test('tells that h2 does not come through', async () => {
    const tenant = await Tenant.create('tenant-01', { konnectivityProtocols: ['http/1.1'] });
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }));
    expect(examination.failed).toEqual(['konnectivity-grpc']);
    expect(examination.hop('konnectivity-grpc').detail).toBe('http/1.1 is chosen where h2 is offered');
  });

  test('tells that it has the host of the API', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: tenant.routes });
    const examination = await Examination.of(tenant, port, { konnectivity: { host: tenant.host, port } });
    expect(examination.hop('konnectivity-sni')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/one SNI cannot lead to two servers/) });
  });

  test('leaves it out where no host is known', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }), { konnectivity: undefined });
    expect(examination.hop('konnectivity-sni').status).toBe('skipped');
    expect(examination.failed).toEqual([]);
  });
});

describeWithHaproxy('the doctor, where nobody should be reached', () => {
  test('tells that a default backend gives this tenant to clients without SNI', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes, defaultPort: tenant.api.port }));
    expect(examination.failed).toEqual(['no-sni', 'unknown-sni', 'in-cluster-sni']);
    expect(examination.hop('no-sni').detail).toMatch(/^a client without SNI reaches this tenant/);
  });

  test('knows this tenant by the names of its certificate where there is no CA', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: tenant.routes, defaultPort: tenant.api.port });
    expect((await Examination.of(tenant, port, { ca: undefined })).hop('no-sni').detail).toMatch(/^a client without SNI reaches this tenant/);
  });

  test('tells that it gives another tenant away', async () => {
    const tenant = await Tenant.create('tenant-01');
    const other = await Tenant.create('tenant-02');
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes, defaultPort: other.api.port }));
    expect(examination.hop('no-sni').detail).toMatch(/^a client without SNI reaches the control plane of another tenant/);
  });

  test('tells that a wildcard takes unknown hosts', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: { ...tenant.routes, '*.k8s.example.com': tenant.api.port } });
    expect((await Examination.of(tenant, port)).failed).toEqual(['unknown-sni']);
  });

  test('lets everybody in where it is the address inside a tenant', async () => {
    const tenant = await Tenant.create('tenant-01');
    const inside = { host: 'kubernetes.default.svc', serverName: 'kubernetes.default.svc', konnectivity: undefined };
    const examination = await Examination.of(tenant, tenant.api.port, inside);
    expect(examination.failed).toEqual([]);
    expect(examination.hop('no-sni')).toMatchObject({ status: 'skipped', detail: 'inside a tenant every client may reach it' });
  });

  test('tells that a route has taken the name that all tenants use inside', async () => {
    const tenant = await Tenant.create('tenant-01');
    const other = await Tenant.create('tenant-02');
    const port = await startSharedAddress({ routes: { ...tenant.routes, 'kubernetes.default.svc': other.api.port } });
    expect((await Examination.of(tenant, port)).failed).toEqual(['in-cluster-sni']);
  });
});

describe('an answer of a server of the tenant that is not its API server', () => {
  test('is not laid to an ingress that opens TLS, as the CA vouches for it', () => {
    expect(judgeVersion({ status: 404, body: 'not here', contentType: '' }, true)).toMatchObject({
      status: 'failed', remedy: expect.stringMatching(/^TLS is not opened on the way, so another server of this tenant answers/),
    });
  });
});

describe('an answer to /version', () => {
  test.each([
    [400, 'Client sent an HTTP request to an HTTPS server.', 'speaks plain HTTP behind it'],
    [404, 'default backend - 404', 'a default backend answers'],
    [503, '', 'finds no backend'],
    [200, '<html>hello</html>', 'something opens TLS on the way'],
    [403, '<html>403</html>', 'something opens TLS on the way'],
  ])('with status %s and the text "%s" is not that of an API server', (status, body, remedy) => {
    expect(judgeVersion({ status, body, contentType: '' })).toMatchObject({ status: 'failed', remedy: expect.stringContaining(remedy) });
  });
});
