import { once } from 'events';
import { createServer } from 'http';
import { AddressInfo } from 'net';
import { DnsServer } from '../../../test/data-path/support/dns-server';
import { stopParts } from '../../../test/data-path/support/parts';
import { TlsServer } from '../../../test/data-path/support/tls-server';
import { describeWithHaproxy } from '../../../test/support/haproxy';
import { freePorts } from '../../../test/support/ports';
import { checkTcp } from '../../src/live/hops/reach';
import { startSharedAddress } from '../support/shared-address';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

describeWithHaproxy('the doctor, where SNI is routed', () => {
  test('finds nothing wrong with a path that works', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }));
    expect(examination.statuses).toEqual({
      'dns': 'ok',
      'tcp': 'ok',
      'sni': 'ok',
      'chain': 'ok',
      'sans': 'ok',
      'alpn': 'ok',
      'version': 'ok',
      'readyz': 'ok',
      'konnectivity-dns': 'ok',
      'konnectivity-sni': 'ok',
      'konnectivity-certificate': 'ok',
      'konnectivity-grpc': 'ok',
      'no-sni': 'ok',
      'unknown-sni': 'ok',
      'in-cluster-sni': 'ok',
      'proxy-protocol': 'skipped',
      'proxy-refusal': 'skipped',
      'admin-kubeconfig': 'skipped',
    });
    expect(examination.hop('version').detail).toBe('the API server answers: v1.31.0');
  });

  test('is content with an ingress that shows its own certificate to strangers', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: tenant.routes, ownCertificate: 'TRAEFIK DEFAULT CERT' });
    const examination = await Examination.of(tenant, port);
    expect(examination.failed).toEqual([]);
    expect(examination.hop('no-sni').detail).toBe('no tenant: the ingress shows "CN=TRAEFIK DEFAULT CERT"');
  });

  test.each([
    ['Kubernetes Ingress Controller Fake Certificate', 'ingress-nginx or HAProxy Ingress', '--enable-ssl-passthrough'],
    ['TRAEFIK DEFAULT CERT', 'Traefik', 'IngressRouteTCP with HostSNI(`tenant-01.k8s.example.com`) and tls.passthrough: true'],
    ['NGINXIngressController', 'F5 NGINX Ingress Controller', 'TransportServer'],
  ])('knows the certificate "%s" and what to do', async (name, product, remedy) => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, await startSharedAddress({ ownCertificate: name }));
    expect(examination.hop('sni')).toMatchObject({
      status: 'failed',
      detail: `the own certificate of the ingress answers (${product}): "CN=${name}"`,
      remedy: expect.stringContaining(remedy),
    });
    expect(examination.hop('version')).toEqual({ hop: 'version', status: 'skipped', detail: 'needs sni' });
    expect(examination.failed).toEqual(['sni', 'konnectivity-sni']);
  });

  test.each([
    ['with the CA', true, 'the control plane of another tenant answers', 'find the route'],
    ['without the CA', false, 'a control plane without this name answers', 'give --ca-file'],
  ])('tells that a route leads to another tenant, %s', async (_, withCa, detail, remedy) => {
    const tenant = await Tenant.create('tenant-01');
    const other = await Tenant.create('tenant-02');
    const port = await startSharedAddress({ routes: { ...tenant.routes, [tenant.host]: other.api.port } });
    const examination = await Examination.of(tenant, port, withCa ? {} : { ca: undefined });
    expect(examination.hop('sni')).toMatchObject({
      status: 'failed', detail: expect.stringContaining(detail), remedy: expect.stringContaining(remedy),
    });
  });

  test.each([true, false])('tells that TLS is opened with a certificate of somebody else (CA given: %s)', async withCa => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ reencrypt: { name: tenant.host, port: tenant.api.port } });
    const { status, detail, remedy } = (await Examination.of(tenant, port, withCa ? {} : { ca: undefined })).hop('sni');
    expect(status).toBe(withCa ? 'failed' : 'warning');
    expect(detail).toMatch(/^a certificate that no control plane issues answers: "CN=tenant-01/);
    expect(remedy).toMatch(/pass TLS through instead of opening it/);
  });

  test('tells that pods behind the route are down', async () => {
    const tenant = await Tenant.create('tenant-01');
    const [nobody] = await freePorts(1);
    const examination = await Examination.of(tenant, await startSharedAddress({ routes: { [tenant.host]: nobody } }));
    expect(examination.hop('sni')).toMatchObject({
      status: 'failed',
      detail: 'no TLS for tenant-01.k8s.example.com: closed the connection without an answer to the TLS handshake',
      remedy: expect.stringMatching(/knows no such host, or the pods behind it are down/),
    });
  });

  test('tells that nothing listens', async () => {
    const [nobody] = await freePorts(1);
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, nobody);
    expect(examination.hop('tcp')).toMatchObject({ status: 'failed', detail: `127.0.0.1:${nobody}: connection refused: nothing listens there` });
    expect(examination.hop('no-sni')).toMatchObject({ status: 'skipped', detail: 'needs tcp' });
  });

  test('checks konnectivity although the API does not answer', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: { [tenant.konnectivityHost]: tenant.konnectivityPort } });
    expect((await Examination.of(tenant, port)).failed).toEqual(['sni']);
  });
});

