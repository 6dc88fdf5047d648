import { KUBERNETES_SERVICE, KUBERNETES_SLICES } from './rbac';

/** An address family, spelled as in `EndpointSlice.addressType` and `Service.spec.ipFamilies`. */
export type AddressFamily = 'IPv4' | 'IPv6';

/** Says whose the slices are, so that no controller of the control plane takes them for its own. */
export const MANAGED_BY = 'tcp-proxy.cdk8s-hosted-control-plane';

/** On a slice, the name of the Service that it is of. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
/** On a slice, who keeps it. */
export const MANAGED_BY_LABEL = 'endpointslice.kubernetes.io/managed-by';
const SKIP_MIRROR_LABEL = 'endpointslice.kubernetes.io/skip-mirror';
const PORT_NAME = 'https';

/** The API server's limit for one slice. A cluster with more addresses than this is served by the first ones. */
const MAX_ENDPOINTS = 1000;

/** A port of the endpoints. */
export interface EndpointPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
}

/** `v1 Endpoints` as it is written. */
export interface WrittenEndpoints {
  readonly apiVersion: 'v1';
  readonly kind: 'Endpoints';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels: { readonly [name: string]: string } };
  readonly subsets: { readonly addresses: { readonly ip: string }[]; readonly ports: EndpointPort[] }[];
}

/** `discovery.k8s.io/v1 EndpointSlice` as it is written. */
export interface WrittenSlice {
  readonly apiVersion: 'discovery.k8s.io/v1';
  readonly kind: 'EndpointSlice';
  readonly metadata: WrittenEndpoints['metadata'];
  readonly addressType: AddressFamily;
  readonly ports: EndpointPort[];
  readonly endpoints: { readonly addresses: string[]; readonly conditions: { readonly [name: string]: boolean } }[];
}

/**
 * The objects that publish addresses behind the Service `kubernetes`, as the API server's own reconciler would write them: the Endpoints
 * hold the Service's primary family, and equal the slice `kubernetes` (the conformance test of EndpointSlice compares these
 * two); the other family has a slice of its own.
 *
 * @param addresses canonical and sorted, at least one
 * @param serviceFamily the Service's primary family; the other one is primary when this has no address
 */
export function kubernetesEndpoints(
  addresses: readonly string[], port: number, serviceFamily: AddressFamily,
): { readonly endpoints: WrittenEndpoints; readonly slices: WrittenSlice[] } {
  const of = (family: AddressFamily) => addresses.filter(address => address.includes(':') === (family === 'IPv6')).slice(0, MAX_ENDPOINTS);
  const other: AddressFamily = serviceFamily === 'IPv4' ? 'IPv6' : 'IPv4';
  const [primary, secondary] = of(serviceFamily).length > 0 ? [serviceFamily, other] : [other, serviceFamily];
  const slices = [endpointSlice(KUBERNETES_SLICES.primary, primary, of(primary), port)];
  if (of(secondary).length > 0) {
    slices.push(endpointSlice(KUBERNETES_SLICES[secondary], secondary, of(secondary), port));
  }
  return { endpoints: endpoints(of(primary), port), slices };
}

function endpoints(addresses: readonly string[], port: number): WrittenEndpoints {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name: KUBERNETES_SERVICE.name,
      namespace: KUBERNETES_SERVICE.namespace,
      // Without it, from the first write on, the control plane mirrors this object into a slice of its own.
      labels: { [SKIP_MIRROR_LABEL]: 'true' },
    },
    subsets: [{ addresses: addresses.map(ip => ({ ip })), ports: [httpsPort(port)] }],
  };
}

function endpointSlice(name: string, addressType: AddressFamily, addresses: readonly string[], port: number): WrittenSlice {
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
    endpoints: addresses.map(address => ({ addresses: [address], conditions: { ready: true, serving: true, terminating: false } })),
  };
}

function httpsPort(port: number): EndpointPort {
  return { name: PORT_NAME, port, protocol: 'TCP' };
}
