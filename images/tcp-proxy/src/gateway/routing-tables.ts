import { ADDRESS_TABLE, mapLine, RoutingTable } from '../../../../src/agent/contract/routing-tables';

/** `addresses` is the agent's own, the others are mounted. */
export type TableName = RoutingTable | typeof ADDRESS_TABLE;

/** Keys and values of a map. */
export type Table = ReadonlyMap<string, string>;
export type MountedTables = Readonly<Record<RoutingTable, Table>>;

/** The targets that tables lead to. */
export function targetsOf({ hosts, 'cluster-ids': clusterIds, ports, destinations, tunnel }: MountedTables): string[] {
  return [hosts, clusterIds, ports, destinations, tunnel].flatMap(table => [...table.values()]);
}

/** A table as a file of HAProxy. */
export function tableText(table: Table): string {
  let text = '';
  for (const [key, value] of table) text += `${mapLine(key, value)}\n`;
  return text;
}
