/**
 * Prices of the user's provider, for one month. The library knows none of its own.
 */
export interface ExposurePrices {
  /** Currency that amounts are shown with, e.g. `EUR`. */
  readonly currency: string;
  /** One load balancer, as every tenant would have in LoadBalancer mode. */
  readonly loadBalancer: number;
  /**
   * One public address.
   * @default 0 - the load balancer's price includes it
   */
  readonly address?: number;
  /**
   * Addresses of one tenant in LoadBalancer mode; 2 with IPv4 and IPv6.
   * @default 1
   */
  readonly addressesPerTenant?: number;
  /**
   * Load balancers of the shared edge.
   * @default 1
   */
  readonly sharedLoadBalancers?: number;
  /**
   * Addresses of the shared edge.
   * @default - as many as `sharedAddresses` of the report has, at least 1
   */
  readonly sharedAddresses?: number;
  /**
   * What else the shared edge costs, e.g. the machines of the ingress controller.
   * @default 0
   */
  readonly sharedExtras?: number;
  /**
   * Numbers of tenants to compare for.
   * @default - the number of control planes in the report
   */
  readonly tenants?: number[];
}
