import { ADDRESS_PREFIX, AddressRange } from './address-range';
import { PORT_RANGE, PortRange } from './port-range';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily, isIpv4Mapped, validateIpAddress } from '../validation/ip-network';
import { validatePort } from '../validation/name';
import { Check, Checks, checkProps, flag, instance, listOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateLine } from '../validation/text';

/** A port of the shared address that leads to one tenant. */
export interface TenantPortProps {
  /**
   * IP addresses of the shared address, of the families of the tenant's Services; one of the first Service network's family at
   * least. Nodes of the tenant must reach them.
   */
  readonly addresses: string[];
  /**
   * The port, which no other tenant of the shared address has.
   * @default - one of `portRange`
   */
  readonly port?: number;
  /**
   * Ports to take one from. Which one follows from the namespace and the name of the control plane, and from its management cluster
   * where that has a name, so that no other tenant changes it. Two tenants with one port are an error: give one of them a `port`.
   * @default - that of the controller, where it has one (SharedIngressGateway); else `port` is required
   */
  readonly portRange?: PortRange;
  /**
   * Have the API server write the endpoints itself, instead of two objects of the tenant: for new tenants alone. It then listens
   * at the tenant's port everywhere. At each restart of a replica the endpoints are empty for up to ten seconds, and a
   * changed port is never written.
   * @default false
   */
  readonly writtenByApiServer?: boolean;
}

/** An IPv6 address at the shared edge that leads to one tenant. */
export interface TenantIpv6AddressProps {
  /**
   * The address, which no other tenant has.
   * @default - one of `prefix`
   */
  readonly address?: string;
  /**
   * Network that is routed to the edge, in CIDR notation: a /64 or a part of one, /112 at the smallest. The rest of the address follows from
   * the namespace and the name of the control plane, and from its management cluster where that has a name, so that no other tenant changes it.
   * @default - that of the controller, where it has one (SharedIngressGateway); else `address` is required
   */
  readonly prefix?: string;
  /**
   * Port of the address.
   * @default - that of the controller, or 7443
   */
  readonly port?: number;
}

/** What a controller has for tenants. */
interface TenantRanges {
  readonly tenantPortRange?: PortRange;
  readonly tenantAddressRange?: AddressRange;
}

/** Why pods of a tenant need no API. */
export interface NoKubernetesServiceProps {
  /** A line for whoever asks later, e.g. `no pod of this tenant uses the API`. */
  readonly reason: string;
}

/**
 * How pods of a tenant reach the Service `kubernetes`. They dial it by its IP address, without SNI, so that no route by host leads
 * them anywhere.
 */
export class KubernetesServicePath {
  /**
   * A proxy in the tenant cluster: a TcpProxyAddon, or one that the platform brings. Works behind every controller. By default it opens TLS, so
   * that client certificates end there.
   */
  public static tcpProxy(): KubernetesServicePath {
    return new KubernetesServicePath('tcp-proxy');
  }

  /**
   * A port of the shared address that leads to the tenant alone. Nothing of the tenant's TLS is opened, client certificates work, and
   * no pod is needed in the tenant: its chart has `KubernetesServiceEndpoints`. Needs a controller that serves ports.
   *
   * @throws when an address or a port cannot be one
   */
  public static port(props: TenantPortProps): KubernetesServicePath {
    checkProps('', required('props', props, 'Give addresses, e.g. { addresses: ["203.0.113.10"], port: 20001 }'), TENANT_PORT);
    const { addresses, port, portRange, writtenByApiServer = false } = props;
    if (port !== undefined && portRange !== undefined) {
      throw invalidInput('portRange', portRange, `is given beside the port ${port}`, 'Give one of the two');
    }
    if (writtenByApiServer && addresses.length > 1) {
      throw invalidInput('addresses', addresses, 'are several, and an API server advertises one', 'Give that of the family of the first Service network');
    }
    return new KubernetesServicePath('port', { addresses: [...addresses], port, portRange: portRange && { ...portRange }, writtenByApiServer });
  }

