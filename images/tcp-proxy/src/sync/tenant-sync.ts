import type { Logger } from 'pino';
import { applySteps } from './apply-order';
import { applyAll, established } from './applying';
import { assemble, Bundle } from './bundle';
import { reconcileCertificate } from './certificates';
import { recordOfCertificate, requireCertificateAlone } from './certificates-only';
import { attempt, attemptTenant, SyncError } from './errors';
import { Awaited, HandBack } from './hand-back';
import { difference, InventoryEntry, inventoryOf, union } from './inventory';
import { Inventory } from './inventory-store';
import { bringEndpoints } from './kept-endpoints/bring';
import { EndpointsKeepers } from './kept-endpoints/keepers';
import { withoutEndpoints } from './kept-endpoints/objects';
import { ManagementCluster } from './management-cluster';
import { SyncMetrics } from './metrics';
import { prune } from './pruning';
import { NamedObject } from './reference';
import { Status, StoredStatus } from './status';
import { StatusWriter } from './status-writer';
import { TenantCluster } from './tenant-cluster';
import { NoAccessError, TenantSecrets } from './tenant-secrets';
import { Tenants } from './tenants';
import { SetAsideError } from './visit-journal';
import { Visit, Visits } from './visits';
import { objectsOfCertificate } from './written-objects';
import { TenantRecord } from '../../../../src/agent/contract/bundle';

/** Pods take their time to end; how often to look. */
const PODS_INTERVAL_MS = 2_000;

/** When to look again whether the watch has caught up. */
const WATCH_INTERVAL_MS = 1_000;

export interface TenantSyncOptions {
  readonly tenants: Tenants;
  readonly statuses: StatusWriter;
  readonly management: ManagementCluster;
  readonly visits: Visits;
  readonly keepers: EndpointsKeepers;
  readonly metrics: SyncMetrics;
  readonly resyncMs: number;
  /** How often to look whether a Secret of a tenant has changed: much cheaper than a visit to the tenant. */
  readonly secretsMs: number;
  /** Whether the certificates of the bundles are all that is kept in tenants. */
  readonly certificatesOnly: boolean;
  /** How slowly a change of a tenant's CA is followed. */
  readonly caTiming: { readonly settleMs: number; readonly overlapMs: number };
  readonly logger: Logger;
}

/** What is remembered of a tenant during one term. */
interface Memory {
  /** What was applied last as a whole. */
  checksum?: string;
  /** When it is to be applied again, on the clock of `performance.now()`. */
  due: number;
  /** The versions of its Secrets when it was applied; undefined when that was in an earlier term. */
  secrets?: string;
  /** When to look at them again, on the same clock. */
  look: number;
}

/** Brings one tenant to what its bundle says, whatever state it is in: the work behind the queue. */
export class TenantSync {
  private readonly memories = new Map<string, Memory>();
  private readonly handBack: HandBack;

  constructor(private readonly options: TenantSyncOptions) {
    this.handBack = new HandBack(options.logger);
  }

  /**
   * @returns milliseconds until this must run again without a change
   * @throws when something failed that may succeed later
   */
  async work(key: string): Promise<number | undefined> {
    const { parts, status } = this.options.tenants.get(key);
    if (parts.length === 0) {
      this.memories.delete(key);
      this.options.management.forget(key);
      await this.options.keepers.leave(key);
      return status && this.leave(key, status);
    }
    let bundle: Bundle | undefined;
    try {
      const assembled = assemble(parts);
      bundle = assembled.bundle;
      if (bundle && this.options.certificatesOnly) requireCertificateAlone(bundle);
      if (!bundle) await this.tell(key, { phase: 'Waiting', message: assembled.awaited });
    } catch (error) {
      // Only a change of the bundle helps, and that is seen.
      return this.failed(key, error as Error, 'Failed').then(() => undefined);
    }
    if (!bundle) return undefined;
    const memory = this.memory(key, bundle, status);
    try {
      const wait = memory.checksum === bundle.checksum ? await this.wait(bundle, memory) : 0;
      if (wait > 0 && status?.phase === 'Synced') {
        await this.options.keepers.follow(key, bundle);
        return wait;
      }
      return await this.follow(key, bundle, memory, wait <= 0);
    } catch (error) {
      await this.failed(key, error as Error, 'Failed');
      return againAfter(error);
    }
  }

  /** After a restart, a status that says that all is done is believed, and checked within one period, not at once. */
  private memory(key: string, { checksum }: Bundle, status: StoredStatus | undefined): Memory {
    const known = this.memories.get(key);
    if (known) return known;
    const done = status?.phase === 'Synced' && status.checksum === checksum;
    const within = (periodMs: number) => performance.now() + Math.random() * periodMs;
    const memory: Memory = done
      ? { checksum, due: within(this.options.resyncMs), look: within(this.options.secretsMs) }
      : { due: 0, look: 0 };
    this.memories.set(key, memory);
    return memory;
  }

