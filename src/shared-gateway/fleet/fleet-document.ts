import type { SharedIngressGateway } from '../shared-ingress-gateway';

/** The form of the file; a later one is refused. */
export const FLEET_VERSION = 1;
/** What the file says that it is. */
export const FLEET_KIND = 'FleetRoutes';

/** How many of what a file may have. */
export const FLEET_LIMITS = { bytes: 64 * 2 ** 20, tenants: 100_000, routesOfTenant: 100 } as const;

/** A route of a tenant at the shared address of a fleet. */
export interface FleetRoute {
  /** What is behind it, e.g. `kube-apiserver`. */
  readonly service: string;
  readonly host: string;
  /** Public port. */
  readonly port: number;
  readonly foundBy: 'host' | 'port';
}

/** A tenant of a management cluster, or a further entry of one. */
export interface FleetTenant {
  readonly namespace: string;
  readonly name: string;
  readonly entry?: string;
  readonly clusterId?: string;
  readonly routes: FleetRoute[];
}

/** How proxies of tenants say their cluster IDs. */
export interface FleetClusterIds {
  readonly port: number;
  readonly tlvType: number;
}

/** What an edge has to know of the tenants of a cluster. */
export interface FleetDocument {
  /** @default - the gateway does not route on cluster IDs */
  readonly clusterIds?: FleetClusterIds;
  readonly tenants: FleetTenant[];
}

/** A document with whose it is, as a file has it. */
export interface FleetFile extends FleetDocument {
  readonly cluster: string;
  readonly gateway: { readonly address: string; readonly port: number };
}

/** The name of a tenant in messages. */
export function tenantName({ namespace, name, entry }: FleetTenant): string {
  return [namespace, name, ...entry === undefined ? [] : [entry]].join('/');
}

/** What a gateway of the same app has. */
export function documentOf({ clusterIdPort, tlvType, _tenants }: SharedIngressGateway): FleetDocument {
  const tenants = _tenants.all.map(({ exposure, entry, routes, portRoutes = [] }): FleetTenant => ({
    namespace: exposure.namespace,
    name: exposure.name,
    entry,
    clusterId: entry === undefined && clusterIdPort !== undefined ? exposure.clusterId : undefined,
    routes: [
      ...routes.map(({ name, hostname, port }) => ({ service: name, host: hostname, port, foundBy: 'host' as const })),
      ...portRoutes.map(({ name, hostname, port }) => ({ service: name, host: hostname, port, foundBy: 'port' as const })),
    ],
  }));
  return { clusterIds: clusterIdPort === undefined ? undefined : { port: clusterIdPort, tlvType }, tenants };
}

/** A document as a file: a line for each tenant, in an order that depends on nothing else, so that a change of one is a change of one line. */
export function fleetFileText({ cluster, gateway, clusterIds, tenants }: FleetFile): string {
  const head = JSON.stringify({ kind: FLEET_KIND, version: FLEET_VERSION, cluster, gateway, clusterIds });
  const lines = tenants.map(tenant => [tenantName(tenant), JSON.stringify(tenant)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return `${head.slice(0, -1)},"tenants":[\n${lines.join(',\n')}\n]}\n`;
}
