import { IncomingMessage, ServerResponse } from 'http';
import { createServer, Server } from 'https';
import { createServer as createTcpServer, Server as TcpServer, Socket } from 'net';
import { keep, Part } from '../../test/data-path/support/parts';
import { CertificateAuthority } from '../../test/support/certificates';

/** The name in the certificate of every tenant; kubeconfigs give it as `tls-server-name`. */
export const TENANT_NAME = 'tenant.example.com';
const PORT = 6443;
const SILENT_PORT = 6444;
const REFUSING_PORT = 6445;

/** The kinds that a tcp-proxy needs. */
const RESOURCES: { [groupVersion: string]: { [kind: string]: string } } = {
  'v1': { ConfigMap: 'configmaps', Secret: 'secrets', Service: 'services', ServiceAccount: 'serviceaccounts', Namespace: 'namespaces', Pod: 'pods' },
  'apps/v1': { Deployment: 'deployments', DaemonSet: 'daemonsets' },
  'policy/v1': { PodDisruptionBudget: 'poddisruptionbudgets' },
  'rbac.authorization.k8s.io/v1': { Role: 'roles', RoleBinding: 'rolebindings', ClusterRole: 'clusterroles', ClusterRoleBinding: 'clusterrolebindings' },
};

/**
 * The API servers of many tenants, as far as sync talks to them: they store what is applied and give it back. All are one
 * server, which tells them apart by the address of loopback that was dialled.
 */
export class TenantFarm implements Part {
  public static async start(ca: CertificateAuthority): Promise<TenantFarm> {
    const { certificate, key } = await ca.issue({ commonName: TENANT_NAME, sans: [TENANT_NAME], keyType: 'ecdsa' });
    const farm = new TenantFarm(createServer({ cert: certificate, key }, (request, response) => void farm.answer(request, response)));
    await new Promise<void>(resolve => farm.server.listen(PORT, '0.0.0.0', resolve));
    return keep(farm);
  }

  /** Where a tenant's API server is. */
  public static urlOf(index: number): string {
    return `https://${TenantFarm.addressOf(index)}:${PORT}`;
  }

  private static addressOf(index: number): string {
    return `127.20.${Math.floor(index / 250)}.${1 + index % 250}`;
  }

  /** Objects by address and path. */
  private readonly objects = new Map<string, any>();
  private version = 1;

  private constructor(private readonly server: Server) {}

  public stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, 'https://tenant');
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk;
    }
    const [status, body] = this.handle(request.method!, pathname, `${request.socket.localAddress}${pathname}`, text);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private handle(method: string, path: string, key: string, text: string): [number, object] {
    const groupVersion = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))$/.exec(path);
    if (groupVersion) {
      const kinds = RESOURCES[groupVersion[1] ?? groupVersion[2]];
      return kinds
        ? [200, { resources: Object.entries(kinds).map(([kind, name]) => ({ name, kind, namespaced: !/^(Cluster|Namespace)/.test(kind) })) }]
        : [404, { reason: 'NotFound', message: 'no such group' }];
    }
    switch (method) {
      case 'GET': {
        // Collections end with the plural, objects have a name after it.
        const isCollection = /\/namespaces\/[^/]+\/[^/]+$/.test(path);
        const object = this.objects.get(key);
        return object ? [200, object] : isCollection ? [200, { items: [] }] : [404, { reason: 'NotFound', message: `${path} not found` }];
      }
      case 'DELETE':
        this.objects.delete(key);
        return [200, {}];
      case 'POST': {
        const body = JSON.parse(text);
        return [201, this.store(`${key}/${body.metadata.name}`, body)];
      }
      default:
        return [200, this.store(key, JSON.parse(text))];
    }
  }

  private store(key: string, object: any): object {
    const uid = this.objects.get(key)?.metadata.uid ?? `uid-${this.version}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(++this.version) } };
    this.objects.set(key, stored);
    return stored;
  }
}

/** Tenants that take connections and never say a word, as those behind a broken load balancer. */
export class SilentTenants implements Part {
  public static async start(): Promise<SilentTenants> {
    const sockets = new Set<Socket>();
    const server = createTcpServer(socket => sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>(resolve => server.listen(SILENT_PORT, '0.0.0.0', resolve));
    return keep(new SilentTenants(server, sockets));
  }

  public static urlOf(index: number): string {
    return `https://127.21.0.${index}:${SILENT_PORT}`;
  }

  private constructor(private readonly server: TcpServer, private readonly sockets: Set<Socket>) {}

  public stop(): void {
    this.server.close();
    this.sockets.forEach(socket => socket.destroy());
  }
}

/** A tenant whose address refuses connections. */
export function refusingUrlOf(index: number): string {
  return `https://127.22.0.${index}:${REFUSING_PORT}`;
}
