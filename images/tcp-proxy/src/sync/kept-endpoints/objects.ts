import { SERVICE_NAME_LABEL } from '../../../../../src/agent/contract/kubernetes-endpoints';
import { KUBERNETES_SERVICE } from '../../../../../src/agent/contract/rbac';
import { Endpoints, EndpointSlice, ServiceEndpoints } from '../../endpoints/objects';
import { SyncError } from '../errors';
import { groupOf, NamedObject } from '../reference';

/** The objects of a bundle, with the endpoints of `default/kubernetes` apart where sync keeps them. */
export interface BundleObjects {
  readonly others: readonly NamedObject[];
  readonly kept?: Required<ServiceEndpoints>;
}

/**
 * Takes the endpoints of `default/kubernetes` out of the objects that are applied once in a while.
 *
 * @throws SyncError when they are not among them
 */
export function withoutEndpoints(objects: readonly NamedObject[], kubernetesEndpoints: 'owned' | 'kept' | undefined): BundleObjects {
  if (kubernetesEndpoints !== 'kept') return { others: objects };
  const endpoints = objects.find(isEndpoints) as Endpoints | undefined;
  const slices = objects.filter(isSlice) as unknown as EndpointSlice[];
  if (!endpoints || slices.length === 0) {
    throw new SyncError('bundle', 'the endpoints of default/kubernetes are to be kept, and are not among the objects; apply the manifests of the library again');
  }
  return { others: objects.filter((object) => !isEndpoints(object) && !isSlice(object)), kept: { endpoints, slices } };
}

function isEndpoints({ apiVersion, kind, metadata }: NamedObject): boolean {
  return apiVersion === 'v1' && kind === 'Endpoints' && metadata.namespace === KUBERNETES_SERVICE.namespace && metadata.name === KUBERNETES_SERVICE.name;
}

function isSlice({ apiVersion, kind, metadata }: NamedObject): boolean {
  return groupOf(apiVersion) === 'discovery.k8s.io' && kind === 'EndpointSlice' && metadata.namespace === KUBERNETES_SERVICE.namespace
    && metadata.labels?.[SERVICE_NAME_LABEL] === KUBERNETES_SERVICE.name;
}
