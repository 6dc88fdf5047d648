import { isIP } from 'net';
import { readDocuments } from './documents';
import { ConfigurationError } from '../../../cli/configuration';
import { someOf } from '../../../src/findings/rules/rule';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { proxiesOf, readPlatform } from '../../../src/manifests/platform';
import { HostPort, hostPort, ProxyProtocolTarget } from '../live/target';

/** What manifests say about one control plane. */
export interface ManifestTarget extends HostPort {
  /** Whether the port leads to this control plane alone, whatever name a client asks for. */
  readonly byPort: boolean;
  readonly sans: string[];
  readonly konnectivity?: HostPort;
  /** Where the proxies of the tenant send their PROXY headers. */
  readonly proxyProtocol?: ProxyProtocolTarget;
}

const HTTPS = 443;

/**
 * Finds the control plane with the host, or the only one.
 *
 * @param port tells control planes of one host apart
 * @throws ConfigurationError when there is none, or several that are not told apart
 */
export function readManifestTarget(folder: string, host?: string, port?: number): ManifestTarget {
  const platform = readPlatform(readDocuments([folder]).sources);
  const exposed = platform.controlPlanes.flatMap(controlPlane => reachedAt(controlPlane) ?? []);
  const refused = (text: string) => new ConfigurationError(`--manifests ${JSON.stringify(folder)}: ${text}`);
  if (exposed.length === 0) throw refused(withoutHosts(platform.controlPlanes));
  const named = exposed.filter(reached => host === undefined || reached.host === host.toLowerCase());
  const matching = named.length > 1 && host !== undefined && port !== undefined ? named.filter(reached => reached.port === port) : named;
  if (matching.length !== 1) {
    const known = `the hosts in there are ${exposed.map(reached => reached.byPort ? hostPort(reached) : reached.host).join(', ')}`;
    if (host === undefined) throw refused(`cannot tell which control plane to check: ${known}; name one`);
    const wanted = `control plane with host ${JSON.stringify(host)}`;
    throw refused(named.length === 0 ? `has no ${wanted}: ${known}` : `has more than one ${wanted}: ${known}; give its --port`);
  }
  const [{ controlPlane, ...reached }] = matching;
  const { konnectivity, sans } = controlPlane;
  const proxy = proxiesOf(controlPlane, platform).find(({ mode }) => mode === 'proxy-protocol');
  const konnectivityPort = konnectivity.port?.value ?? (reached.byPort ? HTTPS : reached.port);
  return {
    ...reached,
    sans: (sans?.value ?? []).filter(san => san !== reached.host && san !== konnectivity.host?.host),
    konnectivity: konnectivity.enabled && konnectivity.host ? { host: konnectivity.host.host, port: konnectivityPort } : undefined,
    proxyProtocol: proxy && { host: proxy.upstream.host, port: proxy.upstreamPort, clusterId: proxy.clusterId!, tlvType: proxy.tlvType! },
  };
}

function reachedAt(controlPlane: ControlPlane) {
  const { api, apiByPort, publicPort } = controlPlane;
  // What goes the path asks for a name.
  if (apiByPort && !isIP(apiByPort.host.host)) return { controlPlane, host: apiByPort.host.host, port: apiByPort.port, byPort: true };
  return api && { controlPlane, host: api.host, port: publicPort?.value ?? HTTPS, byPort: false };
}

function withoutHosts(controlPlanes: ControlPlane[]): string {
  if (controlPlanes.length === 0) return 'no control plane is in there; name the folder or file with its custom resource';
  const names = controlPlanes.map(({ source, system }) => `${source.namespace}/${source.name} of ${system}`);
  return `no control plane in there has a host that leads to it (${someOf(names)}); give its host and --port in the place of --manifests`;
}
