import { mkdirSync, mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { imageProcess, untilReady } from './contender';
import { mapLine, mountedMapFile, ROUTING_TABLES, RoutingTable, targetText } from '../../src/agent/contract/routing-tables';
import { resolveTlvType } from '../../src/model/cluster-id';
import { Endpoint } from '../../src/model/endpoint';
import { gatewayHaproxyConfig } from '../../src/shared-gateway/haproxy-config';
import { GatewayHaproxyOptions } from '../../src/shared-gateway/haproxy-options';
import { resolveGateway } from '../../src/shared-gateway/settings';
import { DnsServer } from '../../test/data-path/support/dns-server';
import { Process } from '../../test/e2e/support/process';

export const GATEWAY_PORTS = { sni: 8443, clusterId: 6443, tunnel: 9443 } as const;
/** So many tenants are in the maps; the load goes to one in their middle. */
export const TENANTS = 10_000;
export const TENANT = TENANTS / 2;
const SERVICE = 'tenant.tenants.svc.cluster.local';
const STARTS_WITHIN_MS = 60_000;

/** What a gateway of the benchmark is. */
export interface BenchGatewayOptions {
  /** Address that it listens on. */
  readonly node: string;
  /** Where all its tenants' API servers are. */
  readonly upstream: Endpoint;
  readonly maxConnections: number;
  /** Options of the renderer, e.g. a frontend more. */
  readonly config?: Partial<GatewayHaproxyOptions>;
  /** Folder with the certificate of the end of tunnels. */
  readonly tunnelFolder?: string;
  /** The keys of a table for the tenant of a number; without them the table is empty. */
  readonly keys: { readonly [table in RoutingTable]?: (tenant: number) => string };
}

/**
 * Starts `tcp-proxy gateway` with the library's configuration and 10,000 tenants in each table that it uses. They have one
 * Service, as what the agent does all the time for 10,000 is no cost of a connection (bench:idle has it).
 */
export async function startGateway({ node, upstream, maxConnections, config, tunnelFolder, keys }: BenchGatewayOptions): Promise<Process> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-'));
  const runFolder = join(folder, 'run');
  const routes = join(folder, 'routes');
  const dns = await DnsServer.start();
  dns.records.set(SERVICE, [upstream.host]);
  mkdirSync(routes);
  for (const table of ROUTING_TABLES) {
    const key = keys[table];
    const lines = key ? Array.from({ length: TENANTS }, (_, i) => `${mapLine(key(i), targetText({ service: SERVICE, port: upstream.port }))}\n`) : [];
    writeFileSync(join(routes, mountedMapFile(table, 0)), lines.join(''));
  }
  writeFileSync(join(folder, 'haproxy.cfg'), gatewayHaproxyConfig({
    // The one client of the benchmark may have all connections.
    ...resolveGateway({ maxConnections, shares: { perSource: maxConnections, perTenant: maxConnections } }).haproxy,
    runFolder,
    listenAddresses: [node],
    sniPort: GATEWAY_PORTS.sni,
    tlvType: resolveTlvType({}),
    nameservers: [new Endpoint('127.0.0.1', dns.port)],
    ...config,
  }).render());
  const gateway = imageProcess('/usr/bin/tcp-proxy', [
    'gateway', `--haproxy-config=${folder}/haproxy.cfg`, `--routes-dir=${routes}`, `--run-dir=${runFolder}`,
    `--nameserver=127.0.0.1:${dns.port}`, `--health-address=${node}:8404`, '--propagation-delay=0s', '--grace-period=1s',
    ...tunnelFolder === undefined ? [] : [`--tunnel-dir=${tunnelFolder}`],
  ]);
  await untilReady(gateway, node, STARTS_WITHIN_MS);
  return gateway;
}
