import { readFile } from 'fs/promises';
import { dirname } from 'path';
import { bundleFingerprints, CertificateError, keeping } from './certificate-pair';
import type { CertificatePart } from './certificate-sync';
import type { MasterSocket } from '../haproxy/master-socket';
import type { RuntimeApi } from '../haproxy/runtime-api';

export interface TrustBundleOptions {
  /** The mounted bundle. */
  readonly file: string;
  /** The file that HAProxy reads. */
  readonly accepted: string;
  /** Writes that. */
  readonly keep: (pem: string) => Promise<void>;
  readonly runtime: RuntimeApi;
  readonly master: MasterSocket;
}

/** The tenant CA, which the upstream's certificate is verified with. */
export class TrustBundle implements CertificatePart {
  public readonly kind = 'ca';
  public readonly title = 'tenant CA';
  private inUse = '';

  constructor(private readonly options: TrustBundleOptions) {}

  public get folder(): string {
    return dirname(this.options.file);
  }

  /**
   * Takes the bundle for the start of HAProxy.
   *
   * @throws CertificateError when the file is unusable
   */
  public async check(): Promise<void> {
    const pem = await this.read();
    bundleFingerprints(pem);
    await keeping(this.options.keep(pem));
    this.inUse = pem;
  }

  /**
   * Makes HAProxy trust the certificates in the file.
   *
   * That takes a reload: `commit ssl ca-file` says success, but changes nothing for servers without a client
   * certificate (HAProxy 3.0, tried). Listening goes on; streams that are open have the grace period to finish.
   *
   * @returns whether HAProxy trusted others before
   * @throws CertificateError when the file is unusable or HAProxy does not reload; the old ones stay in use
   */
  public async reconcile(): Promise<boolean> {
    const { runtime, master, accepted, keep } = this.options;
    const inUse = await runtime.caFingerprints(accepted);
    if (inUse.length === 0) return false; // HAProxy verifies nothing
    const pem = await this.read();
    const wanted = new Set(bundleFingerprints(pem));
    if (wanted.size === new Set(inUse).size && inUse.every(fingerprint => wanted.has(fingerprint))) return false;
    await keeping(keep(pem));
    const { success, log } = await master.reload();
    if (!success) {
      await keeping(keep(this.inUse));
      throw new CertificateError(`HAProxy did not reload: ${log.replace(/\s*\n\s*/g, ' ')}`);
    }
    this.inUse = pem;
    return true;
  }

  private async read(): Promise<string> {
    try {
      return await readFile(this.options.file, 'utf8');
    } catch (error) {
      throw new CertificateError((error as Error).message);
    }
  }
}
