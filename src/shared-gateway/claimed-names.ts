/** What tenants of a gateway are found by, as errors call it. */
export const SNI_HOST = 'SNI host';
/** See `SNI_HOST`. */
export const CLUSTER_ID = 'cluster ID';
/** See `SNI_HOST`. */
export const PORT = 'port';
/** See `SNI_HOST`. */
export const ADDRESS = 'IPv6 address';
