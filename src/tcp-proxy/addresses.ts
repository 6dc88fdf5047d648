import { TcpProxyEndpoints } from './endpoints';
import { TcpProxyUpstreamConfig } from './haproxy-config';
import { Exposure } from '../model/exposure';
import { invalidInput } from '../validation/invalid-input';
import { ipFamily, IpNetwork, isLoopback, validateEndpointAddress } from '../validation/ip-network';

/**
 * Checks the addresses that every node has for itself: endpoints that Kubernetes admits, outside the networks of the
 * tenant, one for each family that they are of, the primary family of the Services among them.
 */
export function validateAdvertiseAddresses(endpoints: TcpProxyEndpoints, exposure: Exposure): void {
  const addresses = endpoints._advertise?.addresses;
  if (!addresses) {
    return;
  }
  const field = 'endpoints.addresses';
  addresses.forEach((address, i) => {
    validateEndpointAddress(`${field}[${i}]`, address, exposure.serviceCidrs);
    const podCidr = exposure.podCidrs.find(cidr => IpNetwork.parse('network.podCidrs', cidr).contains(address));
    if (podCidr) {
      throw invalidInput(`${field}[${i}]`, address, `lies in the pod network ${podCidr}`, 'Give an address that is free in all networks of the cluster');
    }
  });
  const families = new Set(addresses.map(ipFamily));
  if (addresses.length === 0 || families.size < addresses.length) {
    throw invalidInput(field, addresses, 'does not have one address for a family', 'Give one IPv4 address, one IPv6 address, or both');
  }
  const serviceFamilies = serviceFamiliesOf(exposure);
  for (const address of addresses) {
    if (!serviceFamilies.includes(ipFamily(address))) {
      throw invalidInput(field, addresses, `has ${address}, while the Services are ${exposure.serviceCidrs.join(', ')} and so never lead to it`,
        'Give addresses of the families of network.serviceCidrs alone');
    }
  }
  if (!primaryAdvertiseAddress(endpoints, exposure)) {
    throw invalidInput(field, addresses, `lacks an address of the primary family, that of ${exposure.serviceCidrs[0]}; the Service kubernetes has an address of it alone`,
      'Add one');
  }
}

/** The advertise address of the primary family of the Services, which is that of the Service `kubernetes`. */
export function primaryAdvertiseAddress(endpoints: TcpProxyEndpoints, exposure: Exposure): string | undefined {
  const [primary] = serviceFamiliesOf(exposure);
  return endpoints._advertise?.addresses.find(address => ipFamily(address) === primary);
}

/** Refuses a direct upstream that leads back to the proxy, or to where nothing can route it. */
export function validateUpstreamAddress(upstream: TcpProxyUpstreamConfig, exposure: Exposure, endpoints: TcpProxyEndpoints): void {
  const { host, port, mode, proxyProtocol, tunnel } = upstream;
  if (mode !== 'tcp' || proxyProtocol || tunnel) {
    return;
  }
  const remedy = 'Give an address of the management cluster that the nodes reach, e.g. a node with a NodePort, or choose TcpProxyUpstream.sni()';
  const fail = (reason: string) => invalidInput('upstream.host', host, reason, remedy);
  if (host === exposure.api.host && port === exposure.api.port) {
    throw fail('is the shared address, which cannot route raw TCP of clients that send no server name');
  }
  if (host === 'localhost' || isLoopback(host)) {
    throw fail('is the node of the proxy itself');
  }
  if (endpoints._advertise?.addresses.includes(host)) {
    throw fail('is the advertise address, so the proxy would connect to itself');
  }
  const serviceCidr = exposure.serviceCidrs.find(cidr => IpNetwork.parse('network.serviceCidrs', cidr).contains(host));
  if (serviceCidr) {
    throw fail(`lies in the tenant's own service network ${serviceCidr}, which works only once the proxy does`);
  }
}

function serviceFamiliesOf(exposure: Exposure): (string | undefined)[] {
  return exposure.kubernetesServiceIps.map(ipFamily);
}