  /**
   * An IPv6 address of the edge that leads to the tenant alone, for tenants whose Services are IPv6 first: nodes dial the first family of
   * the Services alone. Otherwise as `port()`. Needs a controller that serves addresses: a SharedIngressGateway with an `addressRange`.
   *
   * @throws when the address or the prefix cannot be one
   */
  public static ipv6Address(props: TenantIpv6AddressProps = {}): KubernetesServicePath {
    checkProps('', required('props', props, 'Leave it out for an address of the controller\'s range'), TENANT_ADDRESS);
    const { address, prefix, port } = props;
    if (address !== undefined && prefix !== undefined) {
      throw invalidInput('prefix', prefix, `is given beside the address ${address}`, 'Give one of the two');
    }
    return new KubernetesServicePath('ipv6-address', undefined, { address, prefix, port });
  }

  /** Only the pods that KubernetesServiceHostInjection gives the public host; others cannot use the API. */
  public static hostInjection(): KubernetesServicePath {
    return new KubernetesServicePath('host-injection');
  }

  /**
   * No way: pods of the tenant cannot use the API.
   *
   * @throws when there is no reason
   */
  public static none(props: NoKubernetesServiceProps): KubernetesServicePath {
    const { reason } = checkProps('', required('props', props, 'Give a reason, e.g. { reason: "no pod of this tenant uses the API" }'), NONE);
    return new KubernetesServicePath('none', undefined, undefined, reason);
  }

  private constructor(
    /** @internal */
    public readonly _kind: 'tcp-proxy' | 'port' | 'ipv6-address' | 'host-injection' | 'none',
    /** @internal */
    public readonly _port?: TenantPortProps,
    /** @internal */
    public readonly _address?: TenantIpv6AddressProps,
    /** @internal */
    public readonly _reason?: string,
    /** @internal Name of the management cluster, where it has one. */
    public readonly _cluster?: string,
  ) {}

  /** @internal The path of one control plane: with its cluster, and with what its controller has where the user names nothing. */
  public _of(cluster: string | undefined, { tenantPortRange, tenantAddressRange }: TenantRanges = {}): KubernetesServicePath {
    const port = this._port && { ...this._port, portRange: this._port.portRange ?? (this._port.port === undefined ? tenantPortRange : undefined) };
    const address = this._address && {
      ...this._address,
      prefix: this._address.prefix ?? (this._address.address === undefined ? tenantAddressRange?.prefix : undefined),
      port: this._address.port ?? tenantAddressRange?.port,
    };
    return new KubernetesServicePath(this._kind, port, address, this._reason, cluster);
  }
}

nameFactories(KubernetesServicePath);

function validateAddress(field: string, address: string): void {
  if (isIpv4Mapped(validateIpAddress(field, address))) {
    throw invalidInput(field, address, 'is an IPv4 address written as IPv6, which Kubernetes refuses', 'Write it as IPv4');
  }
}

function validateIpv6(field: string, address: string): void {
  validateAddress(field, address);
  if (ipFamily(address) !== 'ipv6') {
    throw invalidInput(field, address, 'is an IPv4 address', 'Give an IPv6 address, or use KubernetesServicePath.port()');
  }
}

const TENANT_PORT: Checks<TenantPortProps> = {
  addresses: listOf(validateAddress, 'Give at least one, e.g. ["203.0.113.10"]'),
  port: optional(validatePort),
  portRange: optional(PORT_RANGE),
  writtenByApiServer: optional(flag),
};

const TENANT_ADDRESS: Checks<TenantIpv6AddressProps> = {
  address: optional(validateIpv6),
  prefix: optional(ADDRESS_PREFIX),
  port: optional(validatePort),
};

const NONE: Checks<NoKubernetesServiceProps> = { reason: validateLine };

export const A_PATH: Check<KubernetesServicePath> = instance<KubernetesServicePath>('Give one, e.g. KubernetesServicePath.tcpProxy()', '_kind');
