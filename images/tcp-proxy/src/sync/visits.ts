import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { longAnswersOfTenants } from './answer-limits';
import { attemptTenant } from './errors';
import { Inventory } from './inventory-store';
import { parseKubeconfig } from './kubeconfig';
import { Place, Places } from './places';
import { TenantCluster } from './tenant-cluster';
import { VisitJournal } from './visit-journal';

/** A tenant that has not answered its first request within this time makes room for others until it does. */
const PATIENCE_MS = 500;

/** A tenant that does not answer its first request within this time is not there. */
const LONGEST_CONTACT_MS = 5_000;

/** A visit begins no request after this time, however slowly the tenant answers. */
export const LONGEST_VISIT_MS = 120_000;

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
  readonly journal: VisitJournal;
  readonly inventoryOf: (tenant: TenantCluster, key: string) => Inventory;
  readonly logger: Logger;
}

/** A tenant that has answered, and what is known of it. */
export interface Visit {
  readonly tenant: TenantCluster;
  readonly inventory: Inventory;
  readonly logger: Logger;
}

/** A tenant as it was visited last. */
interface Acquaintance {
  readonly tenant: TenantCluster;
  /** Of the kubeconfig. */
  readonly digest: string;
}

/**
 * Lets tenants be worked on, a limited number at once.
 *
 * Tenants that are dead, or behave so, do not take the places of the others: who does not answer at once leaves its
 * place until it does, and those that failed last time have places of their own. Who may have ended this program is visited
 * when no other is of whom that can be said.
 */
export class Visits {
  private readonly places: Places;
  private readonly placesOfFailing: Places;
  private readonly placeOfSetAside = new Places(1);
  private readonly budget = longAnswersOfTenants();
  /** Kept while the visits succeed: the kinds a tenant has, and its TLS session, cost requests and CPU time anew. */
  private readonly acquaintances = new Map<string, Acquaintance>();

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
   * @throws what the two functions throw, SyncError when the tenant cannot be reached, and SetAsideError when it is not to be
   *   visited yet
   */
  async visit<T>(key: string, readKubeconfig: () => Promise<string>, action: (visit: Visit) => Promise<T>): Promise<T> {
    const { journal, logger, requestTimeoutMs } = this.options;
    journal.requireVisitable(key);
    const place = await this.placesFor(key).take();
    try {
      const { tenant } = this.acquaintance(key, await readKubeconfig());
      journal.begin(key);
      const inventory = this.options.inventoryOf(tenant, key);
      tenant.open(LONGEST_VISIT_MS);
      try {
        const contact = inventory.read(Math.min(requestTimeoutMs, LONGEST_CONTACT_MS));
        if (journal.isSuspect(key)) await reached(contact);
        else await meanwhileElsewhere(place, contact);
        return await action({ tenant, inventory, logger: logger.child({ tenant: key }) });
      } finally {
        tenant.close();
      }
    } catch (error) {
      // A definition, or the certificate of the API server, may have changed.
      this.forget(key);
      throw error;
    } finally {
      journal.end(key);
      place.leave();
    }
  }

  forget(key: string): void {
    this.acquaintances.delete(key);
  }

  private placesFor(key: string): Places {
    if (this.options.journal.isSetAside(key)) return this.placeOfSetAside;
    return this.options.isFailing(key) ? this.placesOfFailing : this.places;
  }

  private acquaintance(key: string, kubeconfig: string): Acquaintance {
    const digest = createHash('sha256').update(kubeconfig).digest('hex');
    const known = this.acquaintances.get(key);
    if (known?.digest === digest) return known;
    const made = { tenant: new TenantCluster({ access: parseKubeconfig(kubeconfig), budget: this.budget, ...this.options }), digest };
    this.acquaintances.set(key, made);
    return made;
  }
}

/** Waits for the first answer of a tenant; after a while without keeping the place. */
async function meanwhileElsewhere(place: Place, answer: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const contact = reached(answer).finally(() => settled.abort());
  const patience = delay(PATIENCE_MS, undefined, { signal: settled.signal }).then(() => place.leave(), () => undefined);
  await contact;
  await patience;
  await place.return();
}

async function reached(answer: Promise<void>): Promise<void> {
  return attemptTenant('cannot reach the tenant', async () => answer);
}
