import { connect } from 'net';
import { join } from 'path';
import { Chart, Testing } from 'cdk8s';
import { clientHello } from './support/client-hello';
import { clusterIdHeader } from './support/gateway';
import { stopParts } from './support/parts';
import { RawConnection, TenantServer, TLS_START } from './support/tenant-server';
import { GatewayInstallation } from '../../images/tcp-proxy/test/gateway/gateway-installation';
import { Agent } from '../../images/tcp-proxy/test/support/agent';
import { eventually } from '../../images/tcp-proxy/test/support/eventually';
import { Exposure, FleetCluster, FleetExport, FleetRoutes, SharedIngressGateway, SharedIngressGatewayProps } from '../../src';
import { mountedMapFile, mapFile, ROUTING_TABLES } from '../../src/agent/contract/routing-tables';
import { describeWithHaproxy } from '../support/haproxy';
import { freePorts } from '../support/ports';

jest.setTimeout(120_000);

const installations: GatewayInstallation[] = [];
afterEach(async () => {
  for (const installation of installations.splice(0)) await installation.remove();
  await stopParts();
});

interface Tenant {
  readonly server: TenantServer;
  readonly allowedCidrs?: string[];
}

/** A management cluster: its app, and the pod of its gateway. */
class Cluster {
  public static async create(name: string): Promise<Cluster> {
    const [port] = await freePorts(1);
    // The edge comes from 127.0.0.1, clients of these tests from other addresses.
    const installation = await GatewayInstallation.create(0, { edge: { port, cidrs: ['127.0.0.1/32'] } });
    installations.push(installation);
    return new Cluster(name, port, installation);
  }

  public readonly tenants = new Map<string, Tenant>();

  private constructor(public readonly name: string, public readonly port: number, public readonly installation: GatewayInstallation) {}

  public async add(name: string, allowedCidrs?: string[]): Promise<TenantServer> {
    const server = await TenantServer.start(name);
    this.installation.dns.records.set(`${name}.tenants.svc.cluster.local`, ['127.0.0.1']);
    this.tenants.set(name, { server, allowedCidrs });
    return server;
  }

  /** Synthesizes its app, mounts the routes, and writes the file for the edge. */
  public deploy(): string {
    const app = Testing.app();
    const chart = new Chart(app, this.name);
    const gateway = gatewayOf(chart, { edge: { trustedCidrs: ['127.0.0.1/32'], port: this.port } });
    const { file } = new FleetExport(chart, 'fleet', { gateway, cluster: this.name, address: '127.0.0.1', folder: join(this.installation.dir, 'fleet') });
    for (const [name, { server, allowedCidrs }] of this.tenants) {
      gateway.register(new Exposure({
        name, namespace: 'tenants', hostname: `${name}.${this.name}.example.com`, clusterId: `id-${name}`, backend: { serviceName: name, apiPort: server.port },
      }), { allowedCidrs });
    }
    app.synth();
    mount(this.installation, chart);
    return file;
  }
}

function gatewayOf(chart: Chart, props: Partial<SharedIngressGatewayProps>): SharedIngressGateway {
  return new SharedIngressGateway(chart, 'edge', { namespace: 'shared-ingress', routeShards: 2, ...props });
}

function mount(installation: GatewayInstallation, chart: Chart): void {
  const shards = chart.toJson().filter(({ metadata }) => /-routes-\d-of-2$/.test(metadata.name));
  installation.mountRoutes(Object.fromEntries(shards.flatMap(({ data }, shard) => ROUTING_TABLES.map(table => [mountedMapFile(table, shard), data[mapFile(table)] ?? '']))));
}

/** The edge: its app with what it knows of clusters, and its pod. */
class Edge {
  public static async create(): Promise<Edge> {
    const installation = await GatewayInstallation.create(0, { clusters: true });
    installations.push(installation);
    return new Edge(installation);
  }

  private constructor(public readonly installation: GatewayInstallation) {}

  public deploy(...clusters: [Cluster, Partial<FleetCluster>][]): void {
    const chart = new Chart(Testing.app(), 'edge');
    gatewayOf(chart, {
      clusters: clusters.map(([{ name, port }, more]) => ({ name, address: '127.0.0.1', port, domains: [`${name}.example.com`], ...more })),
    });
    mount(this.installation, chart);
  }

  /** What a client at an address gets that asks for a host. */
  public async byHost(host: string, source = '127.0.0.9'): Promise<string> {
    return this.ask(this.installation.sniPort, await clientHello({ servername: host }), source);
  }

  public byId(id: string, source = '127.0.0.9'): Promise<string> {
    return this.ask(this.installation.clusterIdPort, Buffer.concat([clusterIdHeader(id), TLS_START]), source);
  }

  public ask(port: number, bytes: Buffer, localAddress: string): Promise<string> {
    return new Promise(resolve => {
      let answer = '';
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes));
      socket.on('data', chunk => {
        answer += chunk.toString('latin1');
        socket.destroy();
      }).on('error', () => undefined).on('close', () => resolve(answer));
    });
  }
}

async function metric(agent: Agent, name: string): Promise<number> {
  const { body } = await agent.http('/metrics');
  return Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(body)?.[1]);
}

