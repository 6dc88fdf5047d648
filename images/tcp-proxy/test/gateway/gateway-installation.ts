import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { SOCKETS } from '../../../../src/agent/contract/paths';
import { mountedMapFile, ROUTING_TABLES } from '../../../../src/agent/contract/routing-tables';
import { Endpoint } from '../../../../src/model/endpoint';
import { PortRange } from '../../../../src/model/port-range';
import { GatewayHaproxyOptions } from '../../../../src/shared-gateway/haproxy-options';
import { SHARED_GATEWAY_DEFAULTS } from '../../../../src/shared-gateway/settings';
import { DnsServer } from '../../../../test/data-path/support/dns-server';
import { clusterIdHeader, gatewayConfig } from '../../../../test/data-path/support/gateway';
import { exchange, RawConnection, TenantServer, TLS_START } from '../../../../test/data-path/support/tenant-server';
import { haproxyBinary } from '../../../../test/support/haproxy';
import { freePortRange, freePorts } from '../../../../test/support/ports';
import { HaproxyProcess, MasterSocket } from '../../src/haproxy/master-socket';
import { Agent, AgentOptions } from '../support/agent';
import { MountedFolder } from '../support/mounted-folder';

/** A tenant's way through the gateway. */
export interface Route {
  readonly clusterId: string;
  readonly port: number;
  /** @default - named like the cluster ID */
  readonly service?: string;
}

/** Everything that a gateway pod has: mounted configuration and routes, a writable folder, DNS. */
export class GatewayInstallation {
  /**
   * @param ports how many ports of tenants it has; with some it has no port for cluster IDs
   * @param config options of the renderer
   */
  public static async create(ports = 0, config: Partial<GatewayHaproxyOptions> = {}): Promise<GatewayInstallation> {
    const [sniPort, clusterIdPort] = await freePorts(2);
    const portRange = await freePortRange(ports).then(first => ({ first, last: first + ports - 1 }));
    return new GatewayInstallation(await DnsServer.start(), sniPort, clusterIdPort, ports > 0 ? portRange : undefined, config);
  }

  public readonly dir = mkdtempSync(join(tmpdir(), 'gateway-'));
  public readonly runDir = join(this.dir, 'run');
  public readonly routesDir = join(this.dir, 'routes');
  public readonly master = new MasterSocket(join(this.runDir, SOCKETS.master));
  private readonly config: MountedFolder;
  private readonly routes: MountedFolder;
  private readonly agents: Agent[] = [];
  private files: Record<string, string> = {};

  private constructor(public readonly dns: DnsServer, public readonly sniPort: number, public readonly clusterIdPort: number,
    public readonly portRange?: PortRange, private readonly options: Partial<GatewayHaproxyOptions> = {}) {
    this.config = new MountedFolder(join(this.dir, 'config'), { 'haproxy.cfg': this.configText() });
    this.files = Object.fromEntries(ROUTING_TABLES.flatMap(table => [0, 1].map(shard => [mountedMapFile(table, shard), ''])));
    this.routes = new MountedFolder(this.routesDir, this.files);
  }

  public start(...flags: string[]): Agent {
    return this.startBehind([], ...flags);
  }

  /** @param prefix words of a command that runs the agent */
  public startBehind(prefix: string[], ...flags: string[]): Agent {
    return this.startAgent({ prefix }, flags);
  }

  /** @param root file system of an image, whose agent and HAProxy run */
  public startImage(root: string, ...flags: string[]): Agent {
    return this.startAgent({ program: ['scripts/image-run.sh', root, '/usr/bin/tcp-proxy'] }, ['--haproxy-binary', '/usr/sbin/haproxy', ...flags]);
  }

  /** The configuration with another time limit, which stands for any change of it. */
  public configText(tunnelTimeoutSeconds = SHARED_GATEWAY_DEFAULTS.tunnelTimeoutSeconds as number): string {
    const { runDir: runFolder, sniPort, portRange } = this;
    const clusterIdPort = portRange ? undefined : this.clusterIdPort;
    const nameservers = [new Endpoint('127.0.0.1', this.dns.port)];
    return gatewayConfig({ runFolder, sniPort, clusterIdPort, portRange, nameservers, tunnelTimeoutSeconds, ...this.options });
  }

  /** What the kubelet does after the ConfigMap of the configuration changed. */
  public mountConfig(text: string): void {
    this.config.update({ 'haproxy.cfg': text });
  }

  /** What the kubelet does after a ConfigMap of routes changed. */
  public mountRoutes(files: Record<string, string>): void {
    this.files = { ...this.files, ...files };
    this.routes.update(this.files);
  }

  /** Mounts these tenants as the only ones. */
  public mountTenants(routes: Route[], shard = '00'): void {
    this.mountRoutes({ [`cluster-ids-${shard}.map`]: routes.map(routeLine).join('') });
  }

  /** A tenant that answers with its name and that DNS knows. */
  public async tenant(name: string): Promise<Route> {
    const { port } = await TenantServer.start(name);
    this.dns.records.set(serviceName(name), ['127.0.0.1']);
    return { clusterId: name, port };
  }

  /** What a client with this cluster ID gets; empty when it is rejected. */
  public answer(clusterId: string): Promise<string> {
    return exchange(this.clusterIdPort, Buffer.concat([clusterIdHeader(clusterId), TLS_START]));
  }

  /** Opens a connection that stays. */
  public async connection(clusterId: string): Promise<RawConnection> {
    const connection = new RawConnection(this.clusterIdPort, [clusterIdHeader(clusterId), TLS_START]);
    const answer = await connection.answer();
    if (answer !== clusterId) {
      throw new Error(`the connection to ${clusterId} got ${JSON.stringify(answer)}`);
    }
    return connection;
  }

  public map(table: string): string {
    return readFileSync(join(this.runDir, 'maps', `${table}.map`), 'utf8');
  }

  /** The configuration that HAProxy would start with. */
  public live(): string {
    return readFileSync(join(this.runDir, 'haproxy.cfg'), 'utf8');
  }

  /** Puts something into the writable folder, as an agent before left it. */
  public leave(file: string, text: string): void {
    writeFileSync(join(this.runDir, file), text);
  }

  public async workers(): Promise<HaproxyProcess[]> {
    return (await this.master.processes()).filter(({ type }) => type === 'worker');
  }

  public async remove(): Promise<void> {
    for (const agent of this.agents) await agent.stop();
    const master = (await this.master.processes().catch(() => [])).find(({ type }) => type === 'master');
    if (master) process.kill(master.pid, 'SIGKILL');
    rmSync(this.dir, { recursive: true, force: true });
  }

  private startAgent(options: Omit<AgentOptions, 'args'>, flags: string[]): Agent {
    const agent = new Agent({
      ...options,
      args: [
        'gateway',
        '--haproxy-config', join(this.dir, 'config', 'haproxy.cfg'),
        '--haproxy-binary', haproxyBinary()!,
        '--routes-dir', this.routesDir,
        '--run-dir', this.runDir,
        '--nameserver', `127.0.0.1:${this.dns.port}`,
        '--resolve-interval', '300ms',
        '--reload-interval', '0s',
        '--health-address', '127.0.0.1:0',
        '--propagation-delay', '0s',
        ...flags,
      ],
    });
    this.agents.push(agent);
    return agent;
  }
}

export function serviceName(name: string): string {
  return `${name}.tenants.svc.cluster.local`;
}

export function routeLine({ clusterId, port, service }: Route): string {
  return `${clusterId} ${serviceName(service ?? clusterId)}:${port}\n`;
}
