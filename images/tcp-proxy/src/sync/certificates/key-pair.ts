import { createPrivateKey, X509Certificate } from 'crypto';
import { parseCertificates } from './authority';
import type { SecretData } from './clusters';
import { TLS_FILES } from '../../../../../src/agent/contract/paths';
import { CertificateError } from '../../certificates/certificate-pair';

/** A serving certificate and its key, checked to belong together. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
  /** The certificate and those that lead from it to an authority. */
  readonly chain: readonly X509Certificate[];
}

/** The keys of a Secret that hold the two halves of a pair. */
export interface PairKeys {
  readonly certificateKey: string;
  readonly privateKeyKey: string;
}

/** The keys of a Secret of type `kubernetes.io/tls`. */
export const TLS_KEYS: PairKeys = { certificateKey: TLS_FILES.certificate, privateKeyKey: TLS_FILES.key };

/** @throws CertificateError when a half is missing or unreadable, or they do not belong together */
export function readPair(secret: SecretData, { certificateKey, privateKeyKey }: PairKeys): KeyPair {
  const certificate = readText(secret, certificateKey);
  const key = readText(secret, privateKeyKey);
  const chain = parseCertificates(certificate, certificateKey);
  let matches: boolean;
  try {
    matches = chain[0].checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw new CertificateError(`${privateKeyKey} holds no private key that can be read (${(error as Error).message})`);
  }
  if (!matches) throw new CertificateError(`${privateKeyKey} does not belong to the certificate in ${certificateKey}`);
  return { certificate, key, chain };
}

/** Dozens of certificates, with some room; tenants write Secrets, too. */
const LONGEST_TEXT = 256 * 2 ** 10;

/** @throws CertificateError when the Secret has no such key, or more under it than certificates and keys need */
export function readText({ data = {} }: SecretData, key: string): string {
  if (!data[key]) throw new CertificateError(`has no ${key}; there is ${Object.keys(data).sort().join(', ') || 'nothing in it'}`);
  if (data[key].length > LONGEST_TEXT) throw new CertificateError(`has a ${key} of more than ${LONGEST_TEXT} characters`);
  return Buffer.from(data[key], 'base64').toString('utf8');
}
