import { isIPv4, isIPv6 } from 'net';
import { CLUSTER_MARK, isCluster } from './clusters';
import type { RoutingTable } from './routing-tables';

/** More than the longest line: a host name, a service name, a port and a list, each as long as it may be. */
export const LONGEST_LINE = 1_024;

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const LONGEST_NAME = 253;
const LONGEST_CLUSTER_ID = 128;
/** X.520, `ub-common-name`. */
export const LONGEST_COMMON_NAME = 64;
/** Never a host at a shared address: every tenant has them. */
const IN_CLUSTER_NAME = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

/** How HAProxy writes `::1/128` after its `ipmask`. */
const LOOPBACK = '0.0.0.1/128';

/** What characters alone do not say: lengths, numbers, and names that no tenant can have. */
const LIMITS: { readonly [table in RoutingTable]: (key: string, value: string) => boolean } = {
  'hosts': (host, target) => isName(host) && !IN_CLUSTER_NAME.test(host) && isTarget(target),
  'cluster-ids': (clusterId, target) => clusterId.length <= LONGEST_CLUSTER_ID && isTarget(target),
  'tunnel': (commonName, target) => commonName.length <= LONGEST_COMMON_NAME && isTarget(target),
  'ports': (port, target) => isPort(port) && isTarget(target),
  'destinations': (address, target) => isOneSpelling(address) && isTarget(target),
  'allowed': key => isNetwork(key.slice(0, key.indexOf('@'))) && isList(key.slice(key.indexOf('@') + 1)),
  'domains': (domain, cluster) => isName(domain) && !IN_CLUSTER_NAME.test(domain) && isClusterName(cluster),
  'gateways': (cluster, gateway) => isClusterName(cluster) && isGateway(gateway),
};

/** Whether a line whose characters are right means something that can be. */
export function isWithinLimits(table: RoutingTable, key: string, value: string): boolean {
  return LIMITS[table](key, value);
}

function isTarget(target: string): boolean {
  if (isCluster(target)) {
    return isClusterName(target);
  }
  const [service, port, list] = target.split(':');
  return isService(service) && isPort(port) && (list === undefined || isList(list));
}

/** A name whose last label is a number would be taken for an address (RFC 1123, 2.1). */
function isService(name: string): boolean {
  return isName(name) && /\.[a-z][^.]*$/.test(name);
}

function isClusterName(cluster: string): boolean {
  return LABEL.test(cluster.slice(CLUSTER_MARK.length));
}

function isGateway(gateway: string): boolean {
  const [address, port] = gateway.split('|');
  return (isIPv4(address) || isOneSpelling(address) || isService(address)) && isPort(port);
}

/** Whether it is an IPv6 address in its canonical form (RFC 5952): two spellings would be two keys of one address. */
function isOneSpelling(address: string): boolean {
  return isIPv6(address) && new URL(`http://[${address}]`).hostname === `[${address}]`;
}

/** The characters of a number are checked before. */
function isPort(text: string): boolean {
  return Number(text) <= 65_535;
}

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && text.split('.').every(label => LABEL.test(label));
}

/** Namespace and name of a control plane. */
function isList(text: string): boolean {
  return text.split('/').every(label => LABEL.test(label));
}

function isNetwork(text: string): boolean {
  if (text === LOOPBACK) {
    return true;
  }
  const [address, prefix] = text.split('/');
  return isIPv4(address) ? Number(prefix) <= 32 : isIPv6(address) && Number(prefix) <= 128;
}
