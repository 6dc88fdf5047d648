import { flagValues } from './flags';

/** What the tcp-proxy of a tenant connects to, as its HAProxy configuration says. */
export interface SynthesizedUpstream {
  /** Address or DNS name. */
  readonly host: string;
  /** Port. */
  readonly port: number;
  /**
   * SNI host of the TLS connection that the proxy starts.
   * @default - TLS stays closed
   */
  readonly serverName?: string;
  /** Whether the proxy verifies the certificate that it gets: of its upstream, or of its health check where TLS stays closed. */
  readonly verified: boolean;
  /**
   * The cluster ID in the PROXY v2 header.
   * @default - no such header
   */
  readonly clusterId?: string;
}

/** The tcp-proxy that manifests make. */
export interface TcpProxyResource {
  readonly title: string;
  readonly upstream: SynthesizedUpstream;
  /** Of the agent; empty for a static pod, whose manifest is a text. */
  readonly flags: { [flag: string]: string };
}

const SERVER = /^ *server upstream (?:\[([^\]]+)\]|([^:\s]+)):(\d+)(.*)$/gm;

/** The tcp-proxies of manifests: ConfigMaps whose HAProxy configuration has a server `upstream`. */
export function readTcpProxies(manifests: any[]): TcpProxyResource[] {
  return manifests.flatMap(({ kind, metadata, data }) => {
    const servers = kind === 'ConfigMap' ? [...(data?.['haproxy.cfg'] ?? '').matchAll(SERVER)] : [];
    if (servers.length === 0) {
      return [];
    }
    const [[, ipv6, host, port, settings]] = servers;
    return [{
      title: `${metadata.namespace}/${metadata.name}`,
      upstream: {
        host: ipv6 ?? host,
        port: Number(port),
        serverName: / sni str\(([^)]*)\)/.exec(settings)?.[1],
        verified: servers.some(([line]) => / verify /.test(line)) && servers.every(([line]) => !/ verify none/.test(line)),
        clusterId: / set-proxy-v2-tlv-fmt\([^)]*\) (\S+)/.exec(settings)?.[1],
      },
      flags: flagValues(agentArgs(manifests, metadata)),
    }];
  });
}

/** The arguments of the container in the workload that mounts the ConfigMap. */
function agentArgs(manifests: any[], configMap: any): string[] {
  const workload = manifests.find(({ kind, metadata, spec }) => ['Deployment', 'DaemonSet'].includes(kind) && metadata.namespace === configMap.namespace
    && spec.template.spec.volumes?.some((volume: any) => volume.configMap?.name === configMap.name));
  return workload?.spec.template.spec.containers[0].args ?? [];
}
