import { X509Certificate } from 'crypto';
import { CertificateAuthority } from '../../../../test/support/certificates';
import { whyNotTrusted } from '../../src/certificates/chain';

const NAMES = ['kubernetes.default.svc', '10.96.0.1', 'fd00:96::1'];
let ca: CertificateAuthority;

beforeAll(async () => {
  ca = await CertificateAuthority.create('kubernetes', 'ecdsa');
});

const leaf = async (issuer = ca, sans = NAMES) => new X509Certificate((await issuer.issue({ commonName: 'x', sans, keyType: 'ecdsa' })).certificate);
const authority = (of: CertificateAuthority) => new X509Certificate(of.certificate);

test('a leaf of one of the authorities, with all names, is trusted', async () => {
  const other = await CertificateAuthority.create('other', 'ecdsa');
  expect(whyNotTrusted([await leaf()], [authority(other), authority(ca)], NAMES)).toBeUndefined();
  expect(whyNotTrusted([await leaf()], [authority(other)], NAMES)).toBe('is issued by no valid CA of ca.crt');
  expect(whyNotTrusted([await leaf(ca, NAMES.slice(0, 1))], [authority(ca)], NAMES)).toBe('lacks 10.96.0.1, fd00:96::1');
});

test('a certificate that is trusted itself needs no issuer; one that is no CA issues nothing', async () => {
  const own = await leaf();
  expect(whyNotTrusted([own], [own], NAMES)).toBeUndefined();
  const other = await CertificateAuthority.create('other', 'ecdsa');
  expect(whyNotTrusted([await leaf(other), authority(other), await leaf()], [authority(ca)], NAMES)).toBe('is issued by no valid CA of ca.crt');
});
