/** Group of the Gateway API. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

/** Names a Gateway API Gateway. */
export interface GatewayRef {
  /** Name of the Gateway. */
  readonly name: string;
  /** Namespace of the Gateway. */
  readonly namespace: string;
}
