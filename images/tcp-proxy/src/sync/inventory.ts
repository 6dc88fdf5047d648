import * as z from 'zod/mini';
import { INVENTORY } from './answer-limits';
import { isNamespace } from './apply-order';
import { parseJson } from './bundle';
import { SyncError } from './errors';
import { idOf, NamedObject, ObjectReference, referenceOf } from './reference';
import { requireWithin } from '../kubernetes/bounded-json';

/** An object in a tenant that is removed when it is no longer wanted. */
export interface InventoryEntry extends ObjectReference {
  /** Label selector of the pods that it runs: they outlive it for a while. */
  readonly pods?: string;
}

/** They belong to the cluster, whoever else names them. */
const SYSTEM_NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

const INVENTORY_KEY = 'inventory.json';

const inventory = z.object({
  version: z.literal(1, 'is a version that this program does not know; run the image that wrote it, or a newer one'),
  objects: z.array(z.object({
    apiVersion: z.string(),
    kind: z.string(),
    namespace: z.optional(z.string()),
    name: z.string(),
    pods: z.optional(z.string()),
  })),
});

/** The entries of objects, in their order; without those that are never removed. */
export function inventoryOf(objects: readonly NamedObject[]): InventoryEntry[] {
  const entries = objects.map((object) => {
    const pods = podSelectorOf(object);
    return { ...referenceOf(object), ...pods === undefined ? {} : { pods } };
  });
  return distinct(entries.filter((entry) => !(isNamespace(entry) && SYSTEM_NAMESPACES.includes(entry.name))));
}

/** What is in either; where both have an object, as the second has it. What is only in the first comes first. */
export function union(present: readonly InventoryEntry[], desired: readonly InventoryEntry[]): InventoryEntry[] {
  return [...difference(present, desired), ...desired];
}

/** What is in the first and not in the second. */
export function difference(present: readonly InventoryEntry[], desired: readonly InventoryEntry[]): InventoryEntry[] {
  const wanted = new Set(desired.map(idOf));
  return distinct(present).filter((entry) => !wanted.has(idOf(entry)));
}

/** Whether both hold the same, in whatever order. */
export function isSame(some: readonly InventoryEntry[], others: readonly InventoryEntry[]): boolean {
  const lines = (entries: readonly InventoryEntry[]) => entries.map((entry) => `${entry.apiVersion} ${idOf(entry)} ${entry.pods ?? ''}`).sort().join('\n');
  return lines(some) === lines(others);
}

/**
 * The data of the ConfigMap that holds an inventory.
 *
 * @throws SyncError when it could not be read again
 */
export function serialized(entries: readonly InventoryEntry[]): Record<string, string> {
  const json = JSON.stringify({ version: 1, objects: entries });
  try {
    requireWithin(Buffer.from(json), INVENTORY);
  } catch (error) {
    throw new SyncError('bundle', `${entries.length} objects are too many for one tenant: their list ${(error as Error).message}; put fewer into the bundle`);
  }
  return { [INVENTORY_KEY]: json };
}

/** @throws SyncError when it is none */
export function deserialized(data: Readonly<Record<string, string>> | undefined): InventoryEntry[] {
  try {
    return parseJson(inventory, INVENTORY_KEY, data?.[INVENTORY_KEY], INVENTORY).objects;
  } catch (error) {
    throw new SyncError('prune', `the inventory in the tenant cannot be read (${(error as Error).message}); ` +
      'delete it, and remove by hand what left the bundle since');
  }
}

function distinct(entries: readonly InventoryEntry[]): InventoryEntry[] {
  return [...new Map(entries.map((entry) => [idOf(entry), entry])).values()];
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[];
}

/** The selector of a workload in the form that requests take; undefined when it has none. */
function podSelectorOf(object: NamedObject): string | undefined {
  const { selector } = (object as { spec?: { selector?: LabelSelector } }).spec ?? {};
  if (object.apiVersion !== 'apps/v1' || selector === undefined || selector === null) return undefined;
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([label, value]) => `${label}=${value}`),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => ({
      In: `${key} in (${values.join()})`,
      NotIn: `${key} notin (${values.join()})`,
      Exists: key,
      DoesNotExist: `!${key}`,
    })[operator] ?? key),
  ];
  return requirements.length > 0 ? requirements.join() : undefined;
}
