/** Where the versions of TLSRoute are served: the CRDs of kubernetes-sigs/gateway-api. Its experimental channel serves all that there are. */
export const TLS_ROUTE_SERVED_BY = {
  v1: 'both channels of Gateway API 1.5 and newer',
  v1alpha3: 'the experimental channel of Gateway API 1.4 and newer',
  v1alpha2: 'the experimental channel of Gateway API',
} as const;

/** The version that an operator writes its TLSRoutes in, whatever the cluster serves. */
export const TLS_ROUTE_OF_OPERATORS = { Steward: 'v1alpha2', Kamaji: 'v1' } as const;
