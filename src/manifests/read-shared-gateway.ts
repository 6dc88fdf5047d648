import { pickRecord } from './fields';
import { hostOf } from './host';
import { PASSES, Route } from './route';
import { Source } from './source';

/** A cluster ID in a map of a shared gateway. */
export interface ClusterIdRoute {
  readonly source: Source;
  readonly gateway: string;
  readonly clusterId: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** Path of the line. */
  readonly path: string;
}

/** A port that leads to one Service, whatever the host. */
export interface PortRoute {
  readonly source: Source;
  /** What has the port: `namespace/name` of a shared gateway, or another edge, e.g. `Traefik`. */
  readonly gateway: string;
  readonly port: number;
  readonly namespace: string;
  readonly service: string;
  readonly servicePort: number;
  /** Path of the line, or of the port. */
  readonly path: string;
}

/** An IPv6 address of a shared gateway that leads to one Service. */
export interface AddressRoute {
  readonly source: Source;
  readonly gateway: string;
  /** As it is written. */
  readonly address: string;
  readonly namespace: string;
  readonly service: string;
  readonly servicePort: number;
  /** Path of the line. */
  readonly path: string;
}

/** A tenant whose client certificate leads through the tunnel of a shared gateway. */
export interface TunnelRoute {
  readonly source: Source;
  readonly gateway: string;
  readonly commonName: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** Path of the line. */
  readonly path: string;
}

/** A line of the edge of a fleet, which leads to the gateway of another cluster. */
export interface ClusterRoute {
  readonly source: Source;
  readonly what: 'host' | 'cluster ID' | 'port';
  readonly key: string;
  readonly cluster: string;
  /** Path of the line. */
  readonly path: string;
}

/** A network of a list that limits who gets to a target. */
export interface AllowedSource {
  readonly source: Source;
  readonly gateway: string;
  readonly network: string;
  readonly list: string;
  readonly path: string;
}

/** A target that only a list of networks gets to. */
export interface ListUse {
  readonly source: Source;
  readonly gateway: string;
  readonly namespace: string;
  readonly service: string;
  readonly list: string;
  readonly path: string;
}

const HOSTS = 'hosts.map';
const CLUSTER_IDS = 'cluster-ids.map';
const PORTS = 'ports.map';
const DESTINATIONS = 'destinations.map';
const TUNNEL = 'tunnel.map';
const ALLOWED = 'allowed.map';
const DOMAINS = 'domains.map';
const GATEWAYS = 'gateways.map';

/** Hosts in the maps of this project's shared gateway. */
export function mapRoutes(source: Source): Route[] {
  return linesOf(source, HOSTS).map(({ key, namespace, service, port, line }) => {
    const path = pathOf(HOSTS, line);
    return {
      source,
      path,
      host: hostOf(key, path),
      entry: `shared gateway ${gatewayOf(source)}`,
      passthrough: PASSES,
      backend: { namespace, service, port: { value: port, path } },
    };
  });
}

export function clusterIdRoutes(source: Source): ClusterIdRoute[] {
  return linesOf(source, CLUSTER_IDS).map(({ key, namespace, service, port, line }) =>
    ({ source, gateway: gatewayOf(source), clusterId: key, namespace, service, port, path: pathOf(CLUSTER_IDS, line) }));
}

export function portRoutes(source: Source): PortRoute[] {
  return linesOf(source, PORTS).map(({ key, namespace, service, port, line }) =>
    ({ source, gateway: gatewayOf(source), port: Number(key), namespace, service, servicePort: port, path: pathOf(PORTS, line) }));
}

export function addressRoutes(source: Source): AddressRoute[] {
  return linesOf(source, DESTINATIONS).map(({ key, namespace, service, port, line }) =>
    ({ source, gateway: gatewayOf(source), address: key, namespace, service, servicePort: port, path: pathOf(DESTINATIONS, line) }));
}

export function tunnelRoutes(source: Source): TunnelRoute[] {
  return linesOf(source, TUNNEL).map(({ key, namespace, service, port, line }) =>
    ({ source, gateway: gatewayOf(source), commonName: key, namespace, service, port, path: pathOf(TUNNEL, line) }));
}

