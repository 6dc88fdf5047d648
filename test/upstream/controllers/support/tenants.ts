import { Backend } from './backend';
import { Sources, SOURCES } from './network';
import { PassthroughRoute, TlsService } from '../../../../src';
import { CertificateAuthority, CertificatePair } from '../../../support/certificates';

export const DOMAIN = 'example.test';

/** A control plane of the suite. */
export interface TenantSpec {
  readonly namespace: string;
  readonly name: string;
  /** First label of its hosts. */
  readonly host: string;
  /** Networks that may connect, where the controller can hold to that. @default - everyone */
  readonly allowedCidrs?: string[];
  /** Addresses of a client that it lets in. @default - that of the tests */
  readonly sources?: Sources;
  /** What its API server agrees to by ALPN. @default - h2 and http/1.1 */
  readonly alpn?: string[];
  readonly tlsServices?: TlsService[];
  /** Port of the shared address that leads to its API server, where the controller serves such ports. @default - none */
  readonly ownPort?: number;
}

/** Ports of the shared address that lead to one tenant each. */
export const PORT_RANGE = { first: 30_000, last: 30_001 };

/** Namespace and name of ONE and of TWO are one name where a controller joins them with `-`; each lets in what the other does not. */
export const ONE: TenantSpec = {
  namespace: 'tenants',
  name: 'b-c',
  host: 'one',
  allowedCidrs: ['203.0.113.0/24', '2001:db8:1::/48'],
  sources: SOURCES.one,
  ownPort: PORT_RANGE.first,
  tlsServices: [{ name: 'oauth', hostname: `one.oauth.${DOMAIN}`, serviceName: 'b-c-oauth', servicePort: 6444, podPort: 16444 }],
};
export const TWO: TenantSpec = {
  namespace: 'tenants-b', name: 'c', host: 'two', allowedCidrs: ['198.51.100.0/24', '2001:db8:2::/48'], sources: SOURCES.two,
};
/** Its API server speaks HTTP/1.1 alone. */
export const THREE: TenantSpec = { namespace: 'team', name: 'three', host: 'three', alpn: ['http/1.1'], ownPort: PORT_RANGE.last };
/** Its hosts are below those of THREE. */
export const FOUR: TenantSpec = { namespace: 'team', name: 'four', host: 'four.three' };
/** The tenants that stay. */
export const RESIDENTS = [ONE, TWO, THREE, FOUR];
/** Comes, moves and goes. */
export const FIVE: TenantSpec = { namespace: 'team', name: 'five', host: 'five' };
export const NAMESPACES = ['tenants', 'tenants-b', 'team', 'gateways'];
/** What a Gateway knows these namespaces by. */
export const NAMESPACE_LABELS = { 'control-planes': 'yes' };

/** The hosts of a control plane that all tenants have. */
export function hostsOf({ host }: TenantSpec): { readonly api: string; readonly konnectivity: string } {
  return { api: `${host}.k8s.${DOMAIN}`, konnectivity: `${host}.konnectivity.${DOMAIN}` };
}

/** A route of a tenant. */
export interface TenantRoute extends PassthroughRoute {
  readonly tenant: TenantSpec;
}

/** What serves a tenant: its authority, and a server for each route at an address of the tenant. */
export class TenantServers {
  /** @param ca the authority of the tenant, when it has one already */
  public static async start(routes: TenantRoute[], address: string, ca?: CertificateAuthority): Promise<TenantServers> {
    const { namespace, name } = routes[0].tenant;
    const authority = ca ?? await CertificateAuthority.create(`${namespace}/${name}`, 'ecdsa');
    const client = await authority.issue({ commonName: `admin of ${namespace}/${name}`, keyType: 'ecdsa' });
    const servers = new TenantServers(routes, authority, client, address);
    for (const route of routes) {
      await Backend.start({
        name: servers.nameOf(route),
        address: servers.address,
        port: podPortOf(route),
        hosts: [route.hostname],
        ca: authority,
        alpn: route.tenant.alpn ?? ['h2', 'http/1.1'],
      });
    }
    return servers;
  }

  private constructor(
    public readonly routes: TenantRoute[],
    public readonly ca: CertificateAuthority,
    /** Of a client that its servers let in. */
    public readonly client: CertificatePair,
    private readonly address: string,
  ) {}

  /** What the server of a route calls itself. */
  public nameOf({ tenant, name }: TenantRoute): string {
    return `${tenant.namespace}/${tenant.name} ${name} at ${this.address}`;
  }

  /** Its Services, as the operator makes them, with the endpoints that Kubernetes' controllers would write. */
  public objects(): object[] {
    return [...new Set(this.routes.map(({ serviceName }) => serviceName))].flatMap(name => {
      const routes = this.routes.filter(({ serviceName }) => serviceName === name);
      const { namespace } = routes[0].tenant;
      return [
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name, namespace },
          spec: { ports: routes.map(route => ({ name: route.name, port: route.servicePort, targetPort: podPortOf(route) })) },
        },
        {
          apiVersion: 'discovery.k8s.io/v1',
          kind: 'EndpointSlice',
          metadata: { name: `${name}-1`, namespace, labels: { 'kubernetes.io/service-name': name } },
          addressType: 'IPv4',
          endpoints: [{ addresses: [this.address], conditions: { ready: true } }],
          ports: routes.map(route => ({ name: route.name, port: podPortOf(route) })),
        },
      ];
    });
  }
}

function podPortOf({ podPort, servicePort }: PassthroughRoute): number {
  return podPort ?? servicePort;
}