describe('the doctor, where no ingress is needed', () => {
  test('tells that the port is not for TLS', async () => {
    const tenant = await Tenant.create('tenant-01');
    const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const examination = await Examination.of(tenant, (server.address() as AddressInfo).port);
    server.closeAllConnections();
    server.close();
    expect(examination.hop('sni')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/not TLS/) });
  });

  test('shows an address of two that does not answer', async () => {
    const tenant = await Tenant.create('tenant-01');
    const target = { port: tenant.api.port, timeoutMs: 2_000 } as Parameters<typeof checkTcp>[1];
    const outcome = await checkTcp(['127.0.0.1', '127.0.0.2'], target);
    expect(outcome).toMatchObject({ status: 'warning', value: '127.0.0.1', detail: expect.stringMatching(/127\.0\.0\.2:\d+: connection refused/) });
  });

  test('tells that DNS does not answer', async () => {
    const tenant = await Tenant.create('tenant-01');
    const dns = await DnsServer.start();
    dns.answering = false;
    const examination = await Examination.of(tenant, tenant.api.port, { resolver: `127.0.0.1:${dns.port}`, timeoutMs: 300 });
    expect(examination.hop('dns')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^DNS fails for tenant-01\.k8s\.example\.com: /) });
    expect(examination.failed).toEqual(['dns', 'konnectivity-dns']);
  });

  test('needs a name: an address has no SNI', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await Examination.of(tenant, tenant.api.port, { host: '127.0.0.1', serverName: '127.0.0.1' });
    expect(examination.hop('dns').status).toBe('skipped');
    expect(examination.hop('sni')).toMatchObject({ status: 'failed', remedy: 'dial a host name, or set tls-server-name in the kubeconfig' });
  });

  test('expects no refusal at a port that leads to one tenant whatever the name', async () => {
    const tenant = await Tenant.create('tenant-01');
    const port = await startSharedAddress({ routes: tenant.routes, defaultPort: tenant.api.port });
    expect((await Examination.of(tenant, port)).failed).toEqual(['no-sni', 'unknown-sni', 'in-cluster-sni']);
    const examination = await Examination.of(tenant, port, { byPort: true });
    expect(examination.failed).toEqual([]);
    expect(examination.hop('no-sni')).toMatchObject({ status: 'skipped', detail: `port ${port} is this tenant's own: it leads there whatever the name` });
    expect(examination.hop('sni').status).toBe('ok');
  });

  test('takes no alert for an answer', async () => {
    const tenant = await Tenant.create('tenant-01');
    const strict = await TlsServer.start({ SNICallback: (_, done) => done(new Error('unknown')) }, socket => socket.destroy());
    expect((await Examination.of(tenant, strict.port)).hop('sni')).toMatchObject({ status: 'failed' });
  });
});
