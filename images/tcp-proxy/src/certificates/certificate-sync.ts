import { setTimeout as sleep } from 'timers/promises';
import type { Logger } from 'pino';
import { Counter, Gauge, Registry } from 'prom-client';
import { CertificateError } from './certificate-pair';
import { FolderWatches } from './folder-watches';
import { Metric, METRICS } from '../../../../src/agent/contract/metrics';
import { RuntimeApiError } from '../haproxy/runtime-api';
import { described } from '../health/described';

/** Mounted files that HAProxy uses copies of. */
export interface CertificatePart {
  /** As logs and metrics call it. */
  readonly kind: 'serving' | 'ca' | 'tunnel';
  /** What it is, in the log. */
  readonly title: string;
  readonly folder: string;
  /** When the certificate in it expires that this proxy shows; undefined while none is known. */
  readonly notAfter?: () => Date | undefined;
  /** Since when that certificate is valid. */
  readonly notBefore?: () => Date | undefined;
  /** Takes the files for the start of HAProxy; throws CertificateError when they cannot be used. */
  check(): Promise<void>;
  /** Makes HAProxy use the files; returns whether it used others before. */
  reconcile(): Promise<boolean>;
}

export interface CertificateSyncOptions {
  /** In the order in which they are taken up. */
  readonly parts: readonly CertificatePart[];
  readonly logger: Logger;
  readonly registry: Registry;
}

const START_RETRY_MS = 1_000;

type Kind = CertificatePart['kind'];

/**
 * Keeps the certificates that HAProxy uses equal to the mounted files.
 * What cannot be used is refused, once in the log and the metrics, until the files change again.
 */
export class CertificateSync {
  private watches?: FolderWatches;
  private readonly refusals = new Map<Kind, string>();
  private readonly updates: Counter<'kind' | 'result'>;
  private running = false;
  private again = false;

  constructor(private readonly options: CertificateSyncOptions) {
    const { registry, parts } = options;
    this.updates = new Counter(described(METRICS.certificateUpdates, registry));
    const refused = (kind: Kind) => this.refusals.has(kind) ? 1 : 0;
    new Gauge({
      ...described(METRICS.certificateRefused, registry),
      collect() {
        for (const { kind } of parts) this.set({ kind }, refused(kind));
      },
    });
    const own = parts.find(({ notAfter }) => notAfter);
    if (own) {
      const date = (metric: Metric<never>, value: () => Date | undefined) => new Gauge({
        ...described(metric, registry),
        collect() {
          this.set((value()?.getTime() ?? 0) / 1000);
        },
      });
      date(METRICS.certificateNotBefore, () => own.notBefore?.());
      date(METRICS.certificateNotAfter, () => own.notAfter!());
    }
  }

  /** Waits until all parts can be used: HAProxy does not start with broken ones, and a wrong pair harms more than none. */
  public async usable(shutdown: AbortSignal): Promise<void> {
    while (!shutdown.aborted) {
      const accepted = [];
      for (const part of this.options.parts) accepted.push(await this.accept(part));
      if (accepted.every(Boolean)) return;
      await sleep(START_RETRY_MS, undefined, { signal: shutdown }).catch(() => undefined);
    }
  }

  private async accept(part: CertificatePart): Promise<boolean> {
    const { kind, title } = part;
    try {
      await part.check();
      this.refusals.delete(kind);
      return true;
    } catch (error) {
      const reason = (error as Error).message;
      if (this.noteRefusal(kind, reason)) this.options.logger.error({ reason }, `waiting for a usable ${title}`);
      return false;
    }
  }

  /** Follows the files from now on, for who has no watch of folders of its own. */
  public start(): void {
    const { logger, registry } = this.options;
    this.watches = new FolderWatches({ onChange: () => this.trigger(), logger, registry });
    this.watches.open(this.options.parts.map(({ folder }) => folder));
  }

  public stop(): void {
    this.watches?.close();
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
    return [...this.refusals.values()][0];
  }

  private async reconcile(): Promise<void> {
    for (const part of this.options.parts) await this.attempt(part);
  }

  private async attempt(part: CertificatePart): Promise<void> {
    const { kind } = part;
    const { logger } = this.options;
    try {
      if (await part.reconcile()) {
        this.updates.inc({ kind, result: 'applied' });
        logger.info({ kind }, 'certificates updated');
      }
      this.refusals.delete(kind);
    } catch (error) {
      const reason = (error as Error).message;
      if (!(error instanceof CertificateError || error instanceof RuntimeApiError)) {
        // HAProxy is not there; the comparison is triggered again when it is.
        logger.debug({ kind, reason }, 'certificates not compared');
        // What was refused may be half written: a certificate without its key, with which it would never start.
        if (this.refusals.has(kind)) await this.accept(part);
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
