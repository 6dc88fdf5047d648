import { MAPS_FOLDER } from '../../agent/contract/paths';
import { ADDRESS_TABLE, mapFile, RoutingTable } from '../../agent/contract/routing-tables';
import type { GatewayHaproxyOptions } from '../haproxy-options';

/** The converter that looks a key up in the map of a table. */
export function lookup({ runFolder }: GatewayHaproxyOptions, table: RoutingTable | typeof ADDRESS_TABLE, keys: 'str' | 'ip' = 'str'): string {
  return `map_${keys}(${runFolder}/${MAPS_FOLDER}/${mapFile(table)})`;
}
