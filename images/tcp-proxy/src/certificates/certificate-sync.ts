import { dirname } from 'path';
import { setTimeout as sleep } from 'timers/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { CertificateError } from './certificate-pair';
import { FolderWatches } from './folder-watches';
import type { ServingCertificate } from './serving-certificate';
import type { TrustBundle } from './trust-bundle';
import { RuntimeApiError } from '../haproxy/runtime-api';

export interface CertificateSyncOptions {
  /** Undefined when HAProxy passes raw TCP and serves no certificate. */
  readonly serving?: ServingCertificate;
  readonly servingFolder?: string;
  readonly trust: TrustBundle;
  readonly caFile: string;
  readonly logger: Logger;
  readonly registry: Registry;
}

const START_RETRY_MS = 1_000;

type Kind = 'serving' | 'ca';

/**
 * Keeps the certificates that HAProxy uses equal to the mounted files.
 * What cannot be used is refused, once in the log and the metrics, until the files change again.
 */
export class CertificateSync {
  private readonly watches: FolderWatches;
  private readonly refusals = new Map<Kind, string>();
  private readonly updates: Counter<'kind' | 'result'>;
  private running = false;
  private again = false;

  constructor(private readonly options: CertificateSyncOptions) {
    const { logger, registry, serving } = options;
    this.watches = new FolderWatches({ onChange: () => this.trigger(), logger, registry });
    this.updates = new Counter({
      name: 'tcp_proxy_certificate_updates_total',
      help: 'Changed certificate files, by what they hold (serving, ca) and what became of them (applied, refused).',
      labelNames: ['kind', 'result'],
      registers: [registry],
    });
    const refused = (kind: Kind) => this.refusals.has(kind) ? 1 : 0;
    new Gauge({
      name: 'tcp_proxy_certificate_refused',
      help: '1 while the mounted files of this kind (serving, ca) are not in use.',
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const kind of ['serving', 'ca'] as const) this.set({ kind }, refused(kind));
      },
    });
    if (serving) {
      new Gauge({
        name: 'tcp_proxy_certificate_not_after_timestamp_seconds',
        help: 'When the serving certificate expires, in seconds since 1970.',
        registers: [registry],
        collect() {
          this.set((serving.notAfter?.getTime() ?? 0) / 1000);
        },
      });
    }
  }

  /** Waits until CA and pair can be used: HAProxy does not start with broken ones, and a wrong pair harms more than none. */
  public async usable(shutdown: AbortSignal): Promise<void> {
    const { trust, serving } = this.options;
    while (!shutdown.aborted) {
      const ca = await this.accept('ca', () => trust.check(), 'waiting for a usable tenant CA');
      const pair = !serving || await this.accept('serving', () => serving.check(), 'waiting for a usable serving certificate');
      if (ca && pair) return;
      await sleep(START_RETRY_MS, undefined, { signal: shutdown }).catch(() => undefined);
    }
  }

  private async accept(kind: Kind, check: () => Promise<void>, otherwise: string): Promise<boolean> {
    try {
      await check();
      this.refusals.delete(kind);
      return true;
    } catch (error) {
      const reason = (error as Error).message;
      if (this.noteRefusal(kind, reason)) this.options.logger.error({ reason }, otherwise);
      return false;
    }
  }

  /** Follows the files from now on. */
  public start(): void {
    const { caFile, servingFolder } = this.options;
    this.watches.open([dirname(caFile), ...servingFolder ? [servingFolder] : []]);
  }

  public stop(): void {
    this.watches.close();
  }

  /** Compares files and HAProxy soon; calls during a comparison lead to one more. */
  public trigger(): void {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    void this.reconcile().finally(() => {
      this.running = false;
      if (!this.again) return;
      this.again = false;
      this.trigger();
    });
  }

  /** The reason why the files are not in use, if there is one. */
  public get refusal(): string | undefined {
    return this.refusals.get('serving') ?? this.refusals.get('ca');
  }

  private async reconcile(): Promise<void> {
    const { serving, trust } = this.options;
    await this.attempt('ca', () => trust.reconcile());
    if (serving) await this.attempt('serving', () => serving.reconcile());
  }

  private async attempt(kind: Kind, reconcile: () => Promise<boolean>): Promise<void> {
    const { logger } = this.options;
    try {
      if (await reconcile()) {
        this.updates.inc({ kind, result: 'applied' });
        logger.info({ kind }, 'certificates updated');
      }
      this.refusals.delete(kind);
    } catch (error) {
      const reason = (error as Error).message;
      if (!(error instanceof CertificateError || error instanceof RuntimeApiError)) {
        // HAProxy is not there; the comparison is triggered again when it is.
        logger.debug({ kind, reason }, 'certificates not compared');
        return;
      }
      if (this.noteRefusal(kind, reason)) logger.error({ kind, reason }, 'certificates refused, the ones before stay in use');
    }
  }

  /** @returns whether it is news */
  private noteRefusal(kind: Kind, reason: string): boolean {
    if (this.refusals.get(kind) === reason) return false;
    this.refusals.set(kind, reason);
    this.updates.inc({ kind, result: 'refused' });
    return true;
  }
}