/** What the edge of a fleet leads to other clusters, but for whole domains. */
export function clusterRoutes(source: Source): ClusterRoute[] {
  const domains = new Set(clusterLinesOf(source, DOMAINS).map(({ key }) => key));
  const tables = [[HOSTS, 'host'], [CLUSTER_IDS, 'cluster ID'], [PORTS, 'port']] as const;
  return tables.flatMap(([table, what]) => clusterLinesOf(source, table).filter(({ key }) => what !== 'host' || !domains.has(key))
    .map(({ key, cluster, line }) => ({ source, what, key, cluster, path: pathOf(table, line) })));
}

/** The other clusters that the edge of a fleet knows. */
export function clustersOf(source: Source): string[] {
  return textOf(source, GATEWAYS).split('\n').flatMap(content => /^@(\S+)\s/.exec(content)?.[1] ?? []);
}

/** Whether it is the configuration of a gateway behind the edge of a fleet. */
export function isBehindEdge(source: Source): boolean {
  return haproxyConfigOf(source)?.includes('\nfrontend edge\n') ?? false;
}

/** Whether it is the configuration of a gateway at which tunnels end, even if none yet. */
export function endsTunnels(source: Source): boolean {
  return haproxyConfigOf(source)?.includes(',map_str(/run/tcp-proxy/maps/tunnel.map)') ?? false;
}

/** Whether it is the configuration of a gateway that leads ports to tenants, even if none yet. */
export function hasPortRange(source: Source): boolean {
  return haproxyConfigOf(source)?.includes('fc_dst_port') ?? false;
}

/** Whether it is the configuration of a gateway at which tenants have addresses, even if none yet. */
export function leadsAddresses(source: Source): boolean {
  return haproxyConfigOf(source)?.includes(',map_ip(/run/tcp-proxy/maps/destinations.map)') ?? false;
}

export function allowedSources(source: Source): AllowedSource[] {
  return textOf(source, ALLOWED).split('\n').flatMap((content, i) => {
    const match = /^(\S+?)@(\S+)\s+1\s*$/.exec(content);
    return match ? [{ source, gateway: gatewayOf(source), network: match[1], list: match[2], path: pathOf(ALLOWED, i + 1) }] : [];
  });
}

export function listUses(source: Source): ListUse[] {
  return [HOSTS, CLUSTER_IDS, PORTS, DESTINATIONS, TUNNEL].flatMap(key => linesOf(source, key).flatMap(({ namespace, service, list, line }) =>
    list === undefined ? [] : [{ source, gateway: gatewayOf(source), namespace, service, list, path: pathOf(key, line) }]));
}

/** Type of the TLV that a gateway's configuration reads, from its HAProxy configuration. */
export function gatewayTlvType(source: Source): number | undefined {
  const type = /fc_pp_tlv\((0x[0-9a-f]+|\d+)\)/i.exec(haproxyConfigOf(source) ?? '');
  return type ? Number(type[1]) : undefined;
}

function haproxyConfigOf(source: Source): string | undefined {
  const config = source.kind === 'ConfigMap' ? pickRecord(source.object, 'data')['haproxy.cfg'] : undefined;
  return typeof config === 'string' ? config : undefined;
}

export function gatewayOf(source: Source): string {
  const instance = pickRecord(source.object, 'metadata.labels')['app.kubernetes.io/instance'];
  return `${source.namespace}/${typeof instance === 'string' ? instance : source.name}`;
}

function pathOf(key: string, line: number): string {
  return `data["${key}"] line ${line}`;
}

function textOf(source: Source, key: string): string {
  const text = source.kind === 'ConfigMap' ? pickRecord(source.object, 'data')[key] : undefined;
  return typeof text === 'string' ? text : '';
}

interface Line {
  readonly key: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  readonly list?: string;
  readonly line: number;
}

function linesOf(source: Source, key: string): Line[] {
  return textOf(source, key).split('\n').flatMap((content, i) => {
    const match = /^(\S+)\s+([^.\s:]+)\.([^.\s:]+)\.svc[^:\s]*:(\d+)(?::(\S+))?/.exec(content);
    return match ? [{ key: match[1], service: match[2], namespace: match[3], port: Number(match[4]), list: match[5], line: i + 1 }] : [];
  });
}

function clusterLinesOf(source: Source, key: string): { readonly key: string; readonly cluster: string; readonly line: number }[] {
  return textOf(source, key).split('\n').flatMap((content, i) => {
    const match = /^(\S+)\s+@(\S+)\s*$/.exec(content);
    return match ? [{ key: match[1], cluster: match[2], line: i + 1 }] : [];
  });
}
