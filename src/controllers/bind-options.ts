import type { Exposure } from '../model/exposure';
import type { PassthroughRoute } from '../model/exposure-props';

/** What an ingress controller is asked to route. */
export interface IngressControllerBindOptions {
  /** The exposure that the routes belong to. */
  readonly exposure: Exposure;
  /** The routes to emit; a subset of the exposure's when the platform's operator makes some itself. */
  readonly routes: PassthroughRoute[];
  /**
   * Source networks that may connect, in CIDR notation. Controllers see the sources that their load balancer shows
   * them: it must keep client addresses (`externalTrafficPolicy: Local`) or send them in the PROXY protocol.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

/** The port of one tenant that an ingress controller is asked to serve. */
export interface PortBindOptions {
  /** The exposure that the port belongs to. */
  readonly exposure: Exposure;
  /** The port and the Service that it leads to, whatever the SNI host is; the exposure's `portRoute`. */
  readonly route: PassthroughRoute;
  /**
   * Source networks that may connect, in CIDR notation; as those of routes by host.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

/** The IPv6 address of one tenant that an ingress controller is asked to serve. */
export interface AddressBindOptions extends PortBindOptions {
  /** The address, in its canonical form; `route` has its port. */
  readonly address: string;
}

/** The routes of one control plane, for an ingress controller to check. */
export interface RouteValidationOptions {
  /** The exposure that the routes belong to. */
  readonly exposure: Exposure;
  /** All its routes, whoever makes them. */
  readonly routes: PassthroughRoute[];
  /** Those among them that the platform's operator makes. */
  readonly operatorRoutes: PassthroughRoute[];
}
