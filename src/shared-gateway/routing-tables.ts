import { createHash } from 'crypto';
import { allowedSourceKeys } from './allowed-sources';
import { mapLine, ROUTING_TABLES, RoutingTable, targetText } from '../agent/contract/routing-tables';
import { validateClusterId } from '../model/cluster-id';
import { API_ROUTE, Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { tunnelName } from '../model/tunnel-name';
import { invalidInput } from '../validation/invalid-input';

/** Lines of each table. */
export type RoutingLines = { readonly [table in RoutingTable]: readonly string[] };

/** Text of each table. */
export type RoutingTexts = { readonly [table in RoutingTable]: string };

/** An IPv6 address that leads to one tenant. */
export interface TenantAddress {
  /** In its canonical form. */
  readonly address: string;
  readonly route: PassthroughRoute;
}

/** A tenant of the gateway. */
export interface GatewayTenant {
  readonly exposure: Exposure;
  /** The entry that these are the routes of; undefined for the main one. */
  readonly entry?: string;
  /** Routes that are found by their host. */
  readonly routes: PassthroughRoute[];
  /** Routes that are found by their port. */
  readonly portRoutes?: PassthroughRoute[];
  /** The address of its own. */
  readonly address?: TenantAddress;
  readonly allowedCidrs?: string[];
}

/** An object of the API server holds 1 MiB; names, labels and escapes need a part of it. */
const SHARD_BYTES = 1_000_000;

/** The lines of one tenant. */
export function tenantLines({ exposure, entry, routes, portRoutes = [], address, allowedCidrs }: GatewayTenant, clusterDomain: string): RoutingLines {
  const list = `${exposure.namespace}/${entry === undefined ? exposure.name : listOfEntry(exposure.name, entry)}`;
  const target = (route: PassthroughRoute) => targetText({
    service: `${route.serviceName}.${route.serviceNamespace}.svc.${clusterDomain}`, port: route.servicePort, list: allowedCidrs && list,
  });
  const api = [...routes, ...portRoutes].find(route => route.name === API_ROUTE);
  return {
    'hosts': routes.map(route => mapLine(route.hostname, target(route))),
    'cluster-ids': exposure.clusterId !== undefined && api ? [mapLine(validateClusterId('clusterId', exposure.clusterId), target(api))] : [],
    'ports': portRoutes.map(route => mapLine(String(route.port), target(route))),
    'destinations': address ? [mapLine(address.address, target(address.route))] : [],
    'tunnel': api ? [mapLine(tunnelName(exposure), target(api))] : [],
    'allowed': allowedSourceKeys('allowedCidrs', allowedCidrs ?? [], list).map(key => mapLine(key, '1')),
    'domains': [],
    'gateways': [],
  };
}

/** A label that no control plane is called, as their names begin with a letter: two entries may have different sources. */
function listOfEntry(name: string, entry: string): string {
  return `0-${entry}-${createHash('sha256').update(`${name}/${entry}`).digest('hex').slice(0, 20)}`;
}

/**
 * Distributes tenants over a fixed number of ConfigMaps. Where a tenant goes depends on its name alone: the kubelet
 * updates ConfigMaps one by one, and a tenant that moved from one to another would be missing in between.
 */
export function shardOf({ exposure }: GatewayTenant, shards: number): number {
  return shardOfName(`${exposure.namespace}/${exposure.name}`, shards);
}

/** Likewise by any name. */
export function shardOfName(name: string, shards: number): number {
  return createHash('sha256').update(name).digest().readUInt32BE() % shards;
}

/** The tables of tenants as texts, the same in whatever order the tenants come. */
export function tableTexts(tenants: GatewayTenant[], clusterDomain: string): RoutingTexts {
  return textsOf(tenants.map(tenant => tenantLines(tenant, clusterDomain)));
}

/** Tables as texts, the same in whatever order their lines come. */
export function textsOf(lines: readonly RoutingLines[]): RoutingTexts {
  const text = (sorted: string[]) => (sorted.length === 0 ? '' : `${sorted.join('\n')}\n`);
  return Object.fromEntries(ROUTING_TABLES.map(table => [table, text(lines.flatMap(of => of[table]).sort())])) as RoutingTexts;
}

/** What is wrong with the size of a shard; undefined when it fits into a ConfigMap. */
export function oversized(texts: RoutingTexts, shards: number): string | undefined {
  const bytes = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  return bytes <= SHARD_BYTES ? undefined : invalidInput('routeShards', shards,
    `makes a ConfigMap of ${bytes} bytes, and Kubernetes allows 1 MiB`,
    `Give at least ${Math.ceil(1.5 * shards * bytes / SHARD_BYTES)}; the change rolls the gateway's pods once`).message;
}
