import { execFileSync } from 'child_process';
import { readFileSync } from 'fs';
import { IncomingMessage } from 'http';
import { request } from 'https';
import { connect, createServer, Server, Socket } from 'net';
import { Cluster } from './cluster';
import { keep, Part } from '../../data-path/support/parts';

/** The address of the Service `kubernetes`. */
export const CLUSTER_IP = '10.96.0.1';

const SLICES = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dkubernetes';

/** `GET` as the administrator. */
export function get(cluster: Cluster, path: string, port = cluster.port): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({
      host: '127.0.0.1',
      port,
      path,
      ca: readFileSync(cluster.caFile),
      cert: readFileSync(cluster.file('admin.crt')),
      key: readFileSync(cluster.file('admin.key')),
      agent: false,
    }, resolve).on('error', reject).end();
  });
}

async function json(response: IncomingMessage): Promise<any> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
  }
  return JSON.parse(text);
}

interface Slice {
  readonly metadata: { readonly name: string };
  readonly ports?: { readonly name: string; readonly port: number }[];
  readonly endpoints?: { readonly addresses: string[]; readonly conditions?: { readonly ready?: boolean } }[];
}

function targetsOf(slices: Slice[]): string[] {
  return slices.flatMap(({ endpoints, ports }) => (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => addresses.map(address => `${address}:${ports?.find(({ name }) => name === 'https')?.port}`)));
}

/** Where the Service `kubernetes` of a tenant leads. */
export async function published(cluster: Cluster): Promise<string[]> {
  const { items } = await json(await get(cluster, SLICES));
  return targetsOf(items);
}

/** Every state of these slices, as a watch shows them. */
export class Following implements Part {
  /** @param port of the API server to watch at */
  public static async start(cluster: Cluster, port = cluster.port): Promise<Following> {
    const { metadata, items } = await json(await get(cluster, SLICES, port));
    const following = new Following(items);
    following.response = await get(cluster, `${SLICES}&watch=true&resourceVersion=${metadata.resourceVersion}`, port);
    void following.read();
    keep(following);
    return following;
  }

  /** Where the Service led, one after the other; '' for nowhere. */
  public readonly states: string[] = [];
  public ended = false;
  private response!: IncomingMessage;
  private readonly slices: Map<string, Slice>;

  private constructor(slices: Slice[]) {
    this.slices = new Map(slices.map(slice => [slice.metadata.name, slice]));
    this.states.push(targetsOf(slices).sort().join());
  }

  public async stop(): Promise<void> {
    this.response.destroy();
  }

  private async read(): Promise<void> {
    let rest = '';
    try {
      for await (const chunk of this.response.setEncoding('utf8')) {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop()!;
        lines.forEach(line => this.take(JSON.parse(line)));
      }
    } catch {
      // It was stopped.
    }
    this.ended = true;
  }

  private take({ type, object }: { type: string; object: Slice }): void {
    if (type === 'DELETED') {
      this.slices.delete(object.metadata.name);
    } else {
      this.slices.set(object.metadata.name, object);
    }
    const state = targetsOf([...this.slices.values()]).sort().join();
    if (state !== this.states[this.states.length - 1]) {
      this.states.push(state);
    }
  }
}

/**
 * What kube-proxy does on a node of the tenant: connections to the ClusterIP lead to one of the endpoints. It copies bytes where kube-proxy
 * rewrites addresses, and knows nothing but the EndpointSlices of the real API server.
 */
export class ServiceProxy implements Part {
  public static async start(cluster: Cluster): Promise<ServiceProxy> {
    execFileSync('ip', ['address', 'replace', `${CLUSTER_IP}/32`, 'dev', 'lo']);
    const proxy = new ServiceProxy(cluster);
    await new Promise<void>(resolve => proxy.server.listen(443, CLUSTER_IP, resolve));
    keep(proxy);
    return proxy;
  }

  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private next = 0;

  private constructor(private readonly cluster: Cluster) {
    this.server = createServer(socket => void this.serve(socket).catch(error => socket.destroy(error)));
  }

  public async stop(): Promise<void> {
    this.server.close();
    this.sockets.forEach(socket => socket.destroy());
  }

  private async serve(socket: Socket): Promise<void> {
    this.sockets.add(socket.on('error', () => undefined));
    const targets = await published(this.cluster);
    const [host, port] = targets[this.next++ % targets.length].split(':');
    const upstream = connect(Number(port), host, () => socket.pipe(upstream).pipe(socket)).on('error', () => socket.destroy());
    this.sockets.add(upstream);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  }
}
