import { ConfigMap } from './bundle';
import { isNotFound, SyncError } from './errors';
import { deserialized, InventoryEntry, isSame, serialized } from './inventory';
import { TenantCluster } from './tenant-cluster';

export const INVENTORY = { namespace: 'kube-system', name: 'tenant-sync-inventory' } as const;

const COLLECTION = `/api/v1/namespaces/${INVENTORY.namespace}/configmaps`;
const PATH = `${COLLECTION}/${INVENTORY.name}`;

/** What etcd takes, with room for the rest of the object. */
const LARGEST_INVENTORY_BYTES = 1_000_000;

/** The inventory, kept in the tenant: whoever syncs next, after whatever happened, finds what was applied before. */
export class InventoryStore {
  entries: readonly InventoryEntry[] = [];
  private present?: ConfigMap;

  constructor(private readonly tenant: TenantCluster) {}

  /**
   * Reads it. The first request to a tenant, which shows whether there is one.
   *
   * @param timeoutMs for the answer
   */
  async read(timeoutMs: number): Promise<void> {
    try {
      this.present = await this.tenant.api.call<ConfigMap>('GET', PATH, { timeoutMs });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.entries = this.present ? deserialized(this.present.data) : [];
  }

  /** Makes it hold these entries, over the version that was read; nothing is written when it does already. */
  async write(entries: readonly InventoryEntry[]): Promise<void> {
    if (this.present && isSame(entries, this.entries)) return;
    const data = serialized(entries);
    if (Object.values(data).join('').length > LARGEST_INVENTORY_BYTES) {
      throw new SyncError('bundle', `${entries.length} objects are too many for the inventory; put fewer into the bundle`);
    }
    this.present = this.present
      ? await this.tenant.api.call<ConfigMap>('PUT', PATH, { body: { ...this.present, data } })
      : await this.tenant.api.call<ConfigMap>('POST', COLLECTION, { body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: INVENTORY, data } });
    this.entries = entries;
  }

  /** Removes it, when nothing is left. */
  async delete(): Promise<void> {
    if (!this.present) return;
    const { uid, resourceVersion } = this.present.metadata;
    await this.tenant.api.call('DELETE', PATH, { body: { preconditions: { uid, resourceVersion } } });
    this.present = undefined;
  }
}
