import { pruneSteps } from './apply-order';
import { InventoryEntry } from './inventory';
import { idOf, titleOf } from './reference';
import { UnknownKindError } from './resource-mapping';
import { TenantCluster } from './tenant-cluster';
import { KubernetesObject } from '../kubernetes/objects';

/** A pod whose time to end is over by this much is gone, even if its node does not say so: the node is, too. */
const OVERDUE_MS = 60_000;

const NOT_ENDED = 'status.phase!=Succeeded,status.phase!=Failed';

/** Enough to tell that there are some. */
const PODS_LIMIT = 20;

export interface PruneResult {
  /** What is not gone yet. */
  readonly remaining: readonly InventoryEntry[];
  /** What the next step waits for; empty when nothing remains. */
  readonly awaited: string;
}

/**
 * Removes objects in their order, as far as that goes now: a step begins when that before it is over.
 *
 * @param onGone is called as soon as some are gone, with those that remain
 */
export async function prune(
  tenant: TenantCluster,
  entries: readonly InventoryEntry[],
  onGone: (remaining: readonly InventoryEntry[]) => Promise<void>,
): Promise<PruneResult> {
  let remaining = entries;
  for (const step of pruneSteps(entries)) {
    for (const entry of step) await remove(tenant, entry);
    const pods: string[] = [];
    const gone = new Set<string>();
    for (const entry of step) {
      const left = await podsOf(tenant, entry);
      pods.push(...left);
      if (left.length === 0) gone.add(idOf(entry));
    }
    remaining = remaining.filter((entry) => !gone.has(idOf(entry)));
    await onGone(remaining);
    if (pods.length > 0) return { remaining, awaited: `waits until pods are gone: ${pods.slice(0, 3).join(', ')}${pods.length > 3 ? ', …' : ''}` };
  }
  return { remaining, awaited: '' };
}

/** Removes an object, unless it is another's: one that was there before and was never applied, or came after ours had gone. */
async function remove(tenant: TenantCluster, entry: InventoryEntry): Promise<void> {
  let present: KubernetesObject | undefined;
  try {
    present = await tenant.metadata(entry);
  } catch (error) {
    // With its definition, the object has gone.
    if (error instanceof UnknownKindError) return;
    throw error;
  }
  if (!present || !tenant.delivered(present) || present.metadata.deletionTimestamp !== undefined) return;
  await tenant.delete(entry, present.metadata.uid);
}

/** Titles of the pods that a workload has left behind and that may still run. */
async function podsOf(tenant: TenantCluster, entry: InventoryEntry): Promise<string[]> {
  if (entry.pods === undefined) return [];
  const { namespace = 'default', pods: labelSelector } = entry;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;
  const pods = await tenant.list(path, { labelSelector, fieldSelector: NOT_ENDED, limit: PODS_LIMIT });
  return pods.filter((pod) => !isOverdue(pod)).map(({ metadata: { name } }) => titleOf({ apiVersion: 'v1', kind: 'Pod', namespace, name: String(name) }));
}

function isOverdue({ metadata: { deletionTimestamp } }: KubernetesObject): boolean {
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) + OVERDUE_MS < Date.now();
}
