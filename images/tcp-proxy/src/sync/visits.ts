import type { Logger } from 'pino';
import { attemptTenant, SyncError } from './errors';
import { InventoryStore } from './inventory-store';
import { TenantAccess } from './kubeconfig';
import { ResourceMapping } from './resource-mapping';
import { Slots } from './slots';
import { TenantCluster } from './tenant-cluster';

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
 * A tenant takes a place only after it has answered, and those that failed last time have places of their own. So
 * tenants that are dead, or that are not but behave so, cannot take the places of the others.
 */
export class Visits {
  private readonly places: Slots;
  private readonly placesOfFailing: Slots;
  /** What kinds the tenants have; kept, because it would cost each visit a request for each kind. */
  private readonly mappings = new Map<string, ResourceMapping>();

  constructor(private readonly options: VisitsOptions) {
    this.places = new Slots(options.concurrency);
    this.placesOfFailing = new Slots(Math.ceil(options.concurrency / 4));
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

  /** @throws what the action throws, and SyncError when the tenant cannot be reached */
  async visit<T>(key: string, access: TenantAccess, action: (visit: Visit) => Promise<T>): Promise<T> {
    const { requestTimeoutMs, gate, isFailing, logger, signal } = this.options;
    const visit = new AbortController();
    const mapping = this.mappings.get(key) ?? new ResourceMapping();
    const tenant = new TenantCluster({ access, mapping, requestTimeoutMs, gate, signal: visit.signal });
    const end = () => visit.abort();
    signal.addEventListener('abort', end);
    try {
      const inventory = new InventoryStore(tenant);
      await attemptTenant('cannot reach the tenant', async () => inventory.read(Math.min(requestTimeoutMs, LONGEST_CONTACT_MS)));
      return await (isFailing(key) ? this.placesOfFailing : this.places).run(async () => {
        const timer = setTimeout(end, LONGEST_VISIT_MS);
        try {
          const result = await action({ tenant, inventory, logger: logger.child({ tenant: key }) });
          this.mappings.set(key, mapping);
          return result;
        } catch (error) {
          // A definition may have changed.
          this.mappings.delete(key);
          if (visit.signal.aborted && !signal.aborted) throw new SyncError('unreachable', `not done within ${LONGEST_VISIT_MS / 1000} s: ${(error as Error).message}`);
          throw error;
        } finally {
          clearTimeout(timer);
        }
      });
    } finally {
      signal.removeEventListener('abort', end);
      tenant.close();
    }
  }
}
