import { isDeepStrictEqual } from 'node:util';
import { Endpoints, EndpointSlice, ServiceEndpoints } from './objects';

/** One write that brings the present objects closer to the desired ones. */
export type Change =
  | { readonly verb: 'create' | 'update'; readonly object: Endpoints | EndpointSlice }
  | { readonly verb: 'delete'; readonly object: EndpointSlice };

/**
 * The writes that turn the present objects into the desired ones, in an order that never leaves the Service without
 * endpoints: what is missing comes first, and what is foreign goes last. Empty when nothing differs.
 *
 * Every object is replaced as a whole and only in the version that was seen. Server-side apply was the alternative; it
 * would neither remove what other field managers added (the API server's own reconciler is one), nor notice that the
 * decision was made on an outdated view. Labels and annotations of others are kept, so that nobody is provoked.
 */
export function changesBetween(present: ServiceEndpoints, desired: Required<ServiceEndpoints>): Change[] {
  const wanted = new Set(desired.slices.map((slice) => slice.metadata.name));
  return [
    ...endpointsChanges(present.endpoints, desired.endpoints),
    ...desired.slices.flatMap((slice) => sliceChanges(named(present.slices, slice.metadata.name), slice)),
    ...present.slices.filter((slice) => !wanted.has(slice.metadata.name)).map((object): Change => ({ verb: 'delete', object })),
  ];
}

function endpointsChanges(present: Endpoints | undefined, desired: Endpoints): Change[] {
  if (!present) return [{ verb: 'create', object: desired }];
  const same = hasLabels(present, desired) && isDeepStrictEqual(present.subsets, desired.subsets);
  return same ? [] : [{ verb: 'update', object: replacing(present, desired) }];
}

function sliceChanges(present: EndpointSlice | undefined, desired: EndpointSlice): Change[] {
  if (!present) return [{ verb: 'create', object: desired }];
  // The address type of a slice is immutable.
  if (present.addressType !== desired.addressType) {
    return [{ verb: 'delete', object: present }, { verb: 'create', object: desired }];
  }
  const same = hasLabels(present, desired)
    && isDeepStrictEqual(present.ports, desired.ports)
    && isDeepStrictEqual(present.endpoints, desired.endpoints);
  return same ? [] : [{ verb: 'update', object: replacing(present, desired) }];
}

function replacing<T extends Endpoints | EndpointSlice>(present: T, desired: T): T {
  return { ...desired, metadata: { ...present.metadata, labels: { ...present.metadata.labels, ...desired.metadata.labels } } };
}

function hasLabels(present: Endpoints | EndpointSlice, desired: Endpoints | EndpointSlice): boolean {
  return Object.entries(desired.metadata.labels ?? {}).every(([label, value]) => present.metadata.labels?.[label] === value);
}

function named(slices: readonly EndpointSlice[], name: string): EndpointSlice | undefined {
  return slices.find((slice) => slice.metadata.name === name);
}
