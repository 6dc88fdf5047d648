/** Shares of the connections, so that nobody can take them all. */
export interface ConnectionShares {
  /**
   * Most connections of one source at a time: of an IPv4 address, or of an IPv6 network of 64 bits.
   * @default - a quarter of `maxConnections` in a tcp-proxy, an eighth in a gateway
   */
  readonly perSource?: number;
  /**
   * Networks of sources that are known, in CIDR notation, e.g. of the nodes or of the NAT gateway in front of them. Such a
   * source may have twice as many connections as others, and a quarter of all connections, and of those of each tenant, is
   * kept for such sources.
   * @default - none, and nothing is kept
   */
  readonly trustedSources?: string[];
}

/** Shares of the connections of a shared gateway. */
export interface GatewayConnectionShares extends ConnectionShares {
  /**
   * Most connections to one tenant at a time, counted for each Service that routes lead to.
   * @default - an eighth of `maxConnections`
   */
  readonly perTenant?: number;
}
