import { AuthorityCertificate, issuerOf, parseAuthorities, SigningAuthority, signingAuthority } from './authority';
import type { SecretData, SecretReader } from './clusters';
import { KeyPair, PairKeys, readPair, readText } from './key-pair';
import type { CertificateRequest } from '../../../../../src/agent/contract/bundle';
import { CertificateError } from '../../certificates/certificate-pair';

/** What the management cluster has for a request. */
export interface Sources {
  /** What the Secret of the tenant CA holds: one certificate, or two while it changes. */
  readonly authorities: readonly AuthorityCertificate[];
  /** The authority to issue from. */
  readonly signer?: SigningAuthority;
  /** The pair to copy. */
  readonly pair?: KeyPair;
}

/**
 * Reads the Secrets that a request names.
 *
 * @throws CertificateError, with the name of the Secret, when there is none or it cannot be used
 */
export async function readSources(request: CertificateRequest, management: SecretReader): Promise<Sources> {
  const { ca } = request;
  const readCa = (secret: SecretData) => parseAuthorities(readText(secret, ca.certificateKey), ca.certificateKey);
  if (request.kind === 'issue') {
    const { privateKeyKey } = request.ca;
    return use(management, ca.secretName, secret => {
      const authorities = readCa(secret);
      return { authorities, signer: signingAuthority(authorities, readText(secret, privateKeyKey), privateKeyKey) };
    });
  }
  const [authorities, pair] = await Promise.all([
    use(management, ca.secretName, readCa),
    use(management, request.source.secretName, secret => readPair(secret, request.source satisfies PairKeys)),
  ]);
  return { authorities, pair };
}

/** Which of the authorities a pair leads to. */
export function authorityOf({ chain }: KeyPair, authorities: readonly AuthorityCertificate[]): AuthorityCertificate | undefined {
  return chain.map(certificate => issuerOf(certificate, authorities)).find(issuer => issuer !== undefined);
}

async function use<Result>(management: SecretReader, name: string, read: (secret: SecretData) => Result): Promise<Result> {
  const secret = await management.secret(name);
  if (!secret) throw new CertificateError(`Secret "${name}" of the management cluster does not exist`);
  try {
    return read(secret);
  } catch (error) {
    if (error instanceof CertificateError) throw new CertificateError(`Secret "${name}" of the management cluster: ${error.message}`);
    throw error;
  }
}
