/** How a control plane is registered by hand. */
export interface GatewayRegistration {
  /**
   * Source networks that may connect, in CIDR notation, on every route.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * The entry of the control plane whose hosts are routed, one of `exposure.entries`.
   * @default - the main one
   */
  readonly entry?: string;
}

/** A gateway that this app does not define. */
export interface SharedGatewayAttributes {
  /** Address or DNS name. */
  readonly host: string;
  /**
   * Public port that takes PROXY v2 headers.
   * @default 6443
   */
  readonly clusterIdPort?: number;
  /**
   * Type of the TLV that carries the cluster ID.
   * @default 0xE1
   */
  readonly tlvType?: number;
  /**
   * DNS name of the tunnel to it, at port 443 of an ingress controller.
   * @default - none
   */
  readonly tunnelHost?: string;
}
