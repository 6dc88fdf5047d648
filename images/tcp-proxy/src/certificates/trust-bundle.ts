import { readFile } from 'fs/promises';
import { CertificateError, bundleFingerprints } from './certificate-pair';
import type { MasterSocket } from '../haproxy/master-socket';
import type { RuntimeApi } from '../haproxy/runtime-api';

/** The tenant CA, which the upstream's certificate is verified with. */
export class TrustBundle {
  constructor(private readonly file: string, private readonly runtime: RuntimeApi, private readonly master: MasterSocket) {}

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
    const inUse = await this.runtime.caFingerprints(this.file);
    if (inUse.length === 0) return false; // raw TCP: HAProxy verifies nothing
    const wanted = new Set(bundleFingerprints(await this.read()));
    if (wanted.size === new Set(inUse).size && inUse.every(fingerprint => wanted.has(fingerprint))) return false;
    const { success, log } = await this.master.reload();
    if (!success) throw new CertificateError(`HAProxy did not reload: ${log.replace(/\s*\n\s*/g, ' ')}`);
    return true;
  }

  private async read(): Promise<string> {
    try {
      return await readFile(this.file, 'utf8');
    } catch (error) {
      throw new CertificateError((error as Error).message);
    }
  }
}
