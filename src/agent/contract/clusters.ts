/** What the other management clusters of a fleet begin with, so that none is taken for a service. */
export const CLUSTER_MARK = '@';

/** A management cluster, as the value of a map: its gateway knows the tenant. */
export function clusterTarget(cluster: string): string {
  return `${CLUSTER_MARK}${cluster}`;
}

/** Whether a target is another management cluster. */
export function isCluster(target: string): boolean {
  return target.startsWith(CLUSTER_MARK);
}

/** What it may look like, apart from lengths and numbers. */
export const CLUSTER_TARGET = /^@[a-z0-9-]+$/;
/** Likewise the gateway of one. */
export const GATEWAY_TEXT = /^[a-z0-9.:-]+\|[1-9]\d{0,4}$/;

/** The fields of the text of a cluster's gateway, as HAProxy's `field` counts them. Its address may be one of IPv6. */
export const GATEWAY_FIELDS = { address: 'field(1,|)', port: 'field(2,|)' } as const;

/** The gateway of a cluster as the value of a map. */
export function gatewayText(address: string, port: number): string {
  return `${address}|${port}`;
}

/** The address or the name that a gateway's text has. */
export function gatewayAddressOf(gateway: string): string {
  return gateway.slice(0, gateway.indexOf('|'));
}

/** A host is looked for in domains that it has up to so many labels in front of. */
export const MOST_LABELS_IN_DOMAIN = 4;
