/** The certificate that a tcp-proxy serves: alias in the `crt-store` and name for the runtime API. */
export const SERVING_CERTIFICATE = { store: 'serving', alias: 'tls', name: '@serving/tls' } as const;

/** The certificate of a tunnel, on either side: alias in the `crt-store` and name for the runtime API. */
export const TUNNEL_CERTIFICATE = { store: 'tunnel', alias: 'tls', name: '@tunnel/tls' } as const;

/** The health check of a tcp-proxy: the server whose last check tells why the upstream is not verified. */
export const PROBE = { backend: 'probe', server: 'upstream' } as const;

/** The one server of a gateway. Its destination is that of each connection. */
export const TENANT_SERVER = { backend: 'tenants', server: 'tenant' } as const;

/** Likewise for the gateways of other management clusters. */
export const GATEWAY_SERVER = { backend: 'gateways', server: 'gateway' } as const;

/** What HAProxy answers to on its health socket, where only the agent asks. */
export const HEALTH_SOCKET_PATHS = { ready: '/ready', metrics: '/metrics', refused: '/refused' } as const;

/** The limits that refuse connections: all together, one source, one tenant. */
export const CONNECTION_LIMITS = ['total', 'source', 'tenant'] as const;
/** See `CONNECTION_LIMITS`. */
export type ConnectionLimit = typeof CONNECTION_LIMITS[number];

/** How many connections each limit refused, and whom the last time. */
export interface RefusedConnections {
  readonly count: { readonly [limit in ConnectionLimit]: number };
  readonly lastSource: string;
  readonly lastTenant: string;
}

/**
 * The answer to `/refused`, as the configuration has HAProxy write it.
 *
 * @param count expression for the number of a limit
 * @param last  expression for whom a limit refused last
 */
export function refusedLine(count: (limit: ConnectionLimit) => string, last: (limit: ConnectionLimit) => string): string {
  return `total=${count('total')} source=${count('source')}:${last('source')} tenant=${count('tenant')}:${last('tenant')}`;
}

/** Reads the answer to `/refused`; undefined for any other text. */
export function parseRefusedLine(line: string): RefusedConnections | undefined {
  const match = /^total=(\d+) source=(\d+):(\S*) tenant=(\d+):(\S*)$/.exec(line);
  return match ? {
    count: { total: Number(match[1]), source: Number(match[2]), tenant: Number(match[4]) },
    lastSource: match[3],
    lastTenant: match[5],
  } : undefined;
}
