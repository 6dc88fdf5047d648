import { hostOf } from './host';
import { PASSES, Route } from './route';
import { Source } from '../documents';
import { pickRecord } from '../fields';

/** A cluster ID in a map of a shared gateway. */
export interface ClusterIdRoute {
  readonly source: Source;
  readonly gateway: string;
  readonly clusterId: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
}

const HOSTS = 'hosts.map';
const CLUSTER_IDS = 'cluster-ids.map';

/** Hosts in the maps of this project's shared gateway. */
export function mapRoutes(source: Source): Route[] {
  return linesOf(source, HOSTS).map(({ key, namespace, service, port, line }) => {
    const path = `data["${HOSTS}"] line ${line}`;
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
  return linesOf(source, CLUSTER_IDS).map(({ key, namespace, service, port }) =>
    ({ source, gateway: gatewayOf(source), clusterId: key, namespace, service, port }));
}

/** Type of the TLV that a gateway's configuration reads, from its HAProxy configuration. */
export function gatewayTlvType(source: Source): number | undefined {
  if (source.kind !== 'ConfigMap') return undefined;
  const config = pickRecord(source.object, 'data')['haproxy.cfg'];
  const type = typeof config === 'string' ? /fc_pp_tlv\((0x[0-9a-f]+|\d+)\)/i.exec(config) : null;
  return type ? Number(type[1]) : undefined;
}

export function gatewayOf(source: Source): string {
  const instance = pickRecord(source.object, 'metadata.labels')['app.kubernetes.io/instance'];
  return `${source.namespace}/${typeof instance === 'string' ? instance : source.name}`;
}

function linesOf(source: Source, key: string): { key: string; namespace: string; service: string; port: number; line: number }[] {
  const text = source.kind === 'ConfigMap' ? pickRecord(source.object, 'data')[key] : undefined;
  if (typeof text !== 'string') return [];
  return text.split('\n').flatMap((content, i) => {
    const match = /^(\S+)\s+([^.\s:]+)\.([^.\s:]+)\.svc[^:\s]*:(\d+)/.exec(content);
    return match ? [{ key: match[1], service: match[2], namespace: match[3], port: Number(match[4]), line: i + 1 }] : [];
  });
}
