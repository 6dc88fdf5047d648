import { createHash, createPrivateKey, KeyObject, X509Certificate } from 'crypto';
import { CertificateError } from '../../certificates/certificate-pair';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Tenants write bundles, too: this many are parsed, and tried as issuers of each other, in a few milliseconds. */
const MOST_CERTIFICATES = 64;

/**
 * A certificate of a certificate authority.
 *
 * `id` names the authority that it is of: subject and key. A certificate that renews another with the same key has the
 * same `id`, and what one signed is verified by the other.
 */
export interface AuthorityCertificate {
  readonly id: string;
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
  readonly notAfter: Date;
  readonly pem: string;
  readonly x509: X509Certificate;
}

/** An authority that can sign. */
export interface SigningAuthority {
  readonly certificate: AuthorityCertificate;
  readonly key: KeyObject;
}

/**
 * The certificates in a bundle, each once, in their order.
 *
 * @param title says in errors where the bundle is from
 * @param known are parsed already: parsing is most of the work for a tenant that needs none
 * @throws CertificateError when there is none, or one does not parse
 */
export function parseAuthorities(pem: string, title: string, known: readonly AuthorityCertificate[] = []): AuthorityCertificate[] {
  const certificates = pemBlocks(pem, title).map((block, i) =>
    known.find(other => other.pem === block) ?? authorityCertificate(block, parseCertificate(block, i, title)));
  return certificates.filter(({ fingerprint }, i) => certificates.findIndex(other => other.fingerprint === fingerprint) === i);
}

/**
 * The certificates in a PEM text, in their order.
 *
 * @throws CertificateError when there is none, or one does not parse
 */
export function parseCertificates(pem: string, title: string): X509Certificate[] {
  return pemBlocks(pem, title).map((block, i) => parseCertificate(block, i, title));
}

/**
 * The authority whose key it is, among those of a bundle: the rest of it are authorities of before or to come.
 *
 * @throws CertificateError when the key is unreadable, or of none of them
 */
export function signingAuthority(authorities: AuthorityCertificate[], keyPem: string, title: string): SigningAuthority {
  let key: KeyObject;
  try {
    key = createPrivateKey(keyPem);
  } catch (error) {
    throw new CertificateError(`${title} holds no private key that can be read (${(error as Error).message})`);
  }
  const own = authorities.filter(({ x509 }) => x509.checkPrivateKey(key)).sort((a, b) => b.notAfter.getTime() - a.notAfter.getTime());
  if (own.length === 0) throw new CertificateError(`${title} is the private key of none of the certificates beside it`);
  if (!own[0].x509.ca) throw new CertificateError(`the certificate of ${title} is not that of a certificate authority`);
  return { certificate: own[0], key };
}

/** Which authority issued a certificate, if it is one of these. */
export function issuerOf(certificate: X509Certificate, authorities: readonly AuthorityCertificate[]): AuthorityCertificate | undefined {
  return authorities.find(({ x509 }) => certificate.checkIssued(x509) && certificate.verify(x509.publicKey));
}

/** Found in one pass: looking for the end of a block anew from each beginning would take minutes for a text of beginnings. */
function pemBlocks(pem: string, title: string): string[] {
  const blocks: string[] = [];
  for (let begin = pem.indexOf(BEGIN), end; begin >= 0; begin = pem.indexOf(BEGIN, end)) {
    end = pem.indexOf(END, begin);
    if (end < 0) break;
    end += END.length;
    blocks.push(`${pem.slice(begin, end)}\n`);
    if (blocks.length > MOST_CERTIFICATES) throw new CertificateError(`${title} holds more than ${MOST_CERTIFICATES} certificates`);
  }
  if (blocks.length === 0) throw new CertificateError(`${title} holds no certificate in PEM form`);
  return blocks;
}

function parseCertificate(block: string, index: number, title: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (error) {
    throw new CertificateError(`certificate ${index + 1} of ${title} cannot be read (${(error as Error).message})`);
  }
}

function authorityCertificate(pem: string, x509: X509Certificate): AuthorityCertificate {
  const publicKey = x509.publicKey.export({ type: 'spki', format: 'der' });
  return {
    id: createHash('sha256').update(`${x509.subject}\n`).update(publicKey).digest('hex'),
    fingerprint: x509.fingerprint256.replace(/:/g, '').toLowerCase(),
    notAfter: new Date(x509.validTo),
    pem,
    x509,
  };
}