describeWithHaproxy('a fleet: an edge and the gateways of two clusters, as their apps wrote them', () => {
  test('reaches tenants of both by host and cluster ID, and tells each gateway the source', async () => {
    const [eu, us, edge] = [await Cluster.create('eu'), await Cluster.create('us'), await Edge.create()];
    await eu.add('a', ['127.0.0.9/32']);
    await us.add('b');
    edge.deploy([eu, { routes: FleetRoutes.fromFile(eu.deploy()) }], [us, { routes: FleetRoutes.fromFile(us.deploy()) }]);
    const agents = [eu, us, edge].map(({ installation }) => installation.start());
    await Promise.all(agents.map(agent => agent.readyz(200)));
    expect([await edge.byHost('a.eu.example.com'), await edge.byHost('b.us.example.com')]).toEqual(['a', 'b']);
    expect([await edge.byId('id-a'), await edge.byId('id-b')]).toEqual(['a', 'b']);
    expect([await edge.byHost('a.us.example.com'), await edge.byHost('c.eu.example.com'), await edge.byId('id-c')]).toEqual(['', '', '']);
    // Whom the tenant does not admit.
    expect([await edge.byHost('a.eu.example.com', '127.0.0.8'), await edge.byId('id-a', '127.0.0.8'), await edge.byHost('b.us.example.com', '127.0.0.8')]).toEqual(['', '', 'b']);
    // A client of whom the tenant admits the claimed source, and that is not the edge.
    const forged = Buffer.concat([clusterIdHeader('id-a', { source: '127.0.0.9', tlvs: [[0xe1, 'id-a'], [0xe2, 'cluster-ids:id-a']] }), TLS_START]);
    expect(await edge.ask(eu.port, forged, '127.0.0.8')).toBe('');
    expect(await edge.ask(eu.port, forged, '127.0.0.1')).toBe('a');
    expect(await metric(agents[2], 'tcp_proxy_gateway_clusters')).toBe(2);
    expect(await metric(agents[2], 'tcp_proxy_gateway_services')).toBe(1);
  });

  test('has a tenant come and go in a domain of a cluster without a change of the edge, and a reload of none', async () => {
    const [eu, edge] = [await Cluster.create('eu'), await Edge.create()];
    await eu.add('a');
    eu.deploy();
    edge.deploy([eu, {}]);
    const [inner, outer] = [eu, edge].map(({ installation }) => installation.start());
    await Promise.all([inner, outer].map(agent => agent.readyz(200)));
    const workers = await Promise.all([eu, edge].map(({ installation }) => installation.workers()));
    const open = new RawConnection(edge.installation.sniPort, [await clientHello({ servername: 'a.eu.example.com' })]);
    expect(await open.answer()).toBe('a');
    const before = (await outer.http('/metrics')).body.split('\n').filter(line => line.startsWith('tcp_proxy_gateway_map_updates_total'));

    await eu.add('new');
    eu.deploy();
    await eventually(async () => expect(await edge.byHost('new.eu.example.com')).toBe('new'));
    eu.tenants.delete('new');
    eu.deploy();
    await eventually(async () => expect(await edge.byHost('new.eu.example.com')).toBe(''));

    expect(open.ended).toBe(false);
    expect((await outer.http('/metrics')).body.split('\n').filter(line => line.startsWith('tcp_proxy_gateway_map_updates_total'))).toEqual(before);
    expect(await Promise.all([eu, edge].map(({ installation }) => installation.workers()))).toEqual(workers);
  });

  test('has a tenant move to another cluster by one line of the edge, without a reload', async () => {
    const [eu, us, edge] = [await Cluster.create('eu'), await Cluster.create('us'), await Edge.create()];
    await eu.add('a');
    await eu.add('b');
    eu.deploy();
    us.deploy();
    edge.deploy([eu, {}], [us, {}]);
    await Promise.all([eu, us, edge].map(({ installation }) => installation.start().readyz(200)));
    const workers = await edge.installation.workers();
    expect(await edge.byHost('a.eu.example.com')).toBe('a');
    // The tenant is in the other cluster as well, with its host of before.
    const moved = await TenantServer.start('moved');
    us.installation.dns.records.set('a.tenants.svc.cluster.local', ['127.0.0.1']);
    us.installation.mountRoutes({ [mountedMapFile('hosts', 0)]: `a.eu.example.com a.tenants.svc.cluster.local:${moved.port}\n` });
    edge.deploy([eu, {}], [us, { domains: ['us.example.com', 'a.eu.example.com'] }]);
    await eventually(async () => expect(await edge.byHost('a.eu.example.com')).toBe('moved'));
    expect(await edge.byHost('b.eu.example.com')).toBe('b');
    expect(await edge.installation.workers()).toEqual(workers);
  });

  test('follows a gateway that has a name, and closes what led to one that is gone', async () => {
    const [eu, edge] = [await Cluster.create('eu'), await Edge.create()];
    await eu.add('a');
    eu.deploy();
    edge.installation.dns.records.set('gw.example.com', ['127.0.0.1']);
    edge.deploy([eu, { address: 'gw.example.com' }]);
    await Promise.all([eu.installation.start().readyz(200), edge.installation.start('--close-removed').readyz(200)]);
    const open = new RawConnection(edge.installation.sniPort, [await clientHello({ servername: 'a.eu.example.com' })]);
    expect(await open.answer()).toBe('a');
    edge.deploy();
    await open.end();
    expect(await edge.byHost('a.eu.example.com')).toBe('');
  });
});
