/** Names a Gateway API Gateway. */
export interface GatewayRef {
  /** Name of the Gateway. */
  readonly name: string;
  /** Namespace of the Gateway. */
  readonly namespace: string;
}
