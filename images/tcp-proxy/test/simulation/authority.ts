/* eslint-disable no-bitwise */
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

/** An authority that outlives the years that are simulated. */
export interface Authority {
  readonly certificate: string;
  readonly key: string;
}

const ECDSA = { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' };

/** Makes one, valid from the first to the second time. */
export async function makeAuthority(from: Date, until: Date): Promise<Authority> {
  const keys = await webcrypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['kubernetes'] }],
    keys,
    signingAlgorithm: ECDSA,
    notBefore: from,
    notAfter: until,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** A certificate with its key. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** Issues one for an end of a tunnel, valid from the first to the second time. */
export async function issuePair(authority: Authority, name: string, usage: 'server' | 'client', from: Date, until: Date): Promise<Pair> {
  const keys = await webcrypto.subtle.generateKey(ECDSA, true, ['sign', 'verify']) as webcrypto.CryptoKeyPair;
  const der = createPrivateKey(authority.key).export({ type: 'pkcs8', format: 'der' });
  const certificate = await x509.X509CertificateGenerator.create({
    subject: [{ CN: [name] }],
    issuer: new x509.X509Certificate(authority.certificate).subjectName,
    publicKey: keys.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', new Uint8Array(der), ECDSA, false, ['sign']),
    signingAlgorithm: ECDSA,
    notBefore: from,
    notAfter: until,
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage === 'server' ? 'serverAuth' : 'clientAuth']]),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  });
  return {
    certificate: `${certificate.toString('pem')}\n`,
    key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
