import { Change } from './changes';
import { Endpoints, EndpointSlice } from './objects';
import { SERVICE_NAME_LABEL } from '../../../../src/agent/contract/kubernetes-endpoints';
import { KUBERNETES_SERVICE } from '../../../../src/agent/contract/rbac';
import { ApiError, KubernetesApi } from '../kubernetes/kubernetes-api';

export const PATHS = {
  services: `/api/v1/namespaces/${KUBERNETES_SERVICE.namespace}/services`,
  Endpoints: `/api/v1/namespaces/${KUBERNETES_SERVICE.namespace}/endpoints`,
  EndpointSlice: `/apis/discovery.k8s.io/v1/namespaces/${KUBERNETES_SERVICE.namespace}/endpointslices`,
} as const;

/** The object changed since it was seen: decide again. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && ['AlreadyExists', 'Conflict', 'NotFound'].includes(error.reason);
}

/** The API server is there and says no: a proxy that is removed loses its rights with its pod, or before it. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && [401, 403].includes(error.status);
}

/**
 * Carries out one change, provided that the object still is as it was seen.
 *
 * @returns the object as the API server stored it; undefined after a deletion
 * @throws ApiError when the API server refuses, see `isConflict`
 */
export async function write(api: KubernetesApi, change: Change): Promise<Endpoints | EndpointSlice | undefined> {
  const { object, verb } = change;
  switch (verb) {
    case 'update':
      return api.call('PUT', pathOf(object), { body: object });
    case 'delete':
      await remove(api, object);
      return undefined;
    case 'create':
      return create(api, object);
  }
}

async function create(api: KubernetesApi, object: Endpoints | EndpointSlice): Promise<Endpoints | EndpointSlice> {
  const post = async () => api.call<Endpoints | EndpointSlice>('POST', PATHS[object.kind], { body: object });
  try {
    return await post();
  } catch (error) {
    if (object.kind !== 'EndpointSlice' || !(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    // A slice without the Service's label serves nobody and is not watched; its name is still taken.
    const present = await api.call<EndpointSlice>('GET', pathOf(object));
    if (present.metadata.labels?.[SERVICE_NAME_LABEL] === KUBERNETES_SERVICE.name) throw error;
    await remove(api, present);
    return post();
  }
}

async function remove(api: KubernetesApi, object: EndpointSlice): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  await api.call('DELETE', pathOf(object), { body: { preconditions: { uid, resourceVersion } } });
}

function pathOf(object: Endpoints | EndpointSlice): string {
  return `${PATHS[object.kind]}/${encodeURIComponent(object.metadata.name)}`;
}
