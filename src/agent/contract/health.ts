/** Port of the agent's HTTP server. */
export const HEALTH_PORT = 8404;

/** What the agent answers to there: whether it lives, whether it is ready, and its metrics. */
export const HEALTH_PATHS = { live: '/healthz', ready: '/readyz', metrics: '/metrics' } as const;

/** On all addresses of both families; of IPv4 alone where there is no IPv6. */
export const ALL_ADDRESSES = '[::]';
