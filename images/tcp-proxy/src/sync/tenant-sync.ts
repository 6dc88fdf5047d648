import type { Logger } from 'pino';
import { applySteps } from './apply-order';
import { applyAll, established } from './applying';
import { assemble, Bundle } from './bundle';
import { reconcileCertificate } from './certificates';
import { recordOfCertificate, requireCertificateAlone } from './certificates-only';
import { attempt, attemptTenant, SyncError } from './errors';
import { Awaited, HandBack } from './hand-back';
import { holdOf, MOVED, standing } from './hold';
import { difference, InventoryEntry, inventoryOf, union } from './inventory';
import { Inventory } from './inventory-store';
import { bringEndpoints } from './kept-endpoints/bring';
import { EndpointsKeepers } from './kept-endpoints/keepers';
import { withoutEndpoints } from './kept-endpoints/objects';
import { ManagementCluster } from './management-cluster';
import { Memories, Memory, untilDue } from './memories';
import { SyncMetrics } from './metrics';
import { prune } from './pruning';
import { NamedObject } from './reference';
import { Status, StoredStatus } from './status';
import { StatusWriter } from './status-writer';
import { TenantCluster } from './tenant-cluster';
import { NoAccessError, TenantSecrets } from './tenant-secrets';
import { Tenants } from './tenants';
import { SetAsideError } from './visit-journal';
import { LONGEST_VISIT_MS, Visit, Visits } from './visits';
import { objectsOfCertificate } from './written-objects';
import { TenantHold, TenantRecord } from '../../../../src/agent/contract/bundle';

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

/** Brings one tenant to what its bundle says, whatever state it is in: the work behind the queue. */
export class TenantSync {
  private readonly memories: Memories;
  private readonly handBack: HandBack;

  constructor(private readonly options: TenantSyncOptions) {
    this.handBack = new HandBack(options.logger);
    this.memories = new Memories({ ...options, versions: async (bundle) => options.management.secrets(bundle).versions(bundle) });
  }

  /** The next time that a tenant is worked on, it is visited. */
  visitSoon(key: string): void {
    this.memories.visitSoon(key);
  }

