/** What somebody saw of the running platform. */
export interface LiveFacts {
  /** When: ISO 8601 in UTC. */
  readonly at: string;
  readonly tenants: readonly LiveTenant[];
}

/** What was seen of one tenant's path. */
export interface LiveTenant {
  readonly namespace: string;
  readonly name: string;
  readonly healthy: boolean;
  /** In one sentence. */
  readonly summary: string;
  /** What is not well, and what to do. */
  readonly faults: readonly { readonly hop: string; readonly status: string; readonly detail: string; readonly remedy: string }[];
  readonly certificates: readonly LiveCertificate[];
  /** API servers that are ready; missing where nothing tells. */
  readonly readyReplicas?: number;
}

export interface LiveCertificate {
  /** Which server showed it. */
  readonly of: string;
  /** ISO 8601 in UTC. */
  readonly validUntil: string;
  /** Whether the tenant's CA vouches for it; missing where nobody gave the CA. */
  readonly trusted?: boolean;
}

/** What was seen of a tenant, by `namespace/name`. */
export function liveByTenant(live: LiveFacts | undefined): ReadonlyMap<string, LiveTenant> {
  return new Map(live?.tenants.map(tenant => [`${tenant.namespace}/${tenant.name}`, tenant]));
}

const DAY_MS = 86_400_000;

/** Whole days until then; below 0 when it is over. */
export function daysLeft({ validUntil }: LiveCertificate, { at }: LiveFacts): number {
  return Math.floor((Date.parse(validUntil) - Date.parse(at)) / DAY_MS);
}
