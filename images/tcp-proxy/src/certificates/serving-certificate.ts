import type { X509Certificate } from 'crypto';
import { readFile } from 'fs/promises';
import { join } from 'path';
import { CertificateError, CertificatePair, keeping, parseBundle, parsePair } from './certificate-pair';
import type { CertificatePart } from './certificate-sync';
import { whyNotTrusted } from './chain';
import { SERVING_CERTIFICATE } from '../../../../src/agent/contract/haproxy-names';
import { TLS_FILES } from '../../../../src/agent/contract/paths';
import type { RuntimeApi } from '../haproxy/runtime-api';

export interface ServingCertificateOptions {
  /** The mounted Secret, with `tls.crt` and `tls.key`. */
  readonly folder: string;
  /** The authorities of the tenant cluster: what pods trust. */
  readonly caFile: string;
  /** Names and addresses that pods call the API server by. */
  readonly names: readonly string[];
  readonly runtime: RuntimeApi;
  /** Puts an accepted pair where HAProxy reads it when it starts. */
  readonly keep: (certificate: string, key: string) => Promise<void>;
}

/** The pair in the mounted Secret, which HAProxy serves if pods would take it for that of the API server. */
export class ServingCertificate implements CertificatePart {
  public readonly kind = 'serving';
  public readonly title = 'serving certificate';
  private served?: CertificatePair;

  constructor(private readonly options: ServingCertificateOptions) {}

  public get folder(): string {
    return this.options.folder;
  }

  /** When the certificate that HAProxy serves expires; undefined while none is known. */
  public readonly notAfter = (): Date | undefined => this.served?.notAfter;
  /** Since when it is valid. */
  public readonly notBefore = (): Date | undefined => this.served?.notBefore;

  /** @throws CertificateError when the pair in the folder cannot be served */
  public async check(): Promise<void> {
    const pair = await this.read();
    this.verify(pair, await this.authorities());
    await this.keep(pair);
  }

  /**
   * Makes HAProxy serve the pair in the folder, without a reload and without harm to open connections.
   *
   * @returns whether HAProxy served another one before
   * @throws CertificateError when the pair is unusable; HAProxy goes on with the one before
   */
  public async reconcile(): Promise<boolean> {
    const { runtime } = this.options;
    const [pair, authorities] = [await this.read(), await this.authorities()];
    const fingerprint = await runtime.certificateFingerprint(SERVING_CERTIFICATE.name);
    const current = fingerprint === pair.fingerprint && (!this.served || this.served.pem === pair.pem);
    // What is served already goes on, whatever became of it: there is nothing better.
    if (current) this.served = pair;
    this.verify(pair, authorities);
    if (current) return false;
    await runtime.replaceCertificate(SERVING_CERTIFICATE.name, pair.pem);
    await this.keep(pair);
    return true;
  }

  private async keep(pair: CertificatePair): Promise<void> {
    await keeping(this.options.keep(pair.certificate, pair.key));
    this.served = pair;
  }

  private async read(): Promise<CertificatePair> {
    const [certificate, key] = await Promise.all([TLS_FILES.certificate, TLS_FILES.key].map(name => readPem(join(this.options.folder, name))));
    return parsePair(certificate, key);
  }

  private async authorities(): Promise<X509Certificate[]> {
    return parseBundle(await readPem(this.options.caFile));
  }

  private verify({ chain }: CertificatePair, authorities: readonly X509Certificate[]): void {
    const reason = whyNotTrusted(chain, authorities, this.options.names);
    if (reason) throw new CertificateError(`tls.crt ${reason}`);
  }
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CertificateError((error as Error).message);
  }
}
