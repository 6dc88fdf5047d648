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

/** A table as a file of HAProxy. */
export function tableText(table: Table): string {
  let text = '';
  for (const [key, value] of table) text += `${mapLine(key, value)}\n`;
  return text;
}
