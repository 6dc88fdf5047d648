import { existsSync } from 'fs';
import { mkdir, readFile, rename, writeFile } from 'fs/promises';
import { join } from 'path';
import { bundleFingerprints, CertificateError, CertificatePair, keeping, parsePair } from './certificate-pair';
import type { CertificatePart } from './certificate-sync';
import { whyNotUsable } from './chain';
import { TUNNEL_CERTIFICATE } from '../../../../src/agent/contract/haproxy-names';
import { CA_FILE, TLS_FILES, TUNNEL_FOLDER } from '../../../../src/agent/contract/paths';
import type { RuntimeApi } from '../haproxy/runtime-api';

export interface TunnelFilesOptions {
  /** The mounted folder, with `tls.crt`, `tls.key` and `ca.crt`. */
  readonly folder: string;
  readonly runDir: string;
  /** What the pair is for. */
  readonly usage: 'server' | 'client';
  readonly runtime: RuntimeApi;
}

/**
 * One end of a tunnel: its pair, and the authorities of the other end. HAProxy reads copies that were accepted, and takes changed ones up
 * at run time, without a reload and without harm to open connections.
 */
export class TunnelFiles implements CertificatePart {
  public readonly kind = 'tunnel';
  public readonly title = 'certificate of the tunnel';
  public readonly folder: string;
  private readonly accepted: string;
  private inUse?: { readonly pair: CertificatePair; readonly authorities: string };

  constructor(private readonly options: TunnelFilesOptions) {
    this.folder = options.folder;
    this.accepted = join(options.runDir, TUNNEL_FOLDER);
  }

  /** When the certificate that HAProxy uses expires; undefined while none is known. */
  public readonly notAfter = (): Date | undefined => this.inUse?.pair.notAfter;

  /** Where a file lies that HAProxy reads. */
  public acceptedFile(name: string): string {
    return join(this.accepted, name);
  }

  /**
   * Takes the files for the start of HAProxy.
   *
   * @throws CertificateError when they cannot be used
   */
  public async check(): Promise<void> {
    const { pair, authorities } = await this.read();
    if (!existsSync(this.accepted)) await keeping(mkdir(this.accepted, { mode: 0o700 }));
    await this.keepAuthorities(authorities);
    await this.keepPair(pair);
    this.inUse = { pair, authorities };
  }

  /**
   * Makes HAProxy use the files. The authorities come first: whoever shows a certificate of a new one is let in before this end shows one.
   *
   * @returns whether it used others before
   * @throws CertificateError when they cannot be used; HAProxy goes on with those before
   */
  public async reconcile(): Promise<boolean> {
    const { runtime } = this.options;
    const { pair, authorities } = await this.read();
    const file = this.acceptedFile(CA_FILE);
    const otherAuthorities = !isSame(await runtime.caFingerprints(file), bundleFingerprints(authorities));
    const otherPair = await runtime.certificateFingerprint(TUNNEL_CERTIFICATE.name) !== pair.fingerprint || this.inUse?.pair.pem !== pair.pem;
    if (otherAuthorities) {
      await runtime.replaceAuthorities(file, authorities);
      await this.keepAuthorities(authorities);
    }
    if (otherPair) {
      await runtime.replaceCertificate(TUNNEL_CERTIFICATE.name, pair.pem);
      await this.keepPair(pair);
    }
    this.inUse = { pair, authorities };
    return otherAuthorities || otherPair;
  }

  private async read(): Promise<{ pair: CertificatePair; authorities: string }> {
    const { folder, usage } = this.options;
    const [certificate, key, authorities] = await Promise.all([TLS_FILES.certificate, TLS_FILES.key, CA_FILE].map(name =>
      readFile(join(folder, name), 'utf8').catch((error: Error) => {
        throw new CertificateError(error.message);
      })));
    const pair = parsePair(certificate, key);
    const reason = whyNotUsable(pair.chain[0], usage);
    if (reason) throw new CertificateError(`tls.crt ${reason}`);
    bundleFingerprints(authorities);
    return { pair, authorities };
  }

  private async keepAuthorities(pem: string): Promise<void> {
    await keeping(write(this.acceptedFile(CA_FILE), pem));
  }

  private async keepPair({ certificate, key }: CertificatePair): Promise<void> {
    await keeping(write(this.acceptedFile(TLS_FILES.certificate), certificate));
    await keeping(write(this.acceptedFile(TLS_FILES.key), key));
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
