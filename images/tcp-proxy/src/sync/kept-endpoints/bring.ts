import { SERVICE_NAME_LABEL } from '../../../../../src/agent/contract/kubernetes-endpoints';
import { KUBERNETES_SERVICE } from '../../../../../src/agent/contract/rbac';
import { Change, changesBetween } from '../../endpoints/changes';
import { endpointSliceOf, endpointsOf, ServiceEndpoints } from '../../endpoints/objects';
import { isConflict, PATHS, write } from '../../endpoints/writer';
import { KubernetesApi, Query } from '../../kubernetes/kubernetes-api';
import { KubernetesObject } from '../../kubernetes/objects';
import { checkedObject } from '../tenant-cluster';

/** Each round looks at what is there; more than a few are needed only while somebody else writes as well. */
const MOST_ROUNDS = 5;

/** There are two slices at most. Foreign ones beyond this go in later rounds and looks. */
const MOST_SLICES = 20;

/** The two collections that show the endpoints of `default/kubernetes`. */
export const COLLECTIONS: readonly { readonly path: string; readonly query: Query }[] = [
  { path: PATHS.Endpoints, query: { fieldSelector: `metadata.name=${KUBERNETES_SERVICE.name}` } },
  { path: PATHS.EndpointSlice, query: { labelSelector: `${SERVICE_NAME_LABEL}=${KUBERNETES_SERVICE.name}` } },
];

/** What a look has come to. */
export interface Look {
  /** What was changed. */
  readonly changes: readonly Change[];
  /** Whether nothing differed in the end. */
  readonly settled: boolean;
  /** Since when each of the collections is to be watched. */
  readonly versions: readonly (string | undefined)[];
}

interface Collection {
  readonly items: readonly KubernetesObject[];
  readonly version: string | undefined;
}

/**
 * Makes the endpoints of `default/kubernetes` what they should be, and takes those of others away: the Service is never
 * without endpoints in between.
 *
 * @param mayWrite called before anything is changed; nothing is when it throws
 * @throws ApiError when the API server refuses, Error when it does not answer or answers nonsense
 */
export async function bringEndpoints(
  api: KubernetesApi, desired: Required<ServiceEndpoints>, mayWrite = async (): Promise<void> => undefined,
): Promise<Look> {
  const made: Change[] = [];
  let versions: Look['versions'] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const [endpoints, slices] = await Promise.all(COLLECTIONS.map(async (collection) => read(api, collection)));
    versions = [endpoints.version, slices.version];
    const present = { endpoints: endpoints.items.map(endpointsOf)[0], slices: slices.items.map(endpointSliceOf) };
    const changes = changesBetween(present, desired);
    if (changes.length === 0) return { changes: made, settled: true, versions };
    await mayWrite();
    try {
      for (const change of changes) {
        await write(api, change);
        made.push(change);
      }
    } catch (error) {
      // Somebody else was faster: what is there now counts.
      if (!isConflict(error)) throw error;
    }
  }
  return { changes: made, settled: false, versions };
}

async function read(api: KubernetesApi, { path, query }: { readonly path: string; readonly query: Query }): Promise<Collection> {
  const list = await api.call<{ readonly items?: unknown; readonly metadata?: { readonly resourceVersion?: unknown } } | null>('GET', path, { query: { ...query, limit: MOST_SLICES } });
  const items = list?.items ?? [];
  if (!Array.isArray(items)) throw new Error('the answer of the API server is no list');
  const version = list?.metadata?.resourceVersion;
  return { items: items.map(checkedObject), version: typeof version === 'string' ? version : undefined };
}
