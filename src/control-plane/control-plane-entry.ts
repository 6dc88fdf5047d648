import type { ServingCertificate } from './serving-certificate';
import type { IngressController } from '../controllers/ingress-controller';
import type { ExposureEntry, KonnectivityExposure } from '../model/exposure-props';

/** A further address at which a control plane is reached, and what routes there. */
export interface ControlPlaneEntry extends ExposureEntry {
  /**
   * What routes at the address.
   * @default - the controller of the control plane: a further host at its address
   */
  readonly controller?: IngressController;
  /**
   * Source networks that may connect at this entry, in CIDR notation; those of the control plane do not count here. It is an error when the
   * controller cannot filter connections that it does not open.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * A certificate of its own for `hostname`, e.g. one that browsers trust. Every other host keeps that of the tenant's CA.
   * @default - the API server's, of the tenant's CA
   */
  readonly certificate?: ServingCertificate;
}

/** Where konnectivity is exposed, and by what. */
export interface KonnectivityEntry extends KonnectivityExposure {
  /**
   * What routes to the konnectivity server, at an address of its own.
   * @default - the controller of the control plane
   */
  readonly controller?: IngressController;
  /**
   * Source networks that may connect to it, in CIDR notation, where it has a controller of its own.
   * @default - those of the control plane
   */
  readonly allowedCidrs?: string[];
}
