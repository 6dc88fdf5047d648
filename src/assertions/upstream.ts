import { Proxy } from '../manifests/proxy';

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

export function upstreamOf({ upstream, upstreamPort, serverName, verified, clusterId }: Proxy): SynthesizedUpstream {
  return { host: upstream.host, port: upstreamPort, serverName, verified, clusterId };
}
