import { KubernetesObject } from '../kubernetes/objects';

interface Port {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

/** `v1 Endpoints`, the fields used here. */
export interface Endpoints extends KubernetesObject {
  readonly apiVersion: 'v1';
  readonly kind: 'Endpoints';
  readonly subsets?: readonly { readonly addresses?: readonly { readonly ip: string }[]; readonly ports?: readonly Port[] }[];
}

/** `discovery.k8s.io/v1 EndpointSlice`, the fields used here. */
export interface EndpointSlice extends KubernetesObject {
  readonly apiVersion: 'discovery.k8s.io/v1';
  readonly kind: 'EndpointSlice';
  readonly addressType: string;
  readonly ports?: readonly Port[] | null;
  readonly endpoints: readonly { readonly addresses: readonly string[]; readonly conditions?: Readonly<Record<string, boolean>> }[] | null;
}

/** Every object behind the Service `kubernetes`. */
export interface ServiceEndpoints {
  readonly endpoints?: Endpoints;
  readonly slices: readonly EndpointSlice[];
}

/** Endpoints as they came from the API server. */
export function endpointsOf(object: KubernetesObject): Endpoints {
  return { ...slim(object), apiVersion: 'v1', kind: 'Endpoints' };
}

/** An EndpointSlice as it came from the API server. */
export function endpointSliceOf(object: KubernetesObject): EndpointSlice {
  return { ...slim(object) as EndpointSlice, apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' };
}

/** All addresses that the objects hold, in no particular order. */
export function publishedAddresses(present: ServiceEndpoints): string[] {
  const legacy = (present.endpoints?.subsets ?? []).flatMap((subset) => (subset.addresses ?? []).map(({ ip }) => ip));
  const sliced = present.slices.flatMap((slice) => (slice.endpoints ?? []).flatMap((endpoint) => endpoint.addresses));
  return [...legacy, ...sliced];
}

/**
 * The items of a list come without kind and version. Managed fields are as large as the rest of the object, and the API
 * server keeps them when a write leaves them out.
 */
function slim(object: KubernetesObject): KubernetesObject {
  const { managedFields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
