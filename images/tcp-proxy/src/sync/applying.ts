import { setTimeout as delay } from 'node:timers/promises';
import { SyncError } from './errors';
import { NamedObject, referenceOf, titleOf } from './reference';
import { UnknownKindError } from './resource-mapping';
import { TenantCluster } from './tenant-cluster';
import { ApiError } from '../kubernetes/kubernetes-api';

/** How long a new definition may take until its kind is served, and how often to look. Several API servers wait 5 s for each other. */
const DEFINITION_PATIENCE_MS = 15_000;
const DEFINITION_INTERVAL_MS = 100;

/** What the API server says of an object that it does not take; the others may be right. */
const FAULTS_OF_THE_OBJECT = [400, 403, 404, 405, 409, 413, 415, 422];

/**
 * Applies the objects in their order. One that is refused does not keep the others from being applied.
 *
 * @throws SyncError when objects were refused, the error of the API when it could not be reached
 */
export async function applyAll(tenant: TenantCluster, objects: readonly NamedObject[]): Promise<void> {
  const refusals: string[] = [];
  for (const object of objects) {
    try {
      await tenant.apply(object);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(`${titleOf(referenceOf(object))}: ${(error as Error).message}`);
    }
  }
  if (refusals.length > 0) throw new SyncError('objects', `${refusals.length} object(s) not applied; ${refusals.slice(0, 3).join('; ')}`);
}

function isRefusal(error: unknown): boolean {
  return error instanceof UnknownKindError || (error instanceof ApiError && FAULTS_OF_THE_OBJECT.includes(error.status));
}

interface CustomResourceDefinition extends NamedObject {
  readonly spec?: {
    readonly group?: string;
    readonly names?: { readonly kind?: string };
    readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
  };
}

/**
 * Waits until the kinds that definitions bring are served.
 *
 * @throws SyncError when that takes too long
 */
export async function established(tenant: TenantCluster, definitions: readonly NamedObject[], patienceMs = DEFINITION_PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (const definition of definitions) {
    while (!await isServed(tenant, definition)) {
      if (performance.now() > deadline) throw new SyncError('objects', `${titleOf(referenceOf(definition))} is not established yet`);
      await delay(DEFINITION_INTERVAL_MS);
    }
  }
}

/** The API server tells of kinds whose definition is established, and of no others. */
async function isServed(tenant: TenantCluster, definition: NamedObject): Promise<boolean> {
  const { group, names, versions = [] } = (definition as CustomResourceDefinition).spec ?? {};
  for (const { name, served } of versions) {
    if (served && !await tenant.knows({ apiVersion: `${group}/${name}`, kind: names?.kind ?? '' })) return false;
  }
  return true;
}
