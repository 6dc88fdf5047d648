import { X509Certificate } from 'crypto';
import { stopParts } from '../../../test/data-path/support/parts';
import { CertificateAuthority } from '../../../test/support/certificates';
import { describeWithHaproxy } from '../../../test/support/haproxy';
import { TlsConnection } from '../../src/live/connection';
import { checkChain } from '../../src/live/hops/certificate';
import { startSharedAddress } from '../support/shared-address';
import { Examination, Tenant } from '../support/tenant';

jest.setTimeout(60_000);

afterEach(stopParts);

const DAY_MS = 86_400_000;
const IN_CLUSTER_NAMES = ['kubernetes', 'kubernetes.default.svc'];

async function examine(tenant: Tenant, changes: Parameters<typeof Examination.of>[2] = {}): Promise<Examination> {
  return Examination.of(tenant, await startSharedAddress({ routes: tenant.routes }), changes);
}

describeWithHaproxy('the doctor, where certificates are checked', () => {
  test('names the SAN that is missing', async () => {
    const tenant = await Tenant.create('tenant-01', { certificate: { sans: IN_CLUSTER_NAMES } });
    const examination = await examine(tenant);
    expect(examination.failed).toEqual(['sans', 'konnectivity-certificate']);
    expect(examination.hop('sans')).toMatchObject({
      detail: 'no SAN for tenant-01.k8s.example.com; it has kubernetes, kubernetes.default.svc',
      remedy: 'add tenant-01.k8s.example.com to the SANs of the control plane (certSANs, api.sans), without a port',
    });
  });

  test('takes no common name for a SAN, as clients do not', async () => {
    const tenant = await Tenant.create('tenant-01', { certificate: { commonName: 'tenant-01.k8s.example.com', sans: [] } });
    expect((await examine(tenant)).hop('sans').status).toBe('failed');
  });

  test('warns of SANs that the manifests have and the certificate has not', async () => {
    const tenant = await Tenant.create('tenant-01');
    expect((await examine(tenant, { sans: ['kubernetes', 'api.example.org', '192.0.2.7'] })).hop('sans')).toMatchObject({
      status: 'warning', detail: 'no SAN for api.example.org, 192.0.2.7',
    });
  });

  test('tells that a certificate has expired, also without a CA', async () => {
    const certificate = { notBefore: new Date('2024-01-01T00:00:00Z'), notAfter: new Date('2025-01-01T00:00:00Z') };
    const tenant = await Tenant.create('tenant-01', { certificate });
    const examination = await examine(tenant, { ca: undefined });
    expect(examination.failed).toEqual(['chain', 'konnectivity-certificate']);
    expect(examination.hop('chain').detail).toBe('expired at 2025-01-01T00:00:00Z');
    expect(examination.hop('chain').certificate).toEqual({ validUntil: '2025-01-01T00:00:00Z' });
    // Who issued it does not show: OpenSSL complains of the time first.
    expect((await examine(tenant)).hop('chain').certificate).toEqual({ validUntil: '2025-01-01T00:00:00Z' });
  });

  test('tells that a certificate is not valid yet', async () => {
    const notBefore = new Date(Date.now() + DAY_MS);
    const tenant = await Tenant.create('tenant-01', { certificate: { notBefore, notAfter: new Date(Date.now() + 2 * DAY_MS) } });
    expect((await examine(tenant)).hop('chain')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/^not valid before/) });
  });

  test('warns before a certificate expires', async () => {
    const certificate = { notBefore: new Date(Date.now() - 300 * DAY_MS), notAfter: new Date(Date.now() + 3 * DAY_MS) };
    const tenant = await Tenant.create('tenant-01', { certificate });
    expect((await examine(tenant)).hop('chain')).toMatchObject({ status: 'warning', remedy: 'renew it: less than 14 days are left' });
  });

  test('tells that the CA is another one', async () => {
    const tenant = await Tenant.create('tenant-01');
    const other = await CertificateAuthority.create('somebody else', 'ecdsa');
    const examination = await examine(tenant, { ca: other.certificate });
    expect(examination.failed).toEqual(['chain', 'konnectivity-certificate']);
    expect(examination.hop('chain').detail).toMatch(/^the given CA does not vouch for it \(.+\): issued by "CN=kubernetes"$/);
    expect(examination.hop('chain').certificate).toMatchObject({ trusted: false });
  });

  test('tells until when each server has its certificate, for programs too', async () => {
    const notAfter = new Date('2099-01-01T00:00:00Z');
    const examination = await examine(await Tenant.create('tenant-01', { certificate: { notAfter } }));
    const certificates = examination.results.flatMap(({ hop, certificate }) => certificate ? [[hop, certificate]] : []);
    expect(certificates).toEqual(['chain', 'konnectivity-certificate'].map(hop => [hop, { validUntil: '2099-01-01T00:00:00Z', trusted: true }]));
  });

  test('leaves the chain out without a CA', async () => {
    const tenant = await Tenant.create('tenant-01');
    const examination = await examine(tenant, { ca: undefined });
    expect(examination.failed).toEqual([]);
    expect(examination.hop('chain').status).toBe('skipped');
  });

  test('warns where h2 is not chosen', async () => {
    const tenant = await Tenant.create('tenant-01', { protocols: ['http/1.1'] });
    const examination = await examine(tenant);
    expect(examination.failed).toEqual([]);
    expect(examination.hop('alpn')).toMatchObject({ status: 'warning', detail: 'http/1.1 is chosen where h2 is offered' });
  });

  test('tells that clients with http/1.1 alone are refused', async () => {
    const tenant = await Tenant.create('tenant-01', { protocols: ['h2'] });
    const examination = await examine(tenant);
    expect(examination.hop('alpn')).toMatchObject({ status: 'failed', detail: expect.stringMatching(/no application protocol/) });
  });

  test('cannot be steered by names in a certificate', async () => {
    const tenant = await Tenant.create('tenant-01', {
      certificate: { commonName: '\u001b]0;owned\u0007\u001b[31m\u202eevil', sans: ['a.example.com'] },
    });
    const { detail } = (await examine(tenant, { ca: undefined })).hop('sni');
    expect(detail).toMatch(/owned/);
    // eslint-disable-next-line no-control-regex
    expect(detail).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

test('a certificate whose time cannot be read is no crash, and no pass', () => {
  const certificate = { validFrom: 'Bad time value', validTo: 'Bad time value', issuer: 'CN=x' } as X509Certificate;
  expect(checkChain({ certificate } as TlsConnection, true)).toMatchObject({ status: 'failed', detail: 'its time of validity cannot be read', certificate: undefined });
});
