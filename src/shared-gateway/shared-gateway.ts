import type { CertManagerIssuer } from '../model/cert-manager-issuer';
import { Exposure } from '../model/exposure';

/** Where tcp-proxies find the tunnel to a shared gateway. */
export interface TunnelEndpoint {
  /** DNS name of the tunnel. */
  readonly host: string;
  /** Public port. */
  readonly port: number;
  /**
   * The issuer of cert-manager that makes the certificates of the tenants.
   * @default - none is known
   */
  readonly issuer?: CertManagerIssuer;
}

/** A shared edge that routes on the cluster ID in a PROXY v2 header. */
export interface ISharedGateway {
  /**
   * Address or DNS name of the gateway.
   * @default - the API host of each tenant, which resolves to the gateway's address
   */
  readonly host?: string;
  /**
   * Public port that takes PROXY v2 headers.
   * @default - none: the gateway does not route on cluster IDs
   */
  readonly clusterIdPort?: number;
  /** Type of the TLV that carries the cluster ID. */
  readonly tlvType: number;
  /**
   * The tunnel through the ingress controller in front of the gateway.
   * @default - none
   */
  readonly tunnel?: TunnelEndpoint;

  /**
   * Told by every tcp-proxy that is to reach its API server through this gateway.
   *
   * @throws when the gateway cannot serve it
   */
  expect(exposure: Exposure): void;
}
