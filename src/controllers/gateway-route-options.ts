import { validateObjectName } from '../validation/object-name';
import { Checks, mapOf, oneOf, optional } from '../validation/props';

/** Version of the kind TLSRoute in `gateway.networking.k8s.io`. */
export enum TlsRouteVersion {
  /** Gateway API 1.5 and newer; the only version that its standard channel serves. */
  V1 = 'v1',
  /** The experimental channel of Gateway API 1.4 and newer. */
  V1ALPHA3 = 'v1alpha3',
  /** The experimental channel of Gateway API, which serves the newer versions as well. */
  V1ALPHA2 = 'v1alpha2',
}

/** Version of the kind TCPRoute in `gateway.networking.k8s.io`. */
export enum TcpRouteVersion {
  /** Gateway API 1.6 and newer; the only version that its standard channel serves. */
  V1 = 'v1',
  /** The experimental channel of Gateway API, which serves the newer version as well since 1.6. */
  V1ALPHA2 = 'v1alpha2',
}

/** How routes at a Gateway are written. */
export interface GatewayRouteOptions {
  /**
   * Version of TLSRoute. The CRDs in the management cluster must serve it: `kubectl api-resources | grep tlsroutes`.
   * @default TlsRouteVersion.V1
   */
  readonly tlsRouteVersion?: TlsRouteVersion;
  /**
   * Version of TCPRoute, for ports of tenants. The CRDs in the management cluster must serve it: `kubectl api-resources | grep tcproutes`.
   * @default TcpRouteVersion.V1
   */
  readonly tcpRouteVersion?: TcpRouteVersion;
  /**
   * Listener for a route, by the name of the route: `{ 'kube-apiserver': 'tls' }`. The port of a tenant is the route `kubernetes-service`.
   * @default - the most specific listener that takes the route's host and port; when `listeners` is not known, the
   * listener that is named like the route, as Kamaji and Steward document their Gateways, and `port-<port>` for the port of a tenant
   */
  readonly sectionNames?: { [routeName: string]: string };
}

export const GATEWAY_ROUTE_OPTIONS: Checks<GatewayRouteOptions> = {
  tlsRouteVersion: optional(oneOf(TlsRouteVersion)),
  tcpRouteVersion: optional(oneOf(TcpRouteVersion)),
  sectionNames: optional(mapOf(validateObjectName)),
};
