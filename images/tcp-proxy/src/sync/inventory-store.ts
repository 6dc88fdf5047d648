import { IGNORED, INVENTORY_OBJECT, OBJECT } from './answer-limits';
import { ConfigMap } from './bundle';
import { isNotFound } from './errors';
import { deserialized, InventoryEntry, isSame, serialized } from './inventory';
import { checkedObject, METADATA, TenantCluster } from './tenant-cluster';
import { HELD_BY, INVENTORY } from '../../../../src/agent/contract/bundle';
import { KubernetesApi } from '../kubernetes/kubernetes-api';
import { KubernetesObject } from '../kubernetes/objects';

const COLLECTION = `/api/v1/namespaces/${INVENTORY.namespace}/configmaps`;
const PATH = `${COLLECTION}/${INVENTORY.name}`;

/** What was written to a tenant, as far as it is to be removed again. */
export interface Inventory {
  readonly entries: readonly InventoryEntry[];
  /** Who holds the tenant; undefined when nobody has said so. */
  readonly holder?: string;
  read(timeoutMs: number): Promise<void>;
  /** @param holder who holds the tenant from now on; unchanged when it is undefined */
  write(entries: readonly InventoryEntry[], holder?: string): Promise<void>;
  delete(): Promise<void>;
}

/** The inventory, kept in the tenant: whoever syncs next, after whatever happened, finds what was applied before. */
export class InventoryStore implements Inventory {
  entries: readonly InventoryEntry[] = [];
  /** The ConfigMap without its data, which may be large and is in the entries. */
  private present?: Omit<ConfigMap, 'data'>;

  constructor(private readonly tenant: TenantCluster) {}

  get holder(): string | undefined {
    return this.present?.metadata.annotations?.[HELD_BY];
  }

  /**
   * Reads it. The first request to a tenant, which shows whether there is one.
   *
   * @param timeoutMs for the answer
   */
  async read(timeoutMs: number): Promise<void> {
    const found = await this.tenant.read<ConfigMap>(PATH, { timeoutMs, largestAnswer: INVENTORY_OBJECT });
    this.entries = found ? deserialized(found.data) : [];
    this.keep(found);
  }

  /** Makes it hold these entries, over the version that was read; nothing is written when it does already. */
  async write(entries: readonly InventoryEntry[], holder = this.holder): Promise<void> {
    if (this.present && isSame(entries, this.entries) && holder === this.holder) return;
    const data = serialized(entries);
    const before = this.present?.metadata;
    const annotations = holder === undefined ? {} : { annotations: { ...before?.annotations, [HELD_BY]: holder } };
    const metadata = { ...before ?? INVENTORY, ...annotations };
    const { api } = this.tenant;
    const options = { largestAnswer: INVENTORY_OBJECT };
    this.keep(checkedObject(this.present
      ? await api.call('PUT', PATH, { ...options, body: { ...this.present, metadata, data } })
      : await api.call('POST', COLLECTION, { ...options, body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } })));
    this.entries = entries;
  }

  /** Removes it, when nothing is left. */
  async delete(): Promise<void> {
    if (!this.present) return;
    const { uid, resourceVersion } = this.present.metadata;
    await this.tenant.api.send('DELETE', PATH, { body: { preconditions: { uid, resourceVersion } }, largestAnswer: IGNORED });
    this.present = undefined;
  }

  private keep(configMap: KubernetesObject | undefined): void {
    if (!configMap) return;
    const { data: _, ...rest } = configMap as ConfigMap;
    this.present = rest;
  }
}

/** Who holds a tenant, without the rest of the inventory; undefined when nobody has said so. */
export async function readHolder(api: KubernetesApi): Promise<string | undefined> {
  try {
    return checkedObject(await api.call<unknown>('GET', PATH, { largestAnswer: OBJECT, accept: METADATA })).metadata.annotations?.[HELD_BY];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
