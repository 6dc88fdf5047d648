import { Contender, ContenderName, ContenderOptions, LISTEN_PORT, Side } from './contender';
import { BenchGatewayOptions, GATEWAY_PORTS, startGateway, TENANT, TENANTS } from './gateway';
import { Target } from './load';
import { ADDRESS_NETWORK } from './namespace';
import { startNode } from './tcp-proxy';
import { resolveTlvType } from '../../src/model/cluster-id';
import { Endpoint } from '../../src/model/endpoint';
import { EXPOSURE } from '../../test/e2e/support/cluster';
import { Process } from '../../test/e2e/support/process';

const FIRST_PORT = 20_000;
const ADDRESS_PORT = 7443;

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

function gateway({ installation, node, maxConnections }: ContenderOptions, options: Pick<BenchGatewayOptions, 'config' | 'keys'>): Promise<Process> {
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