  /**
   * @returns milliseconds until this must run again without a change
   * @throws when something failed that may succeed later
   */
  async work(key: string): Promise<number | undefined> {
    const { parts, status } = this.options.tenants.get(key);
    if (parts.length === 0) {
      this.memories.forget(key);
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
    const memory = this.memories.of(key, bundle, status);
    try {
      const wait = memory.checksum === bundle.checksum ? await this.memories.wait(bundle, memory) : 0;
      if (wait > 0 && status?.phase === 'Synced') {
        await this.options.keepers.follow(key, bundle);
        return wait;
      }
      return await this.follow(key, bundle, memory, wait <= 0);
    } catch (error) {
      // It is not ours to say what becomes of it, and its API server may be gone here.
      if (this.options.tenants.get(key).status?.phase === 'Moved') return this.memories.leftAlone(memory);
      await this.failed(key, error as Error, 'Failed');
      return againAfter(error);
    }
  }

  private async follow(key: string, bundle: Bundle, memory: Memory, apply: boolean): Promise<number> {
    const { certificatesOnly, management, visits, metrics } = this.options;
    const started = performance.now();
    const hold = await this.record(key, bundle);
    if (this.options.tenants.get(key).status?.phase !== 'Moved') await this.options.keepers.follow(key, bundle);
    const secrets = management.secrets(bundle);
    return visits.visit(key, async () => secrets.kubeconfig(bundle), async (visit) => {
      const { inventory } = visit;
      const stands = standing(hold, inventory.holder);
      const known = inventory.holder === hold.id;
      if (stands === 'moved') return this.moved(key, memory);
      const objects = certificatesOnly ? [] : await management.objects(key, bundle);
      const { kept, others } = withoutEndpoints(objects, bundle.kubernetesEndpoints);
      const desired = inventoryOf([...others, ...objectsOfCertificate(bundle.certificate)]);
      if (apply || hold.taking) {
        // As they are used: a change in the meantime is one more visit.
        const versions = await secrets.versions(bundle);
        await attemptTenant('inventory', async () => inventory.write(union(inventory.entries, desired), hold.id));
        // A new tenant costs no write for this: that it is synced says it as well.
        if (hold.taking && (known || stands === 'to take')) await this.taken(key, stands === 'to take');
        // First, as pods of the other objects need them, and before a tcp-proxy that published others goes.
        if (kept) await attemptTenant('default/kubernetes', async () => bringEndpoints(visit.tenant.api, kept));
        const nextRun = await this.applyAll(visit, bundle, others, secrets, hold);
        // Whoever held it may be in the middle of a visit.
        this.memories.applied(memory, bundle.checksum, versions, Math.min(nextRun - performance.now(), stands === 'to take' ? LONGEST_VISIT_MS : Infinity));
        metrics.applied.observe((performance.now() - started) / 1000);
      }
      await this.options.keepers.follow(key, bundle);
      const awaited = await this.prune(visit.tenant, inventory, desired);
      if (awaited) {
        await this.tell(key, { phase: 'Pruning', message: awaited, checksum: bundle.checksum });
        return PODS_INTERVAL_MS;
      }
      const unpublished = await this.giveBack(key, visit.tenant, bundle);
      if (unpublished) {
        await this.tell(key, { phase: unpublished.phase, message: unpublished.message, checksum: bundle.checksum });
        return Math.min(unpublished.lookMs, untilDue(memory));
      }
      await this.tell(key, { phase: 'Synced', message: certificatesOnly ? 'the certificate' : `${objects.length} objects`, checksum: bundle.checksum, record: { ...this.recordOf(bundle), hold: { id: hold.id } } });
      return untilDue(memory);
    });
  }

  /** @returns when to come again for the certificate at the latest, on the clock of `performance.now()` */
  private async applyAll(visit: Visit, bundle: Bundle, objects: readonly NamedObject[], secrets: TenantSecrets, hold: TenantHold): Promise<number> {
    const { tenant } = visit;
    const { namespaces, definitions, others } = applySteps(objects);
    return attemptTenant('apply', async () => {
      await applyAll(tenant, namespaces);
      const nextRun = await this.certificate(visit, bundle, secrets, hold);
      await applyAll(tenant, definitions);
      await established(tenant, definitions);
      await applyAll(tenant, others);
      return nextRun;
    });
  }

  private async certificate(
    { tenant, logger: log }: Visit, { certificate: request }: Bundle, secrets: TenantSecrets, hold: TenantHold,
  ): Promise<number> {
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
      hold,
      timing: caTiming,
    }));
    if (waiting) log.info({ reason: waiting }, 'the certificate stays for now');
    return nextRun ? performance.now() + Math.max(nextRun.getTime() - Date.now(), 0) : Infinity;
  }

  /** Removes all that a bundle brought, after the bundle is gone. */
  private async leave(key: string, { phase, record, recordFault }: StoredStatus): Promise<number | undefined> {
    const { certificatesOnly, logger, management, statuses, visits } = this.options;
    if (recordFault !== undefined) {
      logger.error({ tenant: key, reason: recordFault }, 'the bundle is gone, and its status does not say how to reach the tenant; delete it when the tenant is clean');
      return undefined;
    }
    // The watch of the bundles may be behind that of the statuses.
    if (await management.hasBundle(key)) return WATCH_INTERVAL_MS;
    // Nothing was ever written to the tenant, or it is another's, whose API server may be the only one.
    if (!record || phase === 'Moved') {
      // Its credentials are nothing to keep either.
      visits.forget(key);
      this.handBack.forget(key);
      return statuses.delete(key).then(() => undefined);
    }
    try {
      const awaited = await visits.visit(key, async () => management.secrets(record).kubeconfig(record), async ({ tenant, inventory }) => {
        // Another's, or it was never taken from another.
        if (inventory.holder !== undefined && inventory.holder !== record.hold?.id) return undefined;
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
  private async record(key: string, bundle: Bundle): Promise<TenantHold> {
    const { status } = this.options.tenants.get(key);
    const owned = bundle.kubernetesEndpoints ?? status?.record?.kubernetesEndpoints;
    const hold = holdOf(status?.record);
    const record: TenantRecord = {
      ...this.recordOf(bundle, status?.record), ...owned !== undefined && { kubernetesEndpoints: owned }, hold,
    };
    if (status?.record) await this.options.statuses.write(key, { ...status, record });
    else await this.tell(key, { phase: 'Applying', message: 'not applied yet', record });
    return hold;
  }

  /** The tenant says now that it is ours. */
  private async taken(key: string, fromAnother: boolean): Promise<void> {
    const { logger, statuses, tenants } = this.options;
    const status = tenants.get(key).status!;
    const record = status.record!;
    await statuses.write(key, { ...status, record: { ...record, hold: { id: record.hold!.id } } });
    if (fromAnother) logger.warn({ tenant: key }, 'the tenant was held by another sync, and is taken over');
  }

  private async moved(key: string, memory: Memory): Promise<number> {
    const { keepers, logger, tenants } = this.options;
    await keepers.leave(key);
    if (tenants.get(key).status?.phase !== 'Moved') logger.warn({ tenant: key }, MOVED);
    await this.tell(key, { phase: 'Moved', message: MOVED });
    return this.memories.leftAlone(memory);
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
