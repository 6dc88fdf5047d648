import { randomBytes } from 'crypto';
import { mkdir, writeFile } from 'fs/promises';
import { join } from 'path';
import { temporaryFolder, writeTunnelFiles } from './chain';
import { DnsServer } from './dns-server';
import { HaproxyProcess, Inside } from './haproxy-process';
import { proxyHeader, ProxyHeaderOptions } from './proxy-header';
import { exchange, TLS_START } from './tenant-server';
import { MAPS_FOLDER, TICKET_KEYS_FILE, TUNNEL_FOLDER } from '../../../src/agent/contract/paths';
import { ADDRESS_TABLE, mapFile, ROUTING_TABLES } from '../../../src/agent/contract/routing-tables';
import { resolveTlvType } from '../../../src/model/cluster-id';
import { Endpoint } from '../../../src/model/endpoint';
import { gatewayHaproxyConfig } from '../../../src/shared-gateway/haproxy-config';
import { GatewayHaproxyOptions } from '../../../src/shared-gateway/haproxy-options';
import { resolveGateway } from '../../../src/shared-gateway/settings';
import { CertificatePair } from '../../support/certificates';
import { freePortRange, freePorts } from '../../support/ports';

export const TLV_TYPE = resolveTlvType({});

/** The end of tunnels at a gateway. */
interface TunnelEnd {
  readonly pair: CertificatePair;
  readonly clientCa: string;
  readonly proxyProtocolCidrs?: string[];
  /** @default - new ones */
  readonly ticketKeys?: string;
}

/** How a gateway is started. */
export interface GatewayOptions {
  /** Lines of the maps. */
  readonly hosts?: string[];
  readonly clusterIds?: string[];
  /** By the first of the ports; without them the gateway has none. */
  readonly ports?: (first: number) => string[];
  readonly destinations?: string[];
  readonly tunnel?: string[];
  readonly allowed?: string[];
  readonly domains?: string[];
  readonly gateways?: string[];
  readonly addresses?: string[];
  /** Options of the renderer. */
  readonly config?: Partial<GatewayHaproxyOptions>;
  /** The end of tunnels: its certificate, and the authorities of its clients. @default - none */
  readonly tunnelEnd?: TunnelEnd;
  /** Text to replace in the rendered configuration, e.g. to shorten times. Each must be there. */
  readonly replace?: { [text: string]: string };
  /** The network namespace to run in. @default - that of the test */
  readonly inside?: Inside;
}

/** A running gateway, without its agent. */
export interface Gateway {
  readonly haproxy: HaproxyProcess;
  readonly dns: DnsServer;
  readonly folder: string;
  readonly tunnelPort: number;
  readonly sniPort: number;
  readonly clusterIdPort: number;
  /** The first of the ports of tenants. */
  readonly firstPort: number;
}

/** How many ports of tenants a gateway has. */
const PORTS = 8;

/** What the memory limit has room for takes more file descriptors than many machines give to a test. */
const MOST_CONNECTIONS = 5_000;

/** The configuration of a gateway on loopback addresses. */
export function gatewayConfig(options: Pick<GatewayHaproxyOptions, 'runFolder' | 'sniPort' | 'clusterIdPort'> & Partial<GatewayHaproxyOptions>): string {
  return gatewayHaproxyConfig({
    ...resolveGateway({ maxConnections: MOST_CONNECTIONS }).haproxy,
    listenAddresses: ['127.0.0.1', '::1'],
    tlvType: TLV_TYPE,
    ...options,
  }).render();
}

/** Starts HAProxy with the configuration of the library. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const folder = await temporaryFolder();
  const dns = await DnsServer.start();
  const [sniPort, clusterIdPort, tunnelPort] = await freePorts(3);
  const firstPort = options.ports ? await freePortRange(PORTS) : 0;
  await mkdir(join(folder, MAPS_FOLDER));
  const { hosts = [], clusterIds = [], destinations = [], tunnel = [], allowed = [], domains = [], gateways = [], addresses = [] } = options;
  const { ports, tunnelEnd } = options;
  const maps = { hosts, 'cluster-ids': clusterIds, 'ports': ports?.(firstPort) ?? [], destinations, tunnel, allowed, domains, gateways, addresses };
  for (const table of [...ROUTING_TABLES, ADDRESS_TABLE] as const) {
    await writeFile(join(folder, MAPS_FOLDER, mapFile(table)), maps[table].map(line => `${line}\n`).join(''));
  }
  if (tunnelEnd) {
    await writeTunnelFiles(folder, tunnelEnd.pair, tunnelEnd.clientCa);
    await writeFile(join(folder, TUNNEL_FOLDER, TICKET_KEYS_FILE), tunnelEnd.ticketKeys ?? newTicketKeys());
  }
  let text = gatewayConfig({
    runFolder: folder,
    sniPort,
    clusterIdPort,
    portRange: ports && { first: firstPort, last: firstPort + PORTS - 1 },
    tunnel: tunnelEnd && { port: tunnelPort, proxyProtocolCidrs: tunnelEnd.proxyProtocolCidrs },
    nameservers: [new Endpoint('127.0.0.1', dns.port)],
    ...options.config,
  });
  for (const [from, to] of Object.entries(options.replace ?? {})) {
    if (!text.includes(from)) {
      throw new Error(`the configuration has no "${from}" that could be replaced`);
    }
    text = text.split(from).join(to);
  }
  return { haproxy: await HaproxyProcess.start(folder, 'gateway', text, options.inside), dns, folder, sniPort, clusterIdPort, tunnelPort, firstPort };
}

/** Keys for the tickets of TLS sessions, as HAProxy reads them. */
export function newTicketKeys(): string {
  return Array.from({ length: 3 }, () => `${randomBytes(80).toString('base64')}\n`).join('');
}

/** A header with a cluster ID, as a tenant's proxy sends it. */
export function clusterIdHeader(clusterId: string, options: ProxyHeaderOptions = {}): Buffer {
  return proxyHeader({ tlvs: [[TLV_TYPE, clusterId]], ...options });
}

/** What a client of the cluster ID port gets for a header. */
export function answerTo(gateway: Pick<Gateway, 'clusterIdPort'>, header: Buffer, host?: string): Promise<string> {
  return exchange(gateway.clusterIdPort, Buffer.concat([header, TLS_START]), host);
}
