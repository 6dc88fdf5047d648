import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { attemptTenant, SyncError } from './errors';
import { InventoryStore } from './inventory-store';
import { TenantAccess } from './kubeconfig';
import { Place, Places } from './places';
import { ResourceMapping } from './resource-mapping';
import { TenantCluster } from './tenant-cluster';

/** A tenant that has not answered its first request within this time makes room for others until it does. */
const PATIENCE_MS = 500;

/** A tenant that does not answer its first request within this time is not there. */
const LONGEST_CONTACT_MS = 5_000;

/** A visit takes no longer, however slowly the tenant answers. */
const LONGEST_VISIT_MS = 120_000;

export interface VisitsOptions {
  /** How many tenants are worked on at once. */
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  /** Ends all requests. */
  readonly signal: AbortSignal;
  /** Throws when no further request may be made. */
  readonly gate: () => void;
  /** Whether the last attempt with this tenant failed. */
  readonly isFailing: (key: string) => boolean;
  readonly logger: Logger;
}

/** A tenant that has answered, and what is known of it. */
export interface Visit {
  readonly tenant: TenantCluster;
  readonly inventory: InventoryStore;
  readonly logger: Logger;
}

/**
 * Lets tenants be worked on, a limited number at once.
 *
 * Tenants that are dead, or behave so, do not take the places of the others: who does not answer at once leaves its
 * place until it does, and those that failed last time have places of their own.
 */
export class Visits {
  private readonly places: Places;
  private readonly placesOfFailing: Places;
  /** What kinds the tenants have; kept, because it would cost each visit a request for each kind. */
  private readonly mappings = new Map<string, ResourceMapping>();

  constructor(private readonly options: VisitsOptions) {
    this.places = new Places(options.concurrency);
    this.placesOfFailing = new Places(Math.ceil(options.concurrency / 4));
  }

  /** No further request may be made. */
  isOver(): boolean {
    try {
      this.options.gate();
      return false;
    } catch {
      return true;
    }
  }

  /**
   * Does something with a tenant, once there is a place and the tenant has answered.
   *
   * @param readAccess finds out how to reach it
   * @throws what the two functions throw, and SyncError when the tenant cannot be reached
   */
  async visit<T>(key: string, readAccess: () => Promise<TenantAccess>, action: (visit: Visit) => Promise<T>): Promise<T> {
    const place = await (this.options.isFailing(key) ? this.placesOfFailing : this.places).take();
    try {
      return await this.visitFrom(place, key, await readAccess(), action);
    } finally {
      place.leave();
    }
  }

  private async visitFrom<T>(place: Place, key: string, access: TenantAccess, action: (visit: Visit) => Promise<T>): Promise<T> {
    const { requestTimeoutMs, gate, logger, signal } = this.options;
    const mapping = this.mappings.get(key) ?? new ResourceMapping();
    const ended = new AbortController();
    const tenant = new TenantCluster({ access, mapping, requestTimeoutMs, gate, signal: ended.signal });
    const end = () => ended.abort();
    signal.addEventListener('abort', end);
    let timer: NodeJS.Timeout | undefined;
    try {
      const inventory = new InventoryStore(tenant);
      await meanwhileElsewhere(place, inventory.read(Math.min(requestTimeoutMs, LONGEST_CONTACT_MS)));
      timer = setTimeout(end, LONGEST_VISIT_MS);
      const result = await action({ tenant, inventory, logger: logger.child({ tenant: key }) });
      this.mappings.set(key, mapping);
      return result;
    } catch (error) {
      // A definition may have changed.
      this.mappings.delete(key);
      const late = ended.signal.aborted && !signal.aborted;
      throw late ? new SyncError('unreachable', `not done within ${LONGEST_VISIT_MS / 1000} s: ${(error as Error).message}`) : error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      tenant.close();
    }
  }
}

/** Waits for the first answer of a tenant; after a while without keeping the place. */
async function meanwhileElsewhere(place: Place, answer: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const contact = attemptTenant('cannot reach the tenant', async () => answer).finally(() => settled.abort());
  const patience = delay(PATIENCE_MS, undefined, { signal: settled.signal }).then(() => place.leave(), () => undefined);
  await contact;
  await patience;
  await place.return();
}
