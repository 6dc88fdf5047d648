import { TicketKeys } from './ticket-keys';
import type { CertificatePart } from '../certificates/certificate-sync';
import { TunnelFiles, TunnelFilesOptions } from '../certificates/tunnel-files';

/** The end of tunnels: the gateway's pair, the authorities of the clients, and the keys of the tickets that depend on both. */
export class TunnelEnd implements CertificatePart {
  public readonly kind = 'tunnel';
  public readonly title: string;
  public readonly folder: string;
  public readonly notAfter: () => Date | undefined;
  public readonly notBefore: () => Date | undefined;
  private readonly files: TunnelFiles;
  private readonly tickets: TicketKeys;

  constructor(options: Omit<TunnelFilesOptions, 'usage' | 'beforeReload'>) {
    this.folder = options.folder;
    this.files = new TunnelFiles({ ...options, usage: 'server', beforeReload: () => this.tickets.check() });
    this.title = this.files.title;
    this.notAfter = this.files.notAfter;
    this.notBefore = this.files.notBefore;
    this.tickets = new TicketKeys({ file: name => this.files.acceptedFile(name), runtime: options.runtime });
  }

  public async check(): Promise<void> {
    await this.files.check();
    await this.tickets.check();
  }

  /** The keys change with the hour, too, whatever became of the files. */
  public async reconcile(): Promise<boolean> {
    try {
      return await this.files.reconcile();
    } finally {
      await this.tickets.reconcile();
    }
  }
}
