/* eslint-disable no-bitwise */
import 'reflect-metadata';
import { createPrivateKey, KeyObject, webcrypto } from 'crypto';
import { isIP } from 'net';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

/** The two kinds of keys that Kubernetes certificates have in practice. */
export type KeyType = 'rsa' | 'ecdsa';

/** A certificate and its key, both PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** What a certificate is issued for. */
export interface IssueOptions {
  readonly commonName: string;
  /** Organization, e.g. `system:masters` in a client certificate. */
  readonly organization?: string;
  /** DNS names and IP addresses. */
  readonly sans?: string[];
  readonly keyType?: KeyType;
  /** @default - an hour ago */
  readonly notBefore?: Date;
  /** @default - in a day */
  readonly notAfter?: Date;
}

const ALGORITHMS = {
  rsa: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
  ecdsa: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
};
const HOUR = 3_600_000;

/** A certificate authority for tests, as kubeadm makes one for a cluster. */
export class CertificateAuthority {
  /** Makes one with a fresh key. */
  public static async create(commonName = 'kubernetes', keyType: KeyType = 'rsa'): Promise<CertificateAuthority> {
    const keys = await generateKeys(keyType);
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: [{ CN: [commonName] }],
      keys,
      signingAlgorithm: ALGORITHMS[keyType],
      ...validity({}),
      extensions: [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return new CertificateAuthority(certificate, keys, keyType);
  }

  /** One that somebody else made, with an RSA key. */
  public static async of({ certificate, key }: CertificatePair): Promise<CertificateAuthority> {
    const issuer = new x509.X509Certificate(certificate);
    const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
    const keys = {
      privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHMS.rsa, true, ['sign']),
      publicKey: await issuer.publicKey.export(),
    };
    return new CertificateAuthority(issuer, keys, 'rsa');
  }

  /** The certificate, PEM. */
  public readonly certificate: string;

  private constructor(
    private readonly issuer: x509.X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly keyType: KeyType,
  ) {
    this.certificate = `${issuer.toString('pem')}\n`;
  }

  /** The key, PEM (PKCS #8). */
  public async key(): Promise<string> {
    return KeyObject.from(this.keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  }

  /** Issues a certificate for servers and clients. */
  public async issue(options: IssueOptions): Promise<CertificatePair> {
    const keys = await generateKeys(options.keyType ?? 'rsa');
    const sans = options.sans ?? [];
    const certificate = await x509.X509CertificateGenerator.create({
      issuer: this.issuer.subject,
      subject: [...options.organization ? [{ O: [options.organization] }] : [], { CN: [options.commonName] }],
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHMS[this.keyType],
      ...validity(options),
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
        await x509.AuthorityKeyIdentifierExtension.create(this.issuer),
        ...sans.length > 0 ? [new x509.SubjectAlternativeNameExtension(sans.map(san => ({ type: isIP(san) ? 'ip' : 'dns', value: san })))] : [],
      ],
    });
    return {
      certificate: `${certificate.toString('pem')}\n`,
      key: KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string,
    };
  }
}

function generateKeys(keyType: KeyType): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHMS[keyType], true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
}

function validity({ notBefore, notAfter }: Pick<IssueOptions, 'notBefore' | 'notAfter'>): { notBefore: Date; notAfter: Date } {
  return { notBefore: notBefore ?? new Date(Date.now() - HOUR), notAfter: notAfter ?? new Date(Date.now() + 24 * HOUR) };
}
