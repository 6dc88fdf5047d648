import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { Checks, checkProps, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** A node-local address in front of the proxy. */
export interface AdvertiseAddressProps {
  /**
   * The addresses, at most one per family. Every node has them on a device of its own, so they must be
   * free in all networks of the cluster, e.g. `100.64.30.10` or `172.20.0.1`.
   */
  readonly addresses: string[];
  /**
   * Name of the dummy device that holds them.
   * @default tcp-proxy0
   */
  readonly device?: string;
}

/**
 * Who keeps the endpoints of the Service `kubernetes` in the tenant cluster.
 *
 * @example
 * new TcpProxyAddon(tenant, 'tcp-proxy', {
 *   controlPlane,
 *   placement: TcpProxyPlacement.everyNode(),
 *   endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['172.31.0.1'] }),
 * });
 */
export class TcpProxyEndpoints {
  /**
   * The agent in the proxy owns `default/kubernetes`: Endpoints and one EndpointSlice per address family
   * hold the node addresses of the ready proxies. The API server gets `--endpoint-reconciler-type=none`.
   */
  public static owned(): TcpProxyEndpoints {
    return new TcpProxyEndpoints('owned');
  }

  /**
   * As `owned()`, but the endpoints hold an address that every node has for itself, so that a connection
   * never leaves its node on the way to the proxy. Needs a proxy on every node.
   */
  public static ownedAdvertiseAddress(props: AdvertiseAddressProps): TcpProxyEndpoints {
    return new TcpProxyEndpoints('owned', validateDevice(props));
  }

  /**
   * The Service `kubernetes` selects the proxy pods and the EndpointSlice controller keeps the endpoints
   * (k0smotron's way). The addon must be in the namespace `default`. The API server gets
   * `--endpoint-reconciler-type=none`.
   */
  public static kubernetesService(): TcpProxyEndpoints {
    return new TcpProxyEndpoints('kubernetes-service');
  }

  /**
   * The API server advertises the address, and its own reconciler publishes it; every node has it for
   * itself (HyperShift's way). Needs a proxy on every node, and no access to the API.
   */
  public static fixedAddress(props: AdvertiseAddressProps): TcpProxyEndpoints {
    return new TcpProxyEndpoints('fixed-address', validateDevice(props));
  }

  private constructor(
    /** @internal */
    public readonly _kind: 'owned' | 'kubernetes-service' | 'fixed-address',
    /** @internal */
    public readonly _advertise?: AdvertiseAddressProps,
  ) {}
}

nameFactories(TcpProxyEndpoints);

const ADVERTISE: Checks<AdvertiseAddressProps> = { addresses: listOf(validateText, 'Give at least one, e.g. ["100.64.30.10"]'), device: optional(validateDeviceName) };

function validateDevice(props: AdvertiseAddressProps): AdvertiseAddressProps {
  checkProps('endpoints', required('endpoints', props, 'Give addresses, e.g. { addresses: ["100.64.30.10"] }'), ADVERTISE);
  return { ...props, addresses: [...props.addresses] };
}

/** Linux allows 15 characters. `lo` would make the address a source of the node's own traffic. */
function validateDeviceName(field: string, device: string): void {
  if (!/^[a-zA-Z][a-zA-Z0-9._-]{0,14}$/.test(validateText(field, device)) || device === 'lo') {
    throw invalidInput(field, device, 'cannot be the device of the address', 'Give a name of at most 15 letters and digits, e.g. "tcp-proxy0"');
  }
}
