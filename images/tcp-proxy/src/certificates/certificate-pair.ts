import { createPrivateKey, X509Certificate } from 'crypto';

/** Why a certificate or a key cannot be used. */
export class CertificateError extends Error {
  public readonly name = 'CertificateError';
}

/** A serving certificate with its chain and its private key, checked to belong together. */
export interface CertificatePair {
  /** Chain, leaf first, and key, as HAProxy takes them on its socket. */
  readonly pem: string;
  /** The two as they are in the files. */
  readonly certificate: string;
  readonly key: string;
  /** SHA-1 of the leaf, upper case without colons, as HAProxy prints it. */
  readonly fingerprint: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Leaf first. */
  readonly chain: readonly X509Certificate[];
}

/** @throws CertificateError when a part does not parse or the key belongs to another certificate */
export function parsePair(certificatePem: string, keyPem: string): CertificatePair {
  const chain = parseCertificates(certificatePem, 'tls.crt');
  const [leaf] = chain;
  const key = attempt('tls.key: no private key that can be read', () => createPrivateKey(keyPem));
  if (!leaf.checkPrivateKey(key)) throw new CertificateError('tls.key does not belong to the certificate in tls.crt');
  return {
    pem: `${certificatePem.trim()}\n${keyPem.trim()}\n`,
    certificate: certificatePem,
    key: keyPem,
    fingerprint: fingerprint(leaf),
    notBefore: new Date(leaf.validFrom),
    notAfter: new Date(leaf.validTo),
    chain,
  };
}

/**
 * SHA-1 fingerprints of the certificates of a bundle.
 *
 * @throws CertificateError when there is none, or one does not parse
 */
export function bundleFingerprints(pem: string): string[] {
  return parseBundle(pem).map(fingerprint);
}

/**
 * The certificates of a bundle of authorities.
 *
 * @throws CertificateError when there is none, or one does not parse
 */
export function parseBundle(pem: string): X509Certificate[] {
  return parseCertificates(pem, 'ca.crt');
}

/** @throws CertificateError when what was accepted cannot be written */
export async function keeping(written: Promise<void>): Promise<void> {
  await written.catch((error: Error) => {
    throw new CertificateError(`cannot be kept for a restart of HAProxy: ${error.message}`);
  });
}

function parseCertificates(pem: string, name: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  if (!blocks) throw new CertificateError(`${name}: holds no certificate in PEM form`);
  return blocks.map((block, index) => attempt(`${name}: certificate ${index + 1} cannot be read`, () => new X509Certificate(block)));
}

function fingerprint(certificate: X509Certificate): string {
  return certificate.fingerprint.replace(/:/g, '');
}

function attempt<Result>(message: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new CertificateError(`${message} (${(error as Error).message})`);
  }
}
