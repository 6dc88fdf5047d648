import { pick, pickList, pickRecord, pickText, pickTexts } from './fields';
import { flagsOf, flagValues } from './flags';
import { Host, hostOf } from './host';
import { Source } from './source';
import { TUNNEL_CERTIFICATE } from '../agent/contract/haproxy-names';

/** The configuration of a proxy in a tenant cluster: where it sends what pods dial. */
export interface Proxy {
  readonly source: Source;
  readonly upstream: Host;
  readonly upstreamPort: number;
  /** Sent in a PROXY header. */
  readonly clusterId?: string;
  readonly tlvType?: number;
  /** `sni`: opens TLS and asks for the host again; `tunnel`: asks for it in TLS around the bytes. */
  readonly mode: 'sni' | 'proxy-protocol' | 'direct' | 'tunnel';
  /** SNI host that it asks for, where it opens TLS. */
  readonly serverName?: string;
  /** Whether it verifies a certificate: of its upstream, or of its health check where TLS stays closed. */
  readonly verified: boolean;
  /** Whether it accepts any certificate of the API server. */
  readonly insecure: boolean;
  /** HAProxy configuration, where that is what it runs. */
  readonly haproxyConfig?: string;
}

const SERVER = /^\s*server\s+(\S+)\s+(\[[^\]]+\]|[^\s:]+):(\d+)(.*)$/m;
/** How the tcp-proxy of this project calls its server, whatever the ConfigMap is called. */
const OWN_SERVER = 'upstream';
/** How it calls the client certificate that it shows in a tunnel. */
const TUNNEL = `crt ${TUNNEL_CERTIFICATE.name}`;

/** Proxies whose configuration is in a ConfigMap, as HAProxy reads it. */
export function haproxyProxies(source: Source): Proxy[] {
  if (source.kind !== 'ConfigMap') return [];
  return Object.entries(pickRecord(source.object, 'data')).flatMap(([key, text]) => {
    if (!key.endsWith('.cfg') || typeof text !== 'string') return [];
    const server = SERVER.exec(text);
    // `0.0.0.0` is the shared gateway, whose destinations come from maps.
    if (!server || server[2] === '0.0.0.0' || (server[1] !== OWN_SERVER && !/tcp-proxy|haproxy/.test(source.name))) return [];
    const [, , host, port, options] = server;
    const tlv = /set-proxy-v2-tlv-fmt\((0x[0-9a-f]+|\d+)\)\s+(\S+)/i.exec(text);
    const sni = /\bsni\s+str\(([^)]+)\)/.exec(text);
    const verify = text.split('\n').filter(line => !/^\s*#/.test(line)).flatMap(line => /\bverify\s+(\S+)/.exec(line)?.[1] ?? []);
    return [{
      source,
      upstream: hostOf(host.replace(/^\[|\]$/g, ''), `data["${key}"]`),
      upstreamPort: Number(port),
      clusterId: tlv?.[2].replace(/^%\[str\("?|"?\)\]$/g, ''),
      tlvType: tlv ? Number(tlv[1]) : undefined,
      mode: tlv ? 'proxy-protocol' as const : text.includes(TUNNEL) ? 'tunnel' as const : sni ? 'sni' as const : 'direct' as const,
      serverName: sni?.[1],
      verified: verify.includes('required') && !verify.includes('none'),
      insecure: /\bssl\b.*\bverify\s+none\b/.test(options) || (sni !== null && !verify.includes('required')),
      haproxyConfig: text,
    }];
  });
}

/** Proxies that are configured by arguments: steward-tcp-proxy. */
export function argumentProxies(source: Source): Proxy[] {
  return podSpecOf(source) === undefined ? [] : pickList(podSpecOf(source), 'containers').flatMap((container, i) => {
    const args = [...pickTexts(container, 'command'), ...pickTexts(container, 'args')];
    const path = `spec.template.spec.containers[${i}].args`;
    return flagValues(args, '--upstream-addr').map((address): Proxy => {
      const host = hostOf(address, path);
      const insecure = flagsOf(args)['upstream-insecure'] === 'true';
      return {
        source,
        upstream: host,
        upstreamPort: host.port ?? 0,
        mode: args.some(arg => arg.startsWith('--tls-cert-file')) ? 'sni' : 'direct',
        verified: !insecure,
        insecure,
      };
    });
  });
}

/** Pod of a workload; undefined for other objects. */
export function podSpecOf(source: Source): unknown {
  switch (source.kind) {
    case 'Deployment': case 'DaemonSet': case 'StatefulSet': return pick(source.object, 'spec.template.spec');
    case 'Pod': return pick(source.object, 'spec');
    default: return undefined;
  }
}

/** The workload whose pods run a proxy, where one of the manifests mounts its configuration. */
export function workloadOf({ source }: Proxy, { sources }: { readonly sources: Source[] }): Source | undefined {
  return sources.find(workload => workload.namespace === source.namespace
    && pickList(podSpecOf(workload), 'volumes').some(volume => pick(volume, 'configMap.name') === source.name));
}

/** Flags of the first container of a workload, by their names. */
export function containerFlags(workload: Source): { [flag: string]: string } {
  return flagsOf(pickTexts(pickList(podSpecOf(workload), 'containers')[0], 'args'));
}

/** Of this project's image, which is in management clusters too. */
const OTHER_COMMANDS = ['gateway', 'sync', 'register'];

/** Whether the pods of a workload make `kubernetes.default.svc` work. */
export function isProxyWorkload(source: Source): boolean {
  const pod = podSpecOf(source);
  if (pod === undefined) return false;
  if (/(^|-)tcp-proxy$|^k0smotron-haproxy$/.test(source.name)) return true;
  return pickList(pod, 'containers').some(container => /\/(steward-)?tcp-proxy[:@]/.test(pickText(container, 'image') ?? '')
    && !OTHER_COMMANDS.includes(pickTexts(container, 'args')[0]));
}
