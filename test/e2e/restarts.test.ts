import { readFileSync } from 'fs';
import { request } from 'https';
import { Cluster } from './support/cluster';
import { Proxy } from './support/proxy';
import { eventually } from '../data-path/support/eventually';
import { keep, Part, stopParts } from '../data-path/support/parts';

const POLLS_PER_SECOND = 50;
let cluster: Cluster;

interface Published {
  readonly addresses: string[];
  readonly port: number;
}

async function published(): Promise<Published> {
  const slice = await cluster.get('endpointslice', 'default', 'kubernetes');
  return { addresses: slice.endpoints.map((endpoint: any) => endpoint.addresses[0]), port: slice.ports[0].port };
}

/**
 * A pod that asks the API server all the time, over the published addresses in turn. As kube-proxy does, it learns of a
 * changed address by watching, here every tenth of a second.
 */
class Client implements Part {
  public static async start(token: string): Promise<Client> {
    return keep(new Client(token, readFileSync(cluster.caFile, 'utf8'), await published()));
  }

  public answers = 0;
  public readonly errors: string[] = [];
  private readonly timers: NodeJS.Timeout[];

  private constructor(private readonly token: string, private readonly ca: string, private endpoints: Published) {
    this.timers = [
      setInterval(() => this.poll(), 1000 / POLLS_PER_SECOND),
      setInterval(() => void published().then(now => this.endpoints = now, () => undefined), 100),
    ];
  }

  public stop(): void {
    this.timers.forEach(clearInterval);
  }

  private poll(): void {
    const { addresses, port } = this.endpoints;
    const host = addresses[(this.answers + this.errors.length) % addresses.length];
    const call = request({
      host, port, path: '/version', ca: this.ca, servername: 'kubernetes', agent: false, headers: { authorization: `Bearer ${this.token}` },
    }, response => {
      response.resume().on('end', () => this.count(host, response.statusCode === 200 ? undefined : `HTTP ${response.statusCode}`));
    });
    call.on('error', error => this.count(host, error.message));
    call.end();
  }

  private count(host: string, error?: string): void {
    if (error) {
      this.errors.push(`${host}: ${error}`);
    } else {
      this.answers++;
    }
  }
}

beforeAll(async () => {
  cluster = await Cluster.start();
  await cluster.applyAddon();
}, 120_000);

afterAll(stopParts);

/** Nothing of one test is left on the nodes for the next. */
const started: Proxy[] = [];
async function stopProxies(): Promise<void> {
  await Promise.all(started.splice(0).map(proxy => proxy.stop()));
}

async function startProxy(name: string, address: string): Promise<Proxy> {
  const proxy = await Proxy.start(cluster, name, address);
  started.push(proxy);
  await proxy.ready();
  return proxy;
}

describe('a rolling restart', () => {
  afterEach(stopProxies);

  test('of two proxies goes unnoticed by a client that asks all the time', async () => {
    const a = await startProxy('roll-a', '10.77.0.2');
    const b = await startProxy('roll-b', '10.77.0.3');
    await eventually(async () => (await published()).addresses.join() === '10.77.0.2,10.77.0.3');
    const client = await Client.start(await cluster.token('kube-system', 'tcp-proxy'));
    await eventually(() => client.answers > POLLS_PER_SECOND);

    expect(await a.delete()).toMatchObject({ code: 0 });
    expect((await published()).addresses).toEqual(['10.77.0.3']);
    await startProxy('roll-a2', '10.77.0.2');
    await eventually(async () => (await published()).addresses.length === 2);
    expect(await b.delete()).toMatchObject({ code: 0 });
    expect((await published()).addresses).toEqual(['10.77.0.2']);
    await startProxy('roll-b2', '10.77.0.3');
    await eventually(async () => (await published()).addresses.length === 2);

    const seen = client.answers;
    await eventually(() => client.answers > seen + POLLS_PER_SECOND);
    client.stop();
    expect(client.errors).toEqual([]);
  }, 180_000);
});

describe('after kill -9 of', () => {
  let proxy: Proxy;
  let token: string;
  beforeAll(async () => {
    proxy = await startProxy('crash', '10.77.0.2');
    token = await cluster.token('kube-system', 'tcp-proxy');
  }, 60_000);

  afterAll(stopProxies);

  async function answersAgain(): Promise<void> {
    const client = await Client.start(token);
    await eventually(() => client.answers > 0, 30_000);
    client.stop();
    await proxy.ready();
  }

  test('the HAProxy worker, the proxy answers again', async () => {
    const { worker } = proxy.agent.haproxy;
    process.kill(worker, 'SIGKILL');
    await eventually(() => proxy.agent.haproxy.worker !== worker, 30_000);
    await answersAgain();
  });

  test('the HAProxy master, the proxy answers again', async () => {
    const { master } = proxy.agent.haproxy;
    process.kill(master, 'SIGKILL');
    await eventually(() => proxy.agent.haproxy.master !== master, 30_000);
    await answersAgain();
  });

  test('the agent, the next one takes HAProxy over', async () => {
    await proxy.agent.kill('SIGKILL');
    proxy.run();
    await answersAgain();
  });

  test('the API server, the proxy serves and owns the endpoints again', async () => {
    await cluster.apiServer.kill('SIGKILL');
    await cluster.startApiServer();
    await cluster.kubectl(['delete', 'endpointslice', '--namespace=default', 'kubernetes']);
    await eventually(async () => (await cluster.get('endpointslice', 'default', 'kubernetes')) !== undefined, 60_000);
    await answersAgain();
  }, 120_000);
});
