import { AddressFamily, familyOf } from './addresses';
import { KUBERNETES_SERVICE, KUBERNETES_SLICES } from '../../../../src/agent/contract/rbac';
import { KubernetesObject } from '../kubernetes/objects';

/** Says whose the slices are, so that no controller of the control plane takes them for its own. */
export const MANAGED_BY = 'tcp-proxy.cdk8s-hosted-control-plane';

export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';
const SKIP_MIRROR_LABEL = 'endpointslice.kubernetes.io/skip-mirror';
const PORT_NAME = 'https';

/** The API server's limit for one slice. A cluster with more proxies than this is served by the first ones. */
const MAX_ENDPOINTS = 1000;

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

/**
 * The objects that publish addresses, as the API server's own reconciler would write them: the Endpoints hold the
 * Service's primary family, and equal the slice `kubernetes` (the conformance test of EndpointSlice compares these
 * two); the other family has a slice of its own.
 *
 * @param addresses canonical and sorted, at least one
 * @param port port of the proxies
 * @param serviceFamily the Service's primary family; the other one is primary when this has no address
 */
export function publish(addresses: readonly string[], port: number, serviceFamily: AddressFamily): Required<ServiceEndpoints> {
  const of = (family: AddressFamily) => addresses.filter((address) => familyOf(address) === family).slice(0, MAX_ENDPOINTS);
  const other: AddressFamily = serviceFamily === 'IPv4' ? 'IPv6' : 'IPv4';
  const [primary, secondary] = of(serviceFamily).length > 0 ? [serviceFamily, other] : [other, serviceFamily];
  const slices = [endpointSlice(KUBERNETES_SLICES.primary, primary, of(primary), port)];
  if (of(secondary).length > 0) slices.push(endpointSlice(KUBERNETES_SLICES[secondary], secondary, of(secondary), port));
  return { endpoints: endpoints(of(primary), port), slices };
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

function endpoints(addresses: readonly string[], port: number): Endpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: KUBERNETES_SERVICE.name,
      namespace: KUBERNETES_SERVICE.namespace,
      // Without it, from the first write on, the control plane mirrors this object into a slice of its own.
      labels: { [SKIP_MIRROR_LABEL]: 'true' },
    },
    subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports: [httpsPort(port)] }],
  };
}

function endpointSlice(name: string, addressType: AddressFamily, addresses: readonly string[], port: number): EndpointSlice {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name,
      namespace: KUBERNETES_SERVICE.namespace,
      labels: { [MANAGED_BY_LABEL]: MANAGED_BY, [SERVICE_NAME_LABEL]: KUBERNETES_SERVICE.name },
    },
    addressType,
    ports: [httpsPort(port)],
    endpoints: addresses.map((address) => ({
      addresses: [address],
      conditions: { ready: true, serving: true, terminating: false },
    })),
  };
}

function httpsPort(port: number): Port {
  return { name: PORT_NAME, port, protocol: 'TCP' };
}
