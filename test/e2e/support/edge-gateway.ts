import { mkdirSync, mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Agent } from './agent';
import { Machine } from './edge-network';
import { Endpoint } from '../../../src/model/endpoint';
import { CONTAINER } from '../../../src/shared-gateway/gateway-pod';
import { gatewayHaproxyConfig } from '../../../src/shared-gateway/haproxy-config';
import { GatewayTenant, tableTexts } from '../../../src/shared-gateway/routing-tables';
import { resolveGateway } from '../../../src/shared-gateway/settings';
import { eventually } from '../../data-path/support/eventually';

/** The port of hosts, as on the network of a node. */
export const EDGE_PORT = CONTAINER.sniPort;
const CONNECTIONS = { maxConnections: 2_000, shares: { perSource: 2_000, perTenant: 2_000 } };

/** The shared gateway on an edge, as with `hostNetwork`: HAProxy with the generated configuration, and the agent. */
export async function startEdgeGateway(edge: Machine, tenants: GatewayTenant[], nameserver: Endpoint): Promise<Agent> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-'));
  mkdirSync(join(folder, 'routes'));
  for (const [table, text] of Object.entries(tableTexts(tenants, 'cluster.local'))) writeFileSync(join(folder, 'routes', `${table}-00.map`), text);
  writeFileSync(join(folder, 'haproxy.cfg'), gatewayHaproxyConfig({
    ...resolveGateway(CONNECTIONS).haproxy, runFolder: join(folder, 'run'), listenAddresses: ['0.0.0.0'], sniPort: EDGE_PORT, tlvType: 0xe1, nameservers: [nameserver],
  }).render());
  const agent = new Agent([
    'gateway', `--haproxy-config=${folder}/haproxy.cfg`, `--routes-dir=${folder}/routes`, `--run-dir=${folder}/run`, `--nameserver=${nameserver.host}:${nameserver.port}`,
    '--health-address=0.0.0.0:8404', '--propagation-delay=3s', '--grace-period=120s',
  ], edge.prefix);
  await eventually(() => {
    if (!agent.alive) throw new Error(agent.output);
    return edge.run('curl --silent --output /dev/null --write-out "%{http_code}" http://127.0.0.1:8404/readyz || true') === '200';
  }, 30_000);
  return agent;
}
