import { existsSync } from 'fs';
import { mkdir, readFile, rename, writeFile } from 'fs/promises';
import { join } from 'path';
import { bundleFingerprints, CertificateError, CertificatePair, keeping, parsePair } from './certificate-pair';
import type { CertificatePart } from './certificate-sync';
import { whyNotUsable } from './chain';
import { TUNNEL_CERTIFICATE } from '../../../../src/agent/contract/haproxy-names';
import { CA_FILE, TLS_FILES, TUNNEL_FOLDER } from '../../../../src/agent/contract/paths';
import type { MasterSocket } from '../haproxy/master-socket';
import type { RuntimeApi } from '../haproxy/runtime-api';

export interface TunnelFilesOptions {
  /** The mounted folder, with `tls.crt`, `tls.key` and `ca.crt`. */
  readonly folder: string;
  readonly runDir: string;
  /** What the pair is for. */
  readonly usage: 'server' | 'client';
  readonly runtime: RuntimeApi;
  readonly master: MasterSocket;
  /** What else HAProxy is to find when it reads the files again. */
  readonly beforeReload?: () => Promise<void>;
  readonly afterReload?: () => void;
}

interface Files {
  readonly pair: CertificatePair;
  readonly authorities: string;
}

/**
 * One end of a tunnel: its pair, and the authorities of the other end. HAProxy reads copies that were accepted.
 * Changed ones do no harm to open connections.
 */
export class TunnelFiles implements CertificatePart {
  public readonly kind = 'tunnel';
  public readonly title = 'certificate of the tunnel';
  public readonly folder: string;
  private readonly accepted: string;
  private inUse?: Files;

  constructor(private readonly options: TunnelFilesOptions) {
    this.folder = options.folder;
    this.accepted = join(options.runDir, TUNNEL_FOLDER);
  }

  /** When the certificate that HAProxy uses expires; undefined while none is known. */
  public readonly notAfter = (): Date | undefined => this.inUse?.pair.notAfter;
  /** Since when it is valid. */
  public readonly notBefore = (): Date | undefined => this.inUse?.pair.notBefore;

  /** Where a file lies that HAProxy reads. */
  public acceptedFile(name: string): string {
    return join(this.accepted, name);
  }

  /**
   * Takes the files for the start of HAProxy, also a pair that has expired: the other ports of a gateway are not to wait for it.
   *
   * @throws CertificateError when HAProxy could not read them
   */
  public async check(): Promise<void> {
    const files = await this.read();
    if (!existsSync(this.accepted)) await keeping(mkdir(this.accepted, { mode: 0o700 }).then(() => undefined));
    await this.keep(files);
  }

  /**
   * Makes HAProxy use the files. A pair takes no reload. Authorities do: `commit ssl ca-file` has HAProxy 3.0 say success to every later
   * `commit ssl cert` without using it, and end at the next `ca-file` (3.0.11, tried).
   *
   * @returns whether it used others before
   * @throws CertificateError when they cannot be used; HAProxy goes on with those before
   */
  public async reconcile(): Promise<boolean> {
    const { runtime, usage } = this.options;
    const { pair, authorities } = await this.read();
    const reason = whyNotUsable(pair.chain[0], usage);
    if (reason) throw new CertificateError(`tls.crt ${reason}`);
    if (!isSame(await runtime.caFingerprints(this.acceptedFile(CA_FILE)), bundleFingerprints(authorities))) {
      await this.reload({ pair, authorities });
      return true;
    }
    const current = await runtime.certificateFingerprint(TUNNEL_CERTIFICATE.name) === pair.fingerprint && this.inUse?.pair.pem === pair.pem;
    if (!current) {
      await runtime.replaceCertificate(TUNNEL_CERTIFICATE.name, pair.pem);
      await this.keep({ pair, authorities });
    }
    return !current;
  }

  private async reload(files: Files): Promise<void> {
    const { master, beforeReload, afterReload } = this.options;
    const before = this.inUse;
    await this.keep(files);
    await beforeReload?.();
    const { success, log } = await master.reload();
    if (!success) {
      if (before) await this.keep(before);
      throw new CertificateError(`HAProxy did not reload: ${log.replace(/\s*\n\s*/g, ' ')}`);
    }
    afterReload?.();
  }

  private async read(): Promise<Files> {
    const { folder } = this.options;
    const [certificate, key, authorities] = await Promise.all([TLS_FILES.certificate, TLS_FILES.key, CA_FILE].map(name =>
      readFile(join(folder, name), 'utf8').catch((error: Error) => {
        throw new CertificateError(error.message);
      })));
    const pair = parsePair(certificate, key);
    bundleFingerprints(authorities);
    return { pair, authorities };
  }

  private async keep(files: Files): Promise<void> {
    await keeping(write(this.acceptedFile(CA_FILE), files.authorities));
    await keeping(write(this.acceptedFile(TLS_FILES.certificate), files.pair.certificate));
    await keeping(write(this.acceptedFile(TLS_FILES.key), files.pair.key));
    this.inUse = files;
  }
}

/** Whole or not at all. */
async function write(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  const all = new Set(others);
  return new Set(some).size === all.size && some.every(one => all.has(one));
}
