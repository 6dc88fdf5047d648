import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from 'pino';
import { isNotFound } from './errors';
import { claimed, Holding, Lease, released } from './lease';
import { KubernetesApi } from '../kubernetes/kubernetes-api';

export interface LeaderElectionOptions extends Holding {
  readonly api: KubernetesApi;
  /** A leader that could not renew for this long stops. Less than the duration of the Lease. */
  readonly renewDeadlineMs: number;
  /** Between two attempts to take or renew the Lease. */
  readonly retryPeriodMs: number;
  readonly logger: Logger;
}

/** The time during which this process is the leader. */
export class Term {
  private readonly over = new AbortController();
  private timer?: NodeJS.Timeout;
  private ends = 0;

  /** Aborted at the moment when the term ends. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /**
   * Whether the term still goes on. Asked before every write: a process that was stopped for a while continues with
   * what it was doing before its timers run.
   */
  holds(): boolean {
    return !this.over.signal.aborted && performance.now() < this.ends;
  }

  /** @param ends when, on the clock of `performance.now()` */
  extend(ends: number): void {
    this.ends = ends;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), ends - performance.now());
  }

  end(): void {
    clearTimeout(this.timer);
    this.over.abort();
  }
}

/**
 * Has one of several processes lead, by a Lease, as client-go does: the others take it over when its holder has not
 * renewed it for its duration. Whether it was renewed is judged by the own clock alone, from when the change was seen.
 */
export class LeaderElection {
  /** Who holds the Lease, as far as is known. */
  holder = '';
  private observed?: Lease;
  private observedAt = 0;

  constructor(private readonly options: LeaderElectionOptions) {}

  /**
   * Leads whenever it can, until the signal aborts; then gives the Lease back.
   *
   * @param lead works during a term, and ends soon after the term or the signal; never rejects
   */
  async run(signal: AbortSignal, lead: (term: Term) => Promise<void>): Promise<void> {
    const { logger, identity, retryPeriodMs } = this.options;
    while (!signal.aborted) {
      const renewedAt = await this.attempt();
      if (renewedAt === undefined) {
        // Jitter as in client-go, so that candidates do not collide for ever.
        await delay(retryPeriodMs * (1 + 1.2 * Math.random()), undefined, { signal }).catch(() => undefined);
        continue;
      }
      logger.info({ identity }, 'leading');
      const term = new Term();
      term.extend(renewedAt + this.options.renewDeadlineMs);
      const led = lead(term);
      await this.renew(term, led);
      await led;
      if (term.holds()) await this.release();
      else logger.error('no longer leading: the lease could not be renewed in time');
      term.end();
    }
  }

  /** Renews until the term is over or the work has ended. */
  private async renew(term: Term, led: Promise<void>): Promise<void> {
    const ended = new AbortController();
    void led.then(() => ended.abort());
    const signal = AbortSignal.any([term.signal, ended.signal]);
    while (!signal.aborted) {
      await delay(this.options.retryPeriodMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const renewedAt = await this.attempt();
      // A renewal that came too late is none: somebody else may have been told so.
      if (renewedAt !== undefined && !signal.aborted) term.extend(renewedAt + this.options.renewDeadlineMs);
      else if (this.holder !== this.options.identity) term.end();
    }
  }

  /** @returns when the Lease was taken or renewed, on the clock of `performance.now()`; undefined when it was not */
  private async attempt(): Promise<number | undefined> {
    const { api, identity, logger } = this.options;
    const before = performance.now();
    try {
      const present = await this.read();
      this.observe(present);
      if (present && !this.isFree(present)) return undefined;
      const wanted = claimed(present, this.options, new Date());
      const stored = present
        ? await api.call<Lease>('PUT', this.path(this.options.name), { body: wanted })
        : await api.call<Lease>('POST', this.path(), { body: wanted });
      this.observe(stored);
      return before;
    } catch (error) {
      logger.warn({ identity, reason: (error as Error).message }, 'cannot take or renew the lease, retrying');
      return undefined;
    }
  }

  private async read(): Promise<Lease | undefined> {
    try {
      return await this.options.api.call<Lease>('GET', this.path(this.options.name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  private isFree({ spec = {} }: Lease): boolean {
    if (!spec.holderIdentity || spec.holderIdentity === this.options.identity) return true;
    return performance.now() - this.observedAt >= (spec.leaseDurationSeconds ?? 0) * 1000;
  }

  private observe(lease: Lease | undefined): void {
    if (lease?.metadata.resourceVersion !== this.observed?.metadata.resourceVersion) this.observedAt = performance.now();
    this.observed = lease;
    this.holder = lease?.spec?.holderIdentity ?? '';
  }

  private async release(): Promise<void> {
    const { api, logger, name, identity } = this.options;
    if (!this.observed || this.holder !== identity) return;
    try {
      await api.call('PUT', this.path(name), { body: released(this.observed, new Date()) });
      this.holder = '';
      logger.info('lease released');
    } catch (error) {
      logger.warn({ reason: (error as Error).message }, 'lease not released; it expires by itself');
    }
  }

  private path(name?: string): string {
    const collection = `/apis/coordination.k8s.io/v1/namespaces/${this.options.namespace}/leases`;
    return name === undefined ? collection : `${collection}/${name}`;
  }
}
