import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bringEndpoints, COLLECTIONS, Look } from './bring';
import { ServiceEndpoints } from '../../endpoints/objects';
import { Backoff } from '../../kubernetes/backoff';
import { KubernetesApi } from '../../kubernetes/kubernetes-api';
import { HeldElsewhereError } from '../hold';
import { SetAsideError } from '../visit-journal';

/** What stood for this long was accepted by everyone: whoever changes it later starts no fight. */
const QUIET_MS = 5_000;

/**
 * First and longest delay before the next look after one that did not stand. A tenant that rewrites its endpoints all the time harms itself
 * alone, and takes no more than one look in the longest of these.
 */
const PACE_MS = [100, 5_000] as const;

/** First and longest delay after a tenant did not answer. */
const RETRY_MS = [500, 5_000] as const;

/** What is said of one tenant, once in a while. */
const LOG_INTERVAL_MS = 60_000;

/** A tenant's API server for a while. */
export interface Session {
  readonly api: KubernetesApi;
  /** Does something with it while there is a place, and no longer than a look may take. */
  readonly look: <T>(action: () => Promise<T>) => Promise<T>;
  /** Throws when the tenant is another's. */
  readonly requireHeld: () => Promise<void>;
  readonly close: () => void;
}

export interface KeeperOptions {
  /** Throws when the tenant is not to be talked to, or its kubeconfig cannot be read. */
  readonly connect: () => Promise<Session>;
  /** What `default/kubernetes` should hold. */
  readonly desired: () => Promise<Required<ServiceEndpoints>>;
  /** The tenant answers after it did not. */
  readonly onAnswer: () => void;
  /** Another holds the tenant, and has other endpoints. */
  readonly onMoved: () => void;
  readonly onRepair: () => void;
  readonly logger: Logger;
}

/**
 * Keeps the endpoints of `default/kubernetes` in one tenant: looks at them, and looks again as soon as anything about them changes.
 *
 * A watch is a bell here and no more: its events are not read, as a tenant could send any number of any size.
 */
export class EndpointsKeeper {
  private readonly ended = new AbortController();
  private readonly pace = new Backoff(...PACE_MS);
  private readonly retry = new Backoff(...RETRY_MS);
  private readonly running: Promise<void>;
  private written = false;
  private saidAt = -Infinity;
  private unsaid = 0;
  /** Whether changes are seen at once now. */
  following = false;
  /** The last look, or the watch after it, failed. */
  failing = false;

  constructor(private readonly options: KeeperOptions) {
    this.running = this.run();
  }

  /** Resolves when nothing more is written. */
  async stop(): Promise<void> {
    this.ended.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await this.follow();
      } catch (error) {
        if (signal.aborted) return;
        await this.rest(this.failed(error as Error));
      }
    }
  }

  private async follow(): Promise<void> {
    const { signal } = this.ended;
    const session = await this.options.connect();
    signal.addEventListener('abort', session.close);
    try {
      const desired = await this.options.desired();
      while (!signal.aborted) {
        const look = await session.look(async () => bringEndpoints(session.api, desired, session.requireHeld));
        this.retry.reset();
        this.tell(look);
        if (this.failing) this.options.onAnswer();
        this.failing = false;
        this.following = true;
        const since = performance.now();
        if (look.settled) await this.bell(session.api, look.versions);
        if (performance.now() - since >= QUIET_MS) this.pace.reset();
        else await this.rest(this.pace.next());
      }
    } finally {
      signal.removeEventListener('abort', session.close);
      session.close();
    }
  }

  /** Waits until one of the watches has anything to say, or ends. */
  private async bell(api: KubernetesApi, versions: Look['versions']): Promise<void> {
    if (this.ended.signal.aborted) return;
    const over = new AbortController();
    const end = () => over.abort();
    this.ended.signal.addEventListener('abort', end);
    const watches = COLLECTIONS.map(async ({ path, query }, i) =>
      api.rings(path, { query: { ...query, resourceVersion: versions[i] }, signal: over.signal }));
    try {
      await Promise.race(watches);
    } finally {
      end();
      this.ended.signal.removeEventListener('abort', end);
      await Promise.allSettled(watches);
    }
  }

  private tell({ changes }: Look): void {
    const { logger, onRepair } = this.options;
    if (changes.length === 0) return;
    const what = changes.map(({ verb, object }) => `${verb} ${object.kind} ${object.metadata.name}`).slice(0, 5);
    if (!this.written) {
      this.written = true;
      logger.info({ changes: what }, 'endpoints of default/kubernetes written');
      return;
    }
    onRepair();
    this.unsaid++;
    if (performance.now() - this.saidAt < LOG_INTERVAL_MS) return;
    logger.warn({ changes: what, repairs: this.unsaid }, 'somebody changed the endpoints of default/kubernetes: repaired');
    this.saidAt = performance.now();
    this.unsaid = 0;
  }

  /** @returns when to try again, in milliseconds */
  private failed(error: Error): number {
    if (error instanceof HeldElsewhereError) this.options.onMoved();
    const retryMs = error instanceof SetAsideError ? error.remainingMs : this.retry.next();
    this.options.logger[this.following ? 'info' : 'debug']({ reason: error.message, retryMs: Math.round(retryMs) },
      'the endpoints of default/kubernetes cannot be followed, retrying');
    this.following = false;
    this.failing = true;
    return retryMs;
  }

  private async rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.ended.signal }).catch(() => undefined);
  }
}
