/* eslint-disable no-bitwise */
import 'reflect-metadata';
import { createPrivateKey, createPublicKey, generateKeyPairSync, KeyObject, webcrypto, X509Certificate } from 'crypto';
import * as x509 from '@peculiar/x509';
import { KeyPair } from '../../../src/sync/certificates/key-pair';

x509.cryptoProvider.set(webcrypto);

const HOUR = 3_600_000;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };

export type AuthorityKey = 'rsa' | 'P-256' | 'P-384' | 'P-521';

export interface AuthorityOptions {
  /** @default kubernetes */
  readonly commonName?: string;
  /** @default P-256 */
  readonly key?: AuthorityKey;
  /** Keeps the key of another authority, as kubeadm does when it renews one. */
  readonly keyOf?: Authority;
  /** In hex; `null` leaves it out. @default - the SHA-1 of the key */
  readonly keyIdentifier?: string | null;
  /** @default - an hour ago */
  readonly notBefore?: Date;
  /** @default - in ten years */
  readonly notAfter?: Date;
}

/** A tenant CA as an operator keeps it. */
export interface Authority {
  readonly certificate: string;
  /** In PKCS#8. */
  readonly key: string;
  readonly privateKey: KeyObject;
}

export async function createAuthority(options: AuthorityOptions = {}): Promise<Authority> {
  const { commonName = 'kubernetes', key = 'P-256', keyOf, keyIdentifier } = options;
  const privateKey = keyOf?.privateKey ?? generate(key);
  const publicKey = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const algorithm = algorithmOf(privateKey);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const keys = {
    privateKey: await webcrypto.subtle.importKey('pkcs8', privateKey.export({ type: 'pkcs8', format: 'der' }), algorithm, true, ['sign']),
    publicKey: await webcrypto.subtle.importKey('spki', spki, algorithm, true, ['verify']),
  };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: algorithm,
    notBefore: options.notBefore ?? new Date(Date.now() - HOUR),
    notAfter: options.notAfter ?? new Date(Date.now() + 10 * 365 * 24 * HOUR),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      ...keyIdentifier === null ? [] : [
        keyIdentifier ? new x509.SubjectKeyIdentifierExtension(keyIdentifier) : await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    ],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    privateKey,
  };
}

/** What a Secret holds. */
export function secretOf(values: Record<string, string>): { data: Record<string, string> } {
  return { data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')])) };
}

export function pairOf(certificate: string, key: string): KeyPair {
  createPrivateKey(key);
  return { certificate, key, chain: [new X509Certificate(certificate)] };
}

function generate(key: AuthorityKey): KeyObject {
  return key === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey : generateKeyPairSync('ec', { namedCurve: key }).privateKey;
}

function algorithmOf(key: KeyObject): { name: string; hash: string; namedCurve?: string } {
  if (key.asymmetricKeyType === 'rsa') return RSA;
  const curve = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }[key.asymmetricKeyDetails!.namedCurve!];
  return { name: 'ECDSA', hash: 'SHA-256', namedCurve: curve };
}