  /** @returns milliseconds until there is something to do for a tenant whose bundle is applied; 0 when there is now */
  private async wait(bundle: Bundle, memory: Memory): Promise<number> {
    if (memory.due > performance.now() && memory.look <= performance.now()) {
      const versions = await this.options.management.secrets(bundle).versions(bundle);
      memory.secrets ??= versions;
      if (memory.secrets !== versions) memory.due = 0;
      memory.look = performance.now() + jittered(this.options.secretsMs);
    }
    const now = performance.now();
    // A look that has just become due is none yet, and no reason for a visit.
    return memory.due <= now ? 0 : Math.max(Math.min(memory.due, memory.look) - now, 1);
  }

  private async follow(key: string, bundle: Bundle, memory: Memory, apply: boolean): Promise<number> {
    const { certificatesOnly, management, visits, metrics } = this.options;
    const started = performance.now();
    await this.record(key, bundle);
    await this.options.keepers.follow(key, bundle);
    const secrets = management.secrets(bundle);
    return visits.visit(key, async () => secrets.kubeconfig(bundle), async (visit) => {
      const { inventory } = visit;
      const objects = certificatesOnly ? [] : await management.objects(key, bundle);
      const { kept, others } = withoutEndpoints(objects, bundle.kubernetesEndpoints);
      const desired = inventoryOf([...others, ...objectsOfCertificate(bundle.certificate)]);
      if (apply) {
        // As they are used: a change in the meantime is one more visit.
        const versions = await secrets.versions(bundle);
        await attemptTenant('inventory', async () => inventory.write(union(inventory.entries, desired)));
        // First, as pods of the other objects need them, and before a tcp-proxy that published others goes.
        if (kept) await attemptTenant('default/kubernetes', async () => bringEndpoints(visit.tenant.api, kept));
        const nextRun = await this.applyAll(visit, bundle, others, secrets);
        memory.checksum = bundle.checksum;
        memory.due = Math.min(performance.now() + jittered(this.options.resyncMs), nextRun);
        memory.secrets = versions;
        memory.look = performance.now() + jittered(this.options.secretsMs);
        metrics.applied.observe((performance.now() - started) / 1000);
      }
      const awaited = await this.prune(visit.tenant, inventory, desired);
      if (awaited) {
        await this.tell(key, { phase: 'Pruning', message: awaited, checksum: bundle.checksum });
        return PODS_INTERVAL_MS;
      }
      const untilDue = () => Math.max(Math.min(memory.due, memory.look) - performance.now(), 0);
      const unpublished = await this.giveBack(key, visit.tenant, bundle);
      if (unpublished) {
        await this.tell(key, { phase: unpublished.phase, message: unpublished.message, checksum: bundle.checksum });
        return Math.min(unpublished.lookMs, untilDue());
      }
      await this.tell(key, { phase: 'Synced', message: certificatesOnly ? 'the certificate' : `${objects.length} objects`, checksum: bundle.checksum, record: this.recordOf(bundle) });
      return untilDue();
    });
  }

  /** @returns when to come again for the certificate at the latest, on the clock of `performance.now()` */
  private async applyAll({ tenant, logger }: Visit, bundle: Bundle, objects: readonly NamedObject[], secrets: TenantSecrets): Promise<number> {
    const { namespaces, definitions, others } = applySteps(objects);
    return attemptTenant('apply', async () => {
      await applyAll(tenant, namespaces);
      const nextRun = await this.certificate(tenant, bundle, secrets, logger);
      await applyAll(tenant, definitions);
      await established(tenant, definitions);
      await applyAll(tenant, others);
      return nextRun;
    });
  }

  private async certificate(tenant: TenantCluster, { certificate: request }: Bundle, secrets: TenantSecrets, log: Logger): Promise<number> {
    if (!request) return Infinity;
    const { caTiming } = this.options;
    const { nextRun, waiting } = await attempt('certificate', 'certificate', async () => reconcileCertificate({
      request,
      management: { secret: async (name) => secrets.get(name) },
      tenant: {
        get: async (kind, inNamespace, name) => tenant.get({ apiVersion: 'v1', kind, namespace: inNamespace, name }),
        apply: async (object) => tenant.apply(object),
      },
      now: new Date(),
      log,
      timing: caTiming,
    }));
    if (waiting) log.info({ reason: waiting }, 'the certificate stays for now');
    return nextRun ? performance.now() + Math.max(nextRun.getTime() - Date.now(), 0) : Infinity;
  }

