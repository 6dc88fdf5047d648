import { clusterTarget, gatewayText } from '../../../../../src/agent/contract/clusters';
import { allowedKey, mapLine, mountedMapFile, RoutingTable } from '../../../../../src/agent/contract/routing-tables';
import { TUNNEL } from '../identities';
import { PUBLIC_HOST, SERVICE } from '../world';

const LIST = 'tenants/tenant-01';

/**
 * A line of each kind, as they are mounted.
 *
 * @param further service with an address of its own at the gateway
 */
export function tunnelRoutes(further?: string): Record<string, string> {
  const target = `${SERVICE}:6443`;
  const cluster = clusterTarget('b');
  const lines: Record<RoutingTable, [string, string][]> = {
    'hosts': [[PUBLIC_HOST, `${target}:${LIST}`], ['other.k8s.example.com', cluster]],
    'cluster-ids': [['c1', target]],
    'ports': [['20001', target]],
    'destinations': further ? [['fd00:1::1', `${further}:6443`]] : [],
    'tunnel': [[TUNNEL.client, target]],
    'allowed': [[allowedKey('10.0.0.0', 8, LIST), '1']],
    'domains': [['b.example.com', cluster]],
    'gateways': [[cluster, gatewayText('edge-b.example.com', 443)]],
  };
  return Object.fromEntries(Object.entries(lines).map(([table, entries]) =>
    [mountedMapFile(table as RoutingTable, 0), entries.map(([key, value]) => `${mapLine(key, value)}\n`).join('')]));
}
