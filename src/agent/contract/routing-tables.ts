import { CLUSTER_TARGET, GATEWAY_TEXT } from './clusters';
import { isWithinLimits, LONGEST_LINE } from './route-limits';

/**
 * The routing tables of the gateway; each is a map of HAProxy.
 *
 * - `hosts`: SNI host to target
 * - `cluster-ids`: cluster ID to target
 * - `ports`: port to target
 * - `destinations`: address of a tenant at the gateway to target
 * - `tunnel`: common name of a client certificate to target
 * - `allowed`: network and list to `1`
 * - `domains`: domain, all hosts of which are in one cluster, to that cluster
 * - `gateways`: cluster to its gateway
 */
export const ROUTING_TABLES = ['hosts', 'cluster-ids', 'ports', 'destinations', 'tunnel', 'allowed', 'domains', 'gateways'] as const;
/** See `ROUTING_TABLES`. */
export type RoutingTable = typeof ROUTING_TABLES[number];

/** The agent's own map: the service of a target to its address. */
export const ADDRESS_TABLE = 'addresses';

/** The file of a map: the key of a ConfigMap, and what HAProxy reads. */
export function mapFile(table: RoutingTable | typeof ADDRESS_TABLE): string {
  return `${table}.map`;
}

/** The file of a map as it is mounted, one from each ConfigMap. */
export function mountedMapFile(table: RoutingTable, shard: number): string {
  return `${table}-${String(shard).padStart(2, '0')}.map`;
}

/** The table that a mounted file belongs to. */
export function tableOfMountedFile(file: string): RoutingTable | undefined {
  return ROUTING_TABLES.find(table => file.startsWith(`${table}-`) && file.endsWith('.map'));
}

/**
 * Where a route leads to. In a map it is the one text `<service>:<port>`, or `<service>:<port>:<list>` where sources are
 * limited, so that a tenant can never be routed before its list is known.
 */
export interface Target {
  /** `<service>.<namespace>.svc.<cluster domain>` */
  readonly service: string;
  readonly port: number;
  /** Name of the list of allowed sources: `<namespace>/<name>` of the control plane, or a name that none has for another entry than the main one. */
  readonly list?: string;
}

/** The fields of a target's text, as HAProxy's `field` counts them. */
export const TARGET_FIELDS = { service: 'field(1,:)', port: 'field(2,:)', list: 'field(3,:)' } as const;

/** A target as the value of a map. */
export function targetText({ service, port, list }: Target): string {
  return [service, port, ...list === undefined ? [] : [list]].join(':');
}

/** The service that a target names. */
export function serviceOf(target: string): string {
  return target.slice(0, target.indexOf(':'));
}

/** `service:port` of a target, without the list. */
export function endpointOf(target: string): string {
  return target.split(':', 2).join(':');
}

/** The key for a network that a list admits. HAProxy makes the same of a source and each prefix length. */
export function allowedKey(address: string, prefixLength: number, list: string): string {
  return `${address}/${prefixLength}@${list}`;
}

/** A line of a map, without its end. */
export function mapLine(key: string, value: string): string {
  return `${key} ${value}`;
}

const TARGET = /^[a-z0-9-]+(\.[a-z0-9-]+)+:[1-9]\d{0,4}(:[a-z0-9-]+\/[a-z0-9-]+)?$/;
const TARGET_OR_CLUSTER = new RegExp(`${TARGET.source}|${CLUSTER_TARGET.source}`);
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

const LINES: { readonly [table in RoutingTable]: { readonly key: RegExp; readonly value: RegExp } } = {
  'hosts': { key: HOST, value: TARGET_OR_CLUSTER },
  'cluster-ids': { key: /^[A-Za-z0-9][A-Za-z0-9._-]*$/, value: TARGET_OR_CLUSTER },
  'ports': { key: /^[1-9]\d{0,4}$/, value: TARGET_OR_CLUSTER },
  'destinations': { key: /^[0-9a-f:]+$/, value: TARGET },
  'tunnel': { key: /^[a-z0-9][a-z0-9.-]*$/, value: TARGET },
  'allowed': { key: /^[0-9a-f.:]+\/\d{1,3}@[a-z0-9-]+\/[a-z0-9-]+$/, value: /^1$/ },
  'domains': { key: HOST, value: CLUSTER_TARGET },
  'gateways': { key: CLUSTER_TARGET, value: GATEWAY_TEXT },
};

/** What a line of a map says, or undefined when HAProxy must never see it. */
export function parseLine(table: RoutingTable, line: string): [key: string, value: string] | undefined {
  if (line.length > LONGEST_LINE) {
    return undefined;
  }
  const space = line.indexOf(' ');
  const [key, value] = [line.slice(0, space), line.slice(space + 1)];
  const valid = space > 0 && LINES[table].key.test(key) && LINES[table].value.test(value);
  return valid && isWithinLimits(table, key, value) ? [key, value] : undefined;
}

/** The label `app.kubernetes.io/name` of a shared gateway and its ConfigMaps. */
export const GATEWAY_APP = 'shared-ingress-gateway';