  /** Removes all that a bundle brought, after the bundle is gone. */
  private async leave(key: string, { record, recordFault }: StoredStatus): Promise<number | undefined> {
    const { certificatesOnly, logger, management, statuses, visits } = this.options;
    if (recordFault !== undefined) {
      logger.error({ tenant: key, reason: recordFault }, 'the bundle is gone, and its status does not say how to reach the tenant; delete it when the tenant is clean');
      return undefined;
    }
    // The watch of the bundles may be behind that of the statuses.
    if (await management.hasBundle(key)) return WATCH_INTERVAL_MS;
    // Nothing was ever written to the tenant.
    if (!record) return statuses.delete(key).then(() => undefined);
    try {
      const awaited = await visits.visit(key, async () => management.secrets(record).kubeconfig(record), async ({ tenant, inventory }) => {
        const waitsFor = await this.prune(tenant, inventory, []);
        if (waitsFor) return { message: waitsFor, lookMs: PODS_INTERVAL_MS };
        const unpublished = !certificatesOnly && record.kubernetesEndpoints && await this.handBack.visit(key, tenant);
        if (unpublished) return unpublished;
        await attemptTenant('inventory', async () => inventory.delete());
        return undefined;
      });
      if (awaited) {
        await this.tell(key, { phase: 'Removing', message: awaited.message });
        return awaited.lookMs;
      }
      logger.info({ tenant: key }, 'the bundle is gone, and all that it brought');
      visits.forget(key);
      this.handBack.forget(key);
      await statuses.delete(key);
      return undefined;
    } catch (error) {
      if (error instanceof NoAccessError) {
        logger.warn({ tenant: key, reason: error.message }, 'the bundle is gone, and so is the way to the tenant: nothing is removed there');
        this.handBack.forget(key);
        return statuses.delete(key).then(() => undefined);
      }
      await this.failed(key, error as Error, 'Removing');
      return againAfter(error);
    }
  }

  /** @returns what the pruning waits for; empty when all is gone */
  private async prune(tenant: TenantCluster, inventory: Inventory, desired: readonly InventoryEntry[]): Promise<string> {
    const leaving = difference(inventory.entries, desired);
    if (leaving.length === 0) return '';
    const { awaited } = await attempt('prune', 'prune', async () =>
      prune(tenant, leaving, async (remaining) => inventory.write(union(remaining, desired))));
    return awaited;
  }

  /** @returns what is awaited of others after what wrote `default/kubernetes` left the bundle */
  private async giveBack(key: string, tenant: TenantCluster, bundle: Bundle): Promise<Awaited | undefined> {
    const owned = this.options.tenants.get(key).status?.record?.kubernetesEndpoints;
    if (owned && !bundle.kubernetesEndpoints) return this.handBack.visit(key, tenant);
    this.handBack.forget(key);
    return undefined;
  }

  /** Before anything is written to a tenant, it is written down how to reach it, and what there is to give back. */
  private async record(key: string, bundle: Bundle): Promise<void> {
    const { status } = this.options.tenants.get(key);
    const owned = bundle.kubernetesEndpoints ?? status?.record?.kubernetesEndpoints;
    const record: TenantRecord = { ...this.recordOf(bundle, status?.record), ...owned === undefined ? {} : { kubernetesEndpoints: owned } };
    if (status?.record) await this.options.statuses.write(key, { ...status, record });
    else await this.tell(key, { phase: 'Applying', message: 'not applied yet', record });
  }

  private recordOf(bundle: Bundle, before?: TenantRecord): TenantRecord {
    return this.options.certificatesOnly ? recordOfCertificate(bundle, before) : bundle;
  }

  private async failed(key: string, error: Error, phase: 'Failed' | 'Removing'): Promise<void> {
    if (this.options.visits.isOver()) return;
    const reason = error instanceof SyncError ? error.reason : 'management';
    this.options.metrics.errors.inc({ reason });
    await this.tell(key, { phase, message: error.message });
  }

  /** What is not said stays as it was. */
  private async tell(key: string, { phase, message, ...rest }: Status): Promise<void> {
    const { checksum, record } = this.options.tenants.get(key).status ?? {};
    await this.options.statuses.write(key, { phase, message, checksum, record, ...rest });
  }
}

/** @throws the error, unless it says when to come again */
function againAfter(error: unknown): number {
  if (error instanceof SetAsideError) return error.remainingMs;
  throw error;
}

/** So that tenants that came together do not come back together. */
function jittered(milliseconds: number): number {
  return milliseconds * (0.9 + 0.2 * Math.random());
}
