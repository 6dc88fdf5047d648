import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from 'pino';
import { Backoff } from './backoff';
import { ApiError, KubernetesApi, Query, WatchEvent } from './kubernetes-api';
import { KubernetesObject } from './objects';

/** A list of thousands of objects is read in pages: a page is the most that is in memory before it is projected. */
const PAGE_SIZE = 100;

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

/** A watch that lived for this long was no failure, even if nothing happened on it. */
const HEALTHY_WATCH_MS = 1_000;

export interface ReflectorOptions<Item> {
  readonly api: KubernetesApi;
  /** What is reflected, for logs. */
  readonly resource: string;
  /** Collection path, such as `/api/v1/namespaces/default/endpoints`. */
  readonly path: string;
  /** Field or label selector. */
  readonly selector: Query;
  /** How many objects are read at once. Default: 100. */
  readonly pageSize?: number;
  /** Keeps what is needed of an object; the rest is not held in memory. */
  readonly project: (object: KubernetesObject) => Item;
  /** Something changed, or the collection is current again. */
  readonly onChange: () => void;
  readonly onError: () => void;
  readonly logger: Logger;
}

interface Entry<Item> {
  readonly resourceVersion: string;
  readonly item: Item;
}

interface ObjectList {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly KubernetesObject[];
}

/**
 * Holds the objects of one collection in memory and current, like the reflector of client-go: one list, then a watch
 * from its resource version; a watch that ends goes on where it stopped, and one that is too old (410) starts over.
 */
export class Reflector<Item> {
  readonly resource: string;
  /** What keeps the collection from being current, or undefined. */
  problem: string | undefined = 'not listed yet';
  /** All objects were listed at least once. */
  synced = false;
  private readonly backoff = new Backoff(FIRST_RETRY_MS, LONGEST_RETRY_MS);
  private entries = new Map<string, Entry<Item>>();
  private resourceVersion?: string;

  constructor(private readonly options: ReflectorOptions<Item>) {
    this.resource = options.resource;
  }

  items(): Item[] {
    return [...this.entries.values()].map(({ item }) => item);
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.resourceVersion === undefined) await this.list();
        await this.watch();
      } catch (error) {
        if (signal.aborted) return;
        this.failed(error as Error);
        await delay(this.backoff.next(), undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Takes in the answer to a write, so that the next decision does not stand on what was before it. What the watch has
   * already passed is left out: the object may have been deleted since.
   */
  observe(object: KubernetesObject): void {
    if (versionOf(object) > BigInt(this.resourceVersion ?? 0)) this.store(object);
  }

  /** Takes in that this version of an object was deleted. */
  forget(object: KubernetesObject): void {
    const { name, resourceVersion } = object.metadata;
    if (this.entries.get(name)?.resourceVersion === resourceVersion) this.entries.delete(name);
  }

  private async list(): Promise<void> {
    const found = new Map<string, Entry<Item>>();
    let page: ObjectList;
    let next: string | undefined;
    do {
      const query = { ...this.options.selector, limit: this.options.pageSize ?? PAGE_SIZE, continue: next };
      page = await this.options.api.call<ObjectList>('GET', this.options.path, { query });
      for (const object of page.items) found.set(object.metadata.name, this.entry(object));
      next = page.metadata.continue;
    } while (next);
    this.entries = found;
    this.resourceVersion = page.metadata.resourceVersion;
    this.problem = undefined;
    this.synced = true;
    this.options.onChange();
  }

  private async watch(): Promise<void> {
    let openedAt = Infinity;
    let delivered = false;
    const wasHealthy = () => delivered || performance.now() - openedAt >= HEALTHY_WATCH_MS;
    try {
      await this.options.api.watch(this.options.path, {
        query: { ...this.options.selector, resourceVersion: this.resourceVersion },
        onOpen: () => {
          openedAt = performance.now();
          this.problem = undefined;
          this.options.onChange();
        },
        onEvent: (event) => {
          this.apply(event);
          delivered = true;
        },
      });
      if (!wasHealthy()) throw new Error('the watch ended at once');
    } finally {
      if (wasHealthy()) this.backoff.reset();
    }
  }

  private apply({ type, object }: WatchEvent): void {
    if (type === 'ERROR') {
      const { code = 500, reason = '', message = 'watch error' } = object as { code?: number; reason?: string; message?: string };
      throw new ApiError(code, reason, message);
    }
    const changed = object as KubernetesObject;
    this.resourceVersion = changed.metadata.resourceVersion;
    if (type === 'BOOKMARK') return;
    if (!this.isOutdated(changed)) {
      if (type === 'DELETED') this.entries.delete(changed.metadata.name);
      else this.store(changed);
    }
    this.options.onChange();
  }

  private failed(error: Error): void {
    const status = error instanceof ApiError ? error.status : undefined;
    // 410: the versions between ours and the present are gone. 400: the API server does not know ours (restored etcd).
    if (status === 410 || status === 400) this.resourceVersion = undefined;
    this.problem = error.message;
    if (status === 410) {
      this.options.logger.info({ resource: this.resource, reason: error.message }, 'watch is too old, listing again');
      return;
    }
    this.options.onError();
    this.options.logger.warn({ resource: this.resource, status, reason: error.message }, 'cannot follow the API server, retrying');
  }

  /** The watch may be behind the answer to a write. */
  private isOutdated(object: KubernetesObject): boolean {
    const known = this.entries.get(object.metadata.name);
    return known !== undefined && versionOf(object) < BigInt(known.resourceVersion);
  }

  private store(object: KubernetesObject): void {
    this.entries.set(object.metadata.name, this.entry(object));
  }

  private entry(object: KubernetesObject): Entry<Item> {
    return { resourceVersion: object.metadata.resourceVersion ?? '0', item: this.options.project(object) };
  }
}

/** Within one collection, resource versions are numbers that grow. */
function versionOf(object: KubernetesObject): bigint {
  return BigInt(object.metadata.resourceVersion ?? 0);
}
