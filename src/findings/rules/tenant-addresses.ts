import { isIPv6 } from 'net';
import { Fault, nameOf, Rule, someOf } from './rule';
import { routesOfAddress } from '../../manifests/by-address';
import { Platform } from '../../manifests/platform';
import { leadsAddresses } from '../../manifests/read-shared-gateway';

export const addressElsewhere: Rule = {
  code: 'HCP635',
  severity: 'error',
  title: 'an IPv6 address of a shared gateway leads to two servers',
  check: platform => platform.addressRoutes.flatMap((route): Fault[] => {
    // HAProxy takes the first line of an address.
    const [first] = routesOfAddress(route.address, platform).filter(({ gateway }) => gateway === route.gateway);
    return first.namespace === route.namespace && first.service === route.service ? [] : [{
      source: route.source,
      field: route.path,
      message: `${route.address} leads to Service ${route.namespace}/${route.service}, and to Service ${first.namespace}/${first.service} in ` +
        `${route.source === first.source ? 'another line' : nameOf(first.source)}: one tenant reaches the other`,
      remedy: 'Give each tenant an address of its own',
    }];
  }),
};

export const addressOfGateway: Rule = {
  code: 'HCP636',
  severity: 'error',
  title: 'a line of addresses of a shared gateway is no IPv6 address',
  check: platform => platform.addressRoutes.filter(({ address }) => !isIPv6(address) || address.includes('%')).map(({ source, address, path }) => ({
    source,
    field: path,
    message: `"${address}" is no IPv6 address, so the gateway leaves the line out`,
    remedy: 'Write the address of the tenant, like 2001:db8:1::10',
  })),
};

export const endpointAddress: Rule = {
  code: 'HCP649',
  severity: 'error',
  title: 'default/kubernetes has an address that a shared gateway leads to no API server',
  check: platform => {
    // Where no gateway has addresses they are those of API servers, of proxies or of an edge as a whole.
    if (!platform.sources.some(leadsAddresses) || platform.proxyWorkloads.length > 0) return [];
    const ports = new Set(platform.portRoutes.map(({ port }) => port));
    const byAddress = platform.kubernetesEndpoints.filter(({ ports: published }) => !published.some(({ value }) => ports.has(value)));
    return byAddress.flatMap(({ source, addresses }) =>
      addresses.filter(({ value }) => isIPv6(value) && routesOfAddress(value, platform).length === 0).map(({ value, path }): Fault => ({
        source,
        field: path,
        message: `is ${value}, which no gateway in these manifests leads anywhere (${addressesOf(platform)}), so pods reach nothing at kubernetes.default.svc`,
        remedy: 'Write the address of the tenant at the gateway, or register the tenant with it',
      })));
  },
};

function addressesOf({ addressRoutes }: Platform): string {
  return addressRoutes.length === 0 ? 'they have no address' : `they have ${someOf([...new Set(addressRoutes.map(({ address }) => address))])}`;
}
