/** On all addresses of both families; of IPv4 alone where there is no IPv6. */
export const DEFAULT_HEALTH_ADDRESS = '[::]:8404';
