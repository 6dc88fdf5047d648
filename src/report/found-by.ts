/** How connections find a route: by its SNI host, by its port alone, or at an address of its own. */
export const [BY_HOST, BY_PORT, OWN_ADDRESS] = ['sni', 'port', 'own-address'];
