import { validateHostname } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork } from '../validation/ip-network';

/** What of the tenant cluster's network shows in certificates and endpoints. */
export interface TenantNetwork {
  /**
   * DNS domain of the tenant cluster.
   * @default cluster.local
   */
  readonly clusterDomain?: string;
  /**
   * Networks of the Services, at most one per address family; the first is the primary family.
   * @default - 10.96.0.0/16
   */
  readonly serviceCidrs?: string[];
  /**
   * Networks of the pods, of the same address families as the Services, in the same order.
   * @default - 10.244.0.0/16 where the Services are IPv4 alone
   */
  readonly podCidrs?: string[];
  /**
   * Addresses of the cluster DNS Service; each must lie in a Service network.
   * @default - the platform's, e.g. 10.96.0.10
   */
  readonly dnsServiceIps?: string[];
}

/** kube-apiserver refuses a Service network of fewer addresses. */
const LEAST_SERVICE_ADDRESSES = 8n;

/** Checks the network of a tenant and fills in its defaults. */
export function parseTenantNetwork(network: TenantNetwork): Required<TenantNetwork> {
  const serviceCidrs = network.serviceCidrs ?? ['10.96.0.0/16'];
  const podCidrs = network.podCidrs ?? ['10.244.0.0/16'];
  const services = parseCidrs('network.serviceCidrs', serviceCidrs);
  const pods = parseCidrs('network.podCidrs', podCidrs);
  validateFamilies(services, pods);
  validateServiceNetworks(services, pods);
  const dnsServiceIps = network.dnsServiceIps ?? [];
  dnsServiceIps.forEach((ip, i) => validateDnsServiceIp(`network.dnsServiceIps[${i}]`, ip, services));
  return {
    clusterDomain: validateHostname('network.clusterDomain', network.clusterDomain ?? 'cluster.local'),
    serviceCidrs,
    podCidrs,
    dnsServiceIps,
  };
}

function parseCidrs(field: string, cidrs: string[]): IpNetwork[] {
  if (cidrs.length === 0) {
    throw invalidInput(field, cidrs, 'is empty', 'Leave it out for the default, or give one network per address family');
  }
  const networks = cidrs.map((cidr, i) => IpNetwork.parse(`${field}[${i}]`, cidr));
  if (new Set(networks.map(({ family }) => family)).size < networks.length) {
    throw invalidInput(field, cidrs, 'has two networks of one address family', 'Give at most one IPv4 and one IPv6 network');
  }
  return networks;
}

function validateFamilies(services: IpNetwork[], pods: IpNetwork[]): void {
  const families = (networks: IpNetwork[]) => networks.map(({ family }) => family).join(', ');
  if (families(services) !== families(pods)) {
    throw invalidInput('network.podCidrs', pods.map(({ cidr }) => cidr), `is of the families ${families(pods)}, while network.serviceCidrs is of ${families(services)}`,
      'Give one network for each family of the Services, in the same order');
  }
}

function validateServiceNetworks(services: IpNetwork[], pods: IpNetwork[]): void {
  for (const service of services) {
    if (service.size < LEAST_SERVICE_ADDRESSES) {
      throw invalidInput('network.serviceCidrs', service.cidr, `has ${service.size} addresses; kube-apiserver wants ${LEAST_SERVICE_ADDRESSES}`, 'Give a larger network');
    }
    const pod = pods.find(other => other.overlaps(service));
    if (pod) {
      throw invalidInput('network.podCidrs', pod.cidr, `overlaps the Service network ${service.cidr}`, 'Give two networks that share no address');
    }
  }
}

function validateDnsServiceIp(field: string, ip: string, services: IpNetwork[]): void {
  const network = services.find(candidate => candidate.contains(ip));
  if (!network) {
    throw invalidInput(field, ip, `does not lie in the Service networks ${services.map(({ cidr }) => cidr).join(', ')}`,
      `Give an address of a Service network, e.g. "${services[0].nth(10n)}"`);
  }
  if (ip === network.nth(0n) || ip === network.nth(1n)) {
    throw invalidInput(field, ip, 'is the first of the Service network, which the Service kubernetes has', `Give another, e.g. "${network.nth(10n)}"`);
  }
}
