import { isIP } from 'net';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { Platform, proxiesOf, readPlatform } from '../../../src/manifests/platform';
import { PodPath, podPathOf } from '../../../src/manifests/pod-path';
import { Source } from '../../../src/manifests/source';
import { HostPort, ProxyProtocolTarget } from '../live/target';

/** What objects say about one control plane. */
export interface ManifestTarget extends HostPort {
  readonly controlPlane: ControlPlane;
  /** Whether the port leads to this control plane alone, whatever name a client asks for. */
  readonly byPort: boolean;
  readonly sans: string[];
  /** How pods reach it; undefined where the objects do not say. */
  readonly podPath?: PodPath;
  readonly konnectivity?: HostPort;
  /** Where the proxies of the tenant send their PROXY headers. */
  readonly proxyProtocol?: ProxyProtocolTarget;
}

/** The control planes among objects. */
export interface ManifestTargets {
  readonly reachable: ManifestTarget[];
  /** Those to which no host leads, such as one behind a LoadBalancer of its own. */
  readonly withoutHost: ControlPlane[];
}

const HTTPS = 443;

export function targetsAmong(sources: Source[]): ManifestTargets {
  const platform = readPlatform(sources);
  const found = platform.controlPlanes.map(controlPlane => ({ controlPlane, target: targetOf(controlPlane, platform) }));
  return {
    reachable: found.flatMap(({ target }) => target ?? []),
    withoutHost: found.flatMap(({ controlPlane, target }) => (target ? [] : [controlPlane])),
  };
}

function targetOf(controlPlane: ControlPlane, platform: Platform): ManifestTarget | undefined {
  const { api, apiByPort, publicPort, konnectivity, sans } = controlPlane;
  // What goes the path asks for a name.
  const byPort = apiByPort !== undefined && !isIP(apiByPort.host.host);
  const reached = byPort ? { host: apiByPort.host.host, port: apiByPort.port } : api && { host: api.host, port: publicPort?.value ?? HTTPS };
  if (reached === undefined) return undefined;
  const proxy = proxiesOf(controlPlane, platform).find(({ mode }) => mode === 'proxy-protocol');
  return {
    ...reached,
    controlPlane,
    byPort,
    podPath: podPathOf(controlPlane, platform),
    sans: (sans?.value ?? []).filter(san => san !== reached.host && san !== konnectivity.host?.host),
    konnectivity: konnectivity.enabled && konnectivity.host
      ? { host: konnectivity.host.host, port: konnectivity.port?.value ?? (byPort ? HTTPS : reached.port) }
      : undefined,
    proxyProtocol: proxy && { host: proxy.upstream.host, port: proxy.upstreamPort, clusterId: proxy.clusterId!, tlvType: proxy.tlvType! },
  };
}
