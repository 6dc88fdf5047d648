import { readDocuments } from './documents';
import { ConfigurationError } from '../../../cli/configuration';
import { someOf } from '../../../src/findings/rules/rule';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { proxiesOf, readPlatform } from '../../../src/manifests/platform';
import { HostPort, ProxyProtocolTarget } from '../live/target';

/** What manifests say about one control plane. */
export interface ManifestTarget extends HostPort {
  readonly sans: string[];
  readonly konnectivity?: HostPort;
  /** Where the proxies of the tenant send their PROXY headers. */
  readonly proxyProtocol?: ProxyProtocolTarget;
}

const HTTPS = 443;

/**
 * Finds the control plane with the host, or the only one.
 *
 * @throws ConfigurationError when there is none, or several and no host
 */
export function readManifestTarget(folder: string, host?: string): ManifestTarget {
  const platform = readPlatform(readDocuments([folder]).sources);
  const exposed = platform.controlPlanes.filter(({ api }) => api !== undefined);
  const hosts = exposed.map(({ api }) => api!.host);
  const matching = exposed.filter(({ api }) => host === undefined || api!.host === host.toLowerCase());
  if (matching.length !== 1) {
    if (hosts.length === 0) {
      throw new ConfigurationError(`--manifests ${JSON.stringify(folder)}: ${withoutHosts(platform.controlPlanes)}`);
    }
    const known = `the hosts in there are ${hosts.join(', ')}`;
    throw new ConfigurationError(host === undefined
      ? `--manifests ${JSON.stringify(folder)}: cannot tell which control plane to check: ${known}; name one`
      : `--manifests ${JSON.stringify(folder)}: ${matching.length === 0 ? 'has no' : 'has more than one'} control plane with host ${JSON.stringify(host)}: ${known}`);
  }
  const [controlPlane] = matching;
  const { api, publicPort, konnectivity, sans } = controlPlane;
  const port = publicPort?.value ?? HTTPS;
  const proxy = proxiesOf(controlPlane, platform).find(({ mode }) => mode === 'proxy-protocol');
  return {
    host: api!.host,
    port,
    sans: (sans?.value ?? []).filter(san => san !== api!.host && san !== konnectivity.host?.host),
    konnectivity: konnectivity.enabled && konnectivity.host ? { host: konnectivity.host.host, port: konnectivity.port?.value ?? port } : undefined,
    proxyProtocol: proxy && { host: proxy.upstream.host, port: proxy.upstreamPort, clusterId: proxy.clusterId!, tlvType: proxy.tlvType! },
  };
}

function withoutHosts(controlPlanes: ControlPlane[]): string {
  if (controlPlanes.length === 0) return 'no control plane is in there; name the folder or file with its custom resource';
  const names = controlPlanes.map(({ source, system }) => `${source.namespace}/${source.name} of ${system}`);
  return `no control plane in there has a host that leads to it (${someOf(names)}); give its host and --port in the place of --manifests`;
}
