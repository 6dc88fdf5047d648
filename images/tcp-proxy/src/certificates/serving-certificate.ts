import { readFile } from 'fs/promises';
import { join } from 'path';
import { CertificateError, CertificatePair, parsePair } from './certificate-pair';
import type { RuntimeApi } from '../haproxy/runtime-api';

/** The name of the pair in the configuration of the library: an entry of its `crt-store`. */
const NAME = '@serving/tls';

/** The pair in the mounted Secret (`tls.crt`, `tls.key`), which HAProxy serves. */
export class ServingCertificate {
  private served?: CertificatePair;

  constructor(private readonly folder: string, private readonly runtime: RuntimeApi) {}

  /** When the certificate that HAProxy serves expires; undefined while none is known. */
  public get notAfter(): Date | undefined {
    return this.served?.notAfter;
  }

  /** @throws CertificateError when HAProxy could not serve the pair in the folder */
  public async check(): Promise<void> {
    await this.read();
  }

  /**
   * Makes HAProxy serve the pair in the folder, without a reload and without harm to open connections.
   *
   * @returns whether HAProxy served another one before
   * @throws CertificateError when the pair is unusable; HAProxy goes on with the one before
   */
  public async reconcile(): Promise<boolean> {
    const pair = await this.read();
    const current = await this.runtime.certificateFingerprint(NAME) === pair.fingerprint;
    if (current && (!this.served || this.served.pem === pair.pem)) {
      this.served = pair;
      return false;
    }
    if (pair.notAfter.getTime() < Date.now()) {
      throw new CertificateError(`tls.crt expired at ${pair.notAfter.toISOString()}`);
    }
    await this.runtime.replaceCertificate(NAME, pair.pem);
    this.served = pair;
    return true;
  }

  private async read(): Promise<CertificatePair> {
    const [certificate, key] = await Promise.all(['tls.crt', 'tls.key'].map(name => readPem(join(this.folder, name))));
    return parsePair(certificate, key);
  }
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CertificateError((error as Error).message);
  }
}
