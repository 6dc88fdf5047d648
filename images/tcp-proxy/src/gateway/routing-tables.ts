import { gatewayAddressOf, isCluster } from '../../../../src/agent/contract/clusters';
import { ADDRESS_TABLE, endpointOf, mapLine, RoutingTable, serviceOf } from '../../../../src/agent/contract/routing-tables';

/** `addresses` is the agent's own, the others are mounted. */
export type TableName = RoutingTable | typeof ADDRESS_TABLE;

/** Keys and values of a map. */
export type Table = ReadonlyMap<string, string>;
export type MountedTables = Readonly<Record<RoutingTable, Table>>;

/** Something that a gateway connects to. */
export interface Endpoint {
  /** What has the address: a service, or the name or address of another gateway. */
  readonly service: string;
  readonly port: string;
}

/** What tables lead to, by `service:port`; another cluster is its gateway, whatever leads there. */
export function endpointsOf({ hosts, 'cluster-ids': clusterIds, ports, destinations, tunnel, gateways }: MountedTables): Map<string, Endpoint> {
  const endpoints = new Map<string, Endpoint>();
  for (const table of [hosts, clusterIds, ports, destinations, tunnel]) {
    for (const target of table.values()) {
      if (isCluster(target)) continue;
      const endpoint = endpointOf(target);
      if (!endpoints.has(endpoint)) endpoints.set(endpoint, { service: serviceOf(target), port: endpoint.slice(endpoint.indexOf(':') + 1) });
    }
  }
  for (const gateway of gateways.values()) {
    const service = gatewayAddressOf(gateway);
    endpoints.set(gateway, { service, port: gateway.slice(service.length + 1) });
  }
  return endpoints;
}

/** The service, or the name or address of another gateway, that a target leads to; undefined for a cluster that is not known. */
export function serviceBehind(target: string, gateways: Table): string | undefined {
  if (!isCluster(target)) return serviceOf(target);
  const gateway = gateways.get(target);
  return gateway === undefined ? undefined : gatewayAddressOf(gateway);
}

/** The text that is known already, so that there is one of it: many lines have one value where that is another cluster. */
export function oneOf(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known === undefined) texts.set(text, text);
  return known ?? text;
}

const LINES_AT_ONCE = 1_000;

/** A table as a file of HAProxy, in parts: as one text it would be several megabytes, each time that a line changes. */
export function* tableParts(table: Table): Generator<string> {
  let lines: string[] = [];
  for (const [key, value] of table) {
    if (lines.push(`${mapLine(key, value)}\n`) < LINES_AT_ONCE) continue;
    yield lines.join('');
    lines = [];
  }
  yield lines.join('');
}
