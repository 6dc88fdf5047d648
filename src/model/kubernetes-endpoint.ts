import { DEFAULT_ADDRESS_PORT } from './address-range';
import type { KubernetesServicePath, TenantIpv6AddressProps, TenantPortProps } from './kubernetes-service-path';
import { stableNumber } from './stable-number';
import { invalidInput } from '../validation/invalid-input';
import { canonicalAddress, IpNetwork, ipFamily, validateEndpointAddress } from '../validation/ip-network';

/** What the endpoints of the Service `kubernetes` hold. */
export interface KubernetesEndpoint {
  /** IP addresses, each once and sorted, those of the first Service network's family first. */
  readonly addresses: string[];
  /** The port of all of them. */
  readonly port: number;
}

/** Whose endpoint it is. */
interface Tenant {
  readonly namespace: string;
  readonly name: string;
  readonly serviceCidrs: string[];
  readonly podCidrs: string[];
}

/** What `default/kubernetes` of a tenant holds, where that does not depend on pods of the tenant. */
export function kubernetesEndpointOf(path: KubernetesServicePath, tenant: Tenant): KubernetesEndpoint | undefined {
  const identity = [path._cluster, tenant.namespace, tenant.name].filter(part => part !== undefined).join('/');
  if (path._port) {
    return { addresses: addressesOf('kubernetesService.addresses', path._port.addresses, tenant), port: portOf(path._port, identity) };
  }
  if (path._address) {
    requireIpv6First(tenant);
    const field = `kubernetesService.${path._address.address === undefined ? 'prefix' : 'address'}`;
    return { addresses: addressesOf(field, [addressOf(path._address, identity)], tenant), port: path._address.port ?? DEFAULT_ADDRESS_PORT };
  }
  return undefined;
}

/**
 * The Service `kubernetes` has an address of the first family alone, and kube-proxy leads it to EndpointSlices of that family: those of
 * the other one are passed over, without a word.
 */
function requireIpv6First({ serviceCidrs }: Tenant): void {
  const [first] = serviceCidrs;
  if (!first.includes(':')) {
    throw invalidInput('kubernetesService', 'ipv6Address', `cannot be reached, as the first network of the Services is ${first}: the Service kubernetes has an address of ` +
      'its family alone, and nodes lead that to endpoints of the same family',
    'Use KubernetesServicePath.port(), or make the tenant anew with an IPv6 network first in network.serviceCidrs');
  }
}

/** The port of a tenant: never one that depends on which other tenants there are. */
function portOf({ port, portRange }: TenantPortProps, identity: string): number {
  if (port !== undefined) {
    return port;
  }
  if (portRange === undefined) {
    throw invalidInput('kubernetesService.port', undefined, 'is not given, and the controller has no range of ports to take it from',
      'Give port or portRange, or use a SharedIngressGateway with a portRange');
  }
  return portRange.first + Number(stableNumber(identity, BigInt(portRange.last - portRange.first + 1)));
}

/** The first address of a network is that of its routers (RFC 4291, 2.6.1). */
function addressOf({ address, prefix }: TenantIpv6AddressProps, identity: string): string {
  if (address !== undefined) {
    return address;
  }
  if (prefix === undefined) {
    throw invalidInput('kubernetesService.address', undefined, 'is not given, and the controller has no network to take it from',
      'Give address or prefix, or use a SharedIngressGateway with an addressRange');
  }
  const network = IpNetwork.parse('kubernetesService.prefix', prefix);
  return network.nth(1n + stableNumber(identity, network.size - 1n));
}

function addressesOf(field: string, given: string[], { serviceCidrs, podCidrs }: Tenant): string[] {
  given.forEach((address, i) => {
    const place = given.length === 1 ? field : `${field}[${i}]`;
    validateEndpointAddress(place, address, serviceCidrs);
    const podCidr = podCidrs.find(cidr => IpNetwork.parse('network.podCidrs', cidr).contains(address));
    if (podCidr !== undefined) {
      throw invalidInput(place, address, `lies in the tenant's own pod network ${podCidr}`, 'Give the shared address, as nodes of the tenant reach it');
    }
  });
  const addresses = [...new Set(given.map(canonicalAddress))];
  if (addresses.length < given.length) {
    throw invalidInput(field, given, 'has an address twice', 'Give each once');
  }
  const families = serviceCidrs.map(cidr => ipFamily(cidr.split('/')[0])!);
  const foreign = addresses.find(address => !families.includes(ipFamily(address)!));
  if (foreign !== undefined) {
    throw invalidInput(field, given, `has ${foreign}, while the Services are ${serviceCidrs.join(', ')} and so never lead to it`,
      'Give addresses of the families of network.serviceCidrs alone');
  }
  if (!addresses.some(address => ipFamily(address) === families[0])) {
    throw invalidInput(field, given, `lacks an address of the primary family, that of ${serviceCidrs[0]}; the Service kubernetes has an address of it alone`,
      'Add one');
  }
  // Sorted, as the API server sorts them.
  return families.flatMap(family => addresses.filter(address => ipFamily(address) === family).sort());
}
