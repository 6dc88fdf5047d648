/** How many management clusters the fleet of the benchmark has. */
export const CLUSTERS = 10;

/** Number of the cluster that a tenant is in. */
export const clusterOf = (tenant: number) => tenant % CLUSTERS;
export const clusterName = (cluster: number) => `eu-${cluster}`;
export const domainOf = (cluster: number) => `${clusterName(cluster)}.example.com`;

/** Names of a tenant, which are as long for each. */
export const tenantName = (tenant: number) => `tenant-${String(tenant).padStart(6, '0')}`;
export const hostOf = (tenant: number) => `${tenantName(tenant)}.k8s.${domainOf(clusterOf(tenant))}`;
export const konnectivityHostOf = (tenant: number) => `${tenantName(tenant)}.konnectivity.${domainOf(clusterOf(tenant))}`;
export const clusterIdOf = (tenant: number) => `00000000-0000-4000-8000-${String(tenant).padStart(12, '0')}`;
export const serviceOf = (tenant: number) => `kube-apiserver.${tenantName(tenant)}.svc.cluster.local`;

/** ConfigMaps of the edge with a line for each tenant, and of what has fewer lines. */
export const shardsOf = (tenants: number) => Math.max(8, Math.ceil(tenants / 4_000));

/** Where the edge finds the gateways. */
export interface Place {
  readonly address: string;
  readonly port: number;
}
