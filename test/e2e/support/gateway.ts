import { mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'fs';
import { get } from 'http';
import { tmpdir } from 'os';
import { join } from 'path';
import { Agent } from './agent';
import { Cluster, EXPOSURE } from './cluster';
import { Process } from './process';
import { HEALTH_PORT } from '../../../src/agent/contract/health';
import { resolveTlvType } from '../../../src/model/cluster-id';
import { Endpoint } from '../../../src/model/endpoint';
import { CONTAINER } from '../../../src/shared-gateway/gateway-pod';
import { gatewayHaproxyConfig } from '../../../src/shared-gateway/haproxy-config';
import { GatewayHaproxyOptions } from '../../../src/shared-gateway/haproxy-options';
import { GatewayTenant, tableTexts } from '../../../src/shared-gateway/routing-tables';
import { resolveGateway } from '../../../src/shared-gateway/settings';
import { tcpProxyHaproxyConfig, TcpProxyUpstreamConfig } from '../../../src/tcp-proxy/haproxy-config';
import { resolveTcpProxy } from '../../../src/tcp-proxy/settings';
import { DnsServer } from '../../data-path/support/dns-server';
import { eventually } from '../../data-path/support/eventually';

const TLV_TYPE = resolveTlvType({});
const CLUSTER_ID_PORT = CONTAINER.clusterIdPort;
/** A machine of tests may give fewer file descriptors than the memory limit has room for. Its one client may have them all. */
const CONNECTIONS = { maxConnections: 2_000, shares: { perSource: 2_000, perTenant: 2_000 } };
/** Addresses of the network namespace, see scripts/e2e.sh. */
const GATEWAY_ADDRESS = '127.0.0.1';

/** The shared gateway from the image's root file system. */
export class Gateway {
  /**
   * @param flags what the agent is told beside its files and addresses
   * @param config what its configuration has beside the defaults of the tests
   * @param tunnel folder with the certificate of the end of tunnels
   * @param healthPort of its own where there are several gateways
   */
  public static async start(
    tenants: GatewayTenant[], flags: string[] = [], config: Partial<GatewayHaproxyOptions> = {}, tunnel?: string, healthPort = 8405,
  ): Promise<Gateway> {
    const gateway = new Gateway(await DnsServer.start());
    gateway.mount(tenants);
    writeFileSync(gateway.configFile, gatewayHaproxyConfig({
      ...resolveGateway(CONNECTIONS).haproxy,
      runFolder: join(gateway.folder, 'run'),
      listenAddresses: [GATEWAY_ADDRESS],
      // 443 is the port of the ingress that the other tests use.
      sniPort: CONTAINER.sniPort,
      clusterIdPort: CLUSTER_ID_PORT,
      tlvType: TLV_TYPE,
      tunnel: tunnel === undefined ? undefined : { port: CONTAINER.tunnelPort },
      nameservers: [new Endpoint('127.0.0.1', gateway.dns.port)],
      ...config,
    }).render());
    gateway.args = [
      'gateway', `--haproxy-config=${gateway.folder}/haproxy.cfg`, `--routes-dir=${gateway.folder}/routes`, `--run-dir=${gateway.folder}/run`,
      `--nameserver=127.0.0.1:${gateway.dns.port}`, `--health-address=${GATEWAY_ADDRESS}:${healthPort}`, '--propagation-delay=0s', '--grace-period=5s',
      ...tunnel === undefined ? [] : [`--tunnel-dir=${tunnel}`], ...flags,
    ];
    gateway.run();
    await ready(gateway.agent, GATEWAY_ADDRESS, healthPort);
    return gateway;
  }

  public agent!: Agent;
  private args!: string[];
  private readonly folder = mkdtempSync(join(tmpdir(), 'gw-'));
  private mounted = 0;

  private constructor(public readonly dns: DnsServer) {}

  /** The mounted configuration of HAProxy. */
  public get configFile(): string {
    return join(this.folder, 'haproxy.cfg');
  }

  /** Starts the agent, as the kubelet does after a container died. */
  public run(): void {
    this.agent = new Agent(this.args);
  }

  /** Gives the Services of these tenants addresses. */
  public makeServices(tenants: GatewayTenant[]): void {
    for (const { routes: [api] } of tenants) {
      this.dns.records.set(`${api.serviceName}.${api.serviceNamespace}.svc.cluster.local`, ['127.0.0.1']);
    }
  }

  /** Mounts these tenants as the library writes them. */
  public mount(tenants: GatewayTenant[]): void {
    this.makeServices(tenants);
    this.mountTables(tableTexts(tenants, 'cluster.local'));
  }

  /** Mounts these texts, whatever they are. */
  public mountTables(texts: { readonly [table: string]: string }): void {
    const routes = join(this.folder, 'routes');
    const data = `..${++this.mounted}`;
    mkdirSync(join(routes, data), { recursive: true });
    for (const [table, text] of Object.entries(texts)) {
      writeFileSync(join(routes, data, `${table}-00.map`), text);
      if (this.mounted === 1) {
        symlinkSync(`..data/${table}-00.map`, join(routes, `${table}-00.map`));
      }
    }
    symlinkSync(data, join(routes, '..data.new'));
    renameSync(join(routes, '..data.new'), join(routes, '..data'));
  }
}

/** A tcp-proxy that sends the cluster ID to the gateway, on an address of its own. */
export async function startTenantProxy(cluster: Cluster, clusterId: string, address: string): Promise<Process> {
  return startRawProxy(cluster, address, { host: GATEWAY_ADDRESS, port: CLUSTER_ID_PORT, proxyProtocol: { tlvType: TLV_TYPE, clusterId } });
}

/** A tcp-proxy that goes through a tunnel, by way of an ingress on this port. */
export async function startTunnelProxy(
  cluster: Cluster, tunnel: { readonly port: number; readonly serverName: string; readonly folder: string }, address: string,
): Promise<Process> {
  const { port, serverName, folder } = tunnel;
  return startRawProxy(cluster, address, { host: GATEWAY_ADDRESS, port, tunnel: { serverName } }, [`--tunnel-dir=${folder}`]);
}

async function startRawProxy(
  cluster: Cluster, address: string, upstream: Omit<TcpProxyUpstreamConfig, 'mode' | 'serverName'>, flags: string[] = [],
): Promise<Process> {
  const folder = mkdtempSync(join(tmpdir(), 'tp-'));
  writeFileSync(join(folder, 'haproxy.cfg'), tcpProxyHaproxyConfig({
    ...resolveTcpProxy({ maxConnections: 1_000, shares: { perSource: 1_000 } }, 'tcp').haproxy,
    paths: { run: join(folder, 'run'), tls: join(folder, 'tls'), ca: cluster.caFile },
    upstream: { ...upstream, mode: 'tcp', serverName: 'kubernetes' },
    listenAddresses: [address],
    families: ['ipv4'],
    hostAliased: false,
  }).render());
  const proxy = new Agent([
    'serve', '--endpoints=none', `--haproxy-config=${folder}/haproxy.cfg`, `--run-dir=${folder}/run`, `--tls-dir=${folder}/tls`,
    `--ca-file=${cluster.caFile}`, `--api-server=${EXPOSURE.kubeconfigServer}`, `--health-address=${address}:${HEALTH_PORT}`, '--propagation-delay=0s',
    ...flags,
  ]);
  return proxy;
}

/** Waits for `/readyz`, and tells what it said when it does not come. */
export function ready(of: Process, address: string, port: number = HEALTH_PORT): Promise<unknown> {
  return eventually(() => new Promise<boolean>((resolve, reject) => {
    get({ host: address, port, path: '/readyz', agent: false }, response => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', error => reject(new Error(`${error.message}\n${of.output}`)));
  }), 30_000);
}
