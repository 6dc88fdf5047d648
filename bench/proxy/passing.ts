import { mkdtempSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Contender, ContenderName, ContenderOptions, LISTEN_PORT, Side } from './contender';
import { BenchGatewayOptions, GATEWAY_PORTS, startGateway, TENANT, TENANTS } from './gateway';
import { Target } from './load';
import { ADDRESS_NETWORK } from './namespace';
import { startNode } from './tcp-proxy';
import { CA_FILE, TLS_FILES } from '../../src/agent/contract/paths';
import { TUNNEL_SHARE } from '../../src/haproxy/tunnel';
import { resolveTlvType } from '../../src/model/cluster-id';
import { Endpoint } from '../../src/model/endpoint';
import { EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';
import { CertificateAuthority, CertificatePair } from '../../test/support/certificates';

const FIRST_PORT = 20_000;
const ADDRESS_PORT = 7443;
const TUNNEL_HOST = 'tunnel.k8s.example.com';

/** The edge behind every way that opens TLS on a node, or that sends SNI as kubelets do: a route by host. */
export async function startSniEdge(options: ContenderOptions): Promise<Contender> {
  const edge = await gateway(options, {
    keys: { hosts: tenant => tenant === TENANT ? EXPOSURE.api.host : `tenant-${tenant}.k8s.example.org` },
  });
  return contender('sni-edge', { edge }, { ...targetOf(options, new Endpoint(options.node, GATEWAY_PORTS.sni)), serverName: EXPOSURE.api.host });
}

/** A tcp-proxy that passes the bytes with the tenant's cluster ID, and the gateway behind it. */
export async function startSharedGateway(options: ContenderOptions): Promise<Contender> {
  const { installation } = options;
  const clusterId = (tenant: number) => `00000000-0000-4000-8000-${String(tenant).padStart(12, '0')}`;
  const address = installation.node();
  const edge = await gateway({ ...options, node: address }, { config: { clusterIdPort: GATEWAY_PORTS.clusterId }, keys: { 'cluster-ids': clusterId } });
  const { process: node, stop } = await startNode(options, {
    host: address,
    port: GATEWAY_PORTS.clusterId,
    mode: 'tcp',
    serverName: EXPOSURE.api.host,
    proxyProtocol: { tlvType: resolveTlvType({}), clusterId: clusterId(TENANT) },
  });
  return contender('shared-gateway', { node, edge }, targetOf(options, new Endpoint(options.node, LISTEN_PORT)), stop);
}

/** A port of the tenant at the gateway, which listens on one for each tenant. There is nothing on the node but the kernel's NAT. */
export async function startPort(options: ContenderOptions): Promise<Contender> {
  const edge = await gateway(options, {
    config: { portRange: { first: FIRST_PORT, last: FIRST_PORT + TENANTS - 1 } },
    keys: { ports: tenant => String(FIRST_PORT + tenant) },
  });
  return contender('port', { edge }, targetOf(options, new Endpoint(options.node, FIRST_PORT + TENANT)));
}

/** An IPv6 address of the tenant at the gateway; likewise. */
export async function startIpv6Address(options: ContenderOptions): Promise<Contender> {
  const address = (tenant: number) => `${ADDRESS_NETWORK}:${(tenant + 1).toString(16)}:0:0:1`.replace(':0:0:', '::');
  const edge = await gateway(options, { config: { addressPort: ADDRESS_PORT }, keys: { destinations: address } });
  return contender('ipv6-address', { edge }, targetOf(options, new Endpoint(address(TENANT), ADDRESS_PORT)));
}

/** A tcp-proxy that puts a TLS tunnel around the bytes, and the gateway that unwraps them. The ingress between them is the one of `sni-edge`. */
export async function startTunnel(options: ContenderOptions): Promise<Contender> {
  const { installation } = options;
  const name = (tenant: number) => `tenants.tenant-${tenant}`;
  const address = installation.node();
  const [edgeFolder, nodeFolder] = await tunnelFolders(name(TENANT));
  // Tunnels have a part of a gateway's connections.
  const maxConnections = Math.ceil(options.maxConnections / TUNNEL_SHARE);
  const edge = await gateway({ ...options, node: address, maxConnections }, {
    config: { tunnel: { port: GATEWAY_PORTS.tunnel } }, tunnelFolder: edgeFolder, keys: { tunnel: name },
  });
  const { process: node, stop } = await startNode(options, {
    host: address, port: GATEWAY_PORTS.tunnel, mode: 'tcp', serverName: EXPOSURE.api.host, tunnel: { serverName: TUNNEL_HOST },
  }, { tunnelFolder: nodeFolder });
  return contender('tunnel', { node, edge }, targetOf(options, new Endpoint(options.node, LISTEN_PORT)), stop);
}

/** The files of both ends of a tunnel. */
async function tunnelFolders(tenant: string): Promise<[edge: string, node: string]> {
  const ca = await CertificateAuthority.create('tunnel', 'ecdsa');
  const folderOf = ({ certificate, key }: CertificatePair): string => {
    const folder = mkdtempSync(join(tmpdir(), 'tunnel-'));
    writeFileSync(join(folder, TLS_FILES.certificate), certificate);
    writeFileSync(join(folder, TLS_FILES.key), key);
    writeFileSync(join(folder, CA_FILE), ca.certificate);
    return folder;
  };
  return [
    folderOf(await ca.issue({ commonName: TUNNEL_HOST, sans: [TUNNEL_HOST], keyType: 'ecdsa' })),
    folderOf(await ca.issue({ commonName: tenant, keyType: 'ecdsa' })),
  ];
}

function gateway({ installation, node, maxConnections }: ContenderOptions, options: Pick<BenchGatewayOptions, 'config' | 'keys' | 'tunnelFolder'>): Promise<Process> {
  const [host, port] = installation.upstream.split(':');
  return startGateway({ node, upstream: new Endpoint(host, Number(port)), maxConnections, ...options });
}

/** TLS is open at the API server alone, which has the names that pods know it by. */
function targetOf({ installation }: ContenderOptions, endpoint: Endpoint): Target {
  return { address: endpoint.toString(), serverName: EXPOSURE.inClusterNames[0], caFile: installation.cluster.caFile };
}

function contender(name: ContenderName, processes: { readonly [side in Side]?: Process }, target: Target, stopNode?: () => Promise<void>): Contender {
  return {
    name,
    processes,
    target,
    stop: async () => {
      await stopNode?.();
      await processes.edge!.kill('SIGTERM');
    },
  };
}
