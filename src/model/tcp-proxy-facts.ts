import { Exposure } from './exposure';

/** What a report says of the tcp-proxy of a tenant. */
export interface TcpProxyFacts {
  readonly name: string;
  readonly namespace: string;
  readonly placement: 'replicas' | 'every-node' | 'static-pod';
  /** Number of proxies, when it is fixed. */
  readonly replicas?: number;
  /** How it reaches the API server. */
  readonly upstream: 'sni' | 'shared-gateway' | 'direct' | 'tunnel';
  readonly upstreamHost: string;
  readonly upstreamPort: number;
  readonly listenPort: number;
  readonly healthPort: number;
  /** Addresses that every node has for itself. */
  readonly advertiseAddresses: string[];
  /** Where its certificate comes from, as users write it, or `none`; undefined where it opens no TLS. */
  readonly certificate?: string;
}

const tcpProxies = new WeakMap<Exposure, TcpProxyFacts>();

/** The tcp-proxy that leads to an exposure, also to one made by hand; its chart may be in another app. */
export function tcpProxyOf(exposure: Exposure): TcpProxyFacts | undefined {
  return tcpProxies.get(exposure);
}

/** Called by every tcp-proxy. */
export function recordTcpProxy(exposure: Exposure, facts: TcpProxyFacts): void {
  tcpProxies.set(exposure, facts);
}
