// The library registers its parts with decorators that need this first.
import 'reflect-metadata';
import { KeyObject, webcrypto, X509Certificate } from 'crypto';
import * as x509 from '@peculiar/x509';
import type { SigningAuthority } from './authority';
import type { KeyPair } from './key-pair';
import { canonicalAddress, CertificateNames } from './names';
import { CertificateError } from '../../certificates/certificate-pair';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Nodes and management cluster need not agree on the time to the second. */
const CLOCK_SKEW = 5 * MINUTE;
const LIFETIME = 90 * DAY;

const SERVING_KEY = { name: 'ECDSA', namedCurve: 'P-256' };
const EC_ALGORITHMS: Record<string, Omit<SignatureAlgorithm, 'name'>> = {
  prime256v1: { namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { namedCurve: 'P-521', hash: 'SHA-512' },
};

x509.cryptoProvider.set(webcrypto);

/** A signature in the words of Web Crypto. */
interface SignatureAlgorithm {
  readonly name: string;
  readonly hash: string;
  readonly namedCurve?: string;
}

export interface IssueOptions {
  readonly authority: SigningAuthority;
  readonly names: CertificateNames;
  readonly now: Date;
}

/**
 * Issues a serving certificate with a new ECDSA P-256 key: for 90 days, but no longer than the authority's own
 * certificate.
 *
 * @throws CertificateError when the authority has expired, or has a key that is neither RSA nor ECDSA on a NIST curve
 */
export async function issueServingCertificate({ authority, names, now }: IssueOptions): Promise<KeyPair> {
  const { certificate: ca, key } = authority;
  if (ca.notAfter <= now) {
    throw new CertificateError(`the tenant CA expired at ${ca.notAfter.toISOString()}, so nothing can be issued from it`);
  }
  const signingAlgorithm = signatureAlgorithm(key);
  const keys = await webcrypto.subtle.generateKey(SERVING_KEY, true, ['sign', 'verify']) as webcrypto.CryptoKeyPair;
  const issuer = new x509.X509Certificate(ca.pem);
  // The serial number is left to the library: 128 random bits.
  const certificate = await x509.X509CertificateGenerator.create({
    // As it is encoded there: Go compares the bytes of the two names.
    issuer: issuer.subjectName,
    subject: [{ CN: [commonName(issuer)] }],
    publicKey: keys.publicKey,
    signingKey: await webCryptoKey(key, signingAlgorithm),
    signingAlgorithm,
    notBefore: new Date(now.getTime() - CLOCK_SKEW),
    notAfter: new Date(Math.min(now.getTime() + LIFETIME, ca.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...authorityKeyIdentifier(issuer),
      new x509.SubjectAlternativeNameExtension([
        ...names.dnsNames.map(value => ({ type: 'dns' as const, value })),
        ...names.ipAddresses.map(address => ({ type: 'ip' as const, value: canonicalAddress(address) })),
      ]),
    ],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
    chain: [new X509Certificate(Buffer.from(certificate.rawData))],
  };
}

/** OpenSSL takes a certificate whose subject is that of its issuer for a self-signed one. */
function commonName(issuer: x509.X509Certificate): string {
  const name = 'tcp-proxy';
  return issuer.subject === `CN=${name}` ? `${name}-serving` : name;
}

/**
 * The identifier that the authority says it has. It cannot be computed from the key: Go, since 1.25, and others have
 * ways of their own, and verifiers refuse one that differs.
 */
function authorityKeyIdentifier(issuer: x509.X509Certificate): x509.Extension[] {
  const identifier = issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  return identifier === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(identifier)];
}

function webCryptoKey(key: KeyObject, algorithm: SignatureAlgorithm): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), algorithm, false, ['sign']);
}

function signatureAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SignatureAlgorithm {
  if (asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const { namedCurve = '' } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec' && EC_ALGORITHMS[namedCurve]) return { name: 'ECDSA', ...EC_ALGORITHMS[namedCurve] };
  throw new CertificateError(`the tenant CA has a key of type ${namedCurve || asymmetricKeyType}; ` +
    'sync signs with RSA, and with ECDSA on P-256, P-384 or P-521');
}
