import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Exposure, PassthroughRoute } from '../control-plane/exposure';

/** What an ingress controller is asked to route. */
export interface IngressControllerBindOptions {
  /** The exposure that the routes belong to. */
  readonly exposure: Exposure;
  /** The routes to emit; a subset of the exposure's when the platform's operator makes some itself. */
  readonly routes: PassthroughRoute[];
  /**
   * Source networks that may connect, in CIDR notation.
   * @default - everyone
   */
  readonly allowedCidrs?: string[];
  /**
   * Labels for every object.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

/** Names a Gateway API Gateway. */
export interface GatewayRef {
  /** Name of the Gateway. */
  readonly name: string;
  /** Namespace of the Gateway. */
  readonly namespace: string;
}

/**
 * What routes TLS connections at the shared address without opening them.
 *
 * Subclass it for a controller that has no class here: emit one object per route in `bind`.
 */
export abstract class IngressController {
  /** Identifies the controller, e.g. `traefik`; platforms look at it to know what their operator can do with it. */
  public abstract readonly type: string;

  /**
   * IngressClass that the controller answers to, where its routes are `networking.k8s.io/v1` Ingresses.
   *
   * Platforms whose operator creates an Ingress itself put it there.
   * @default - the controller is not driven by Ingress objects
   */
  public get ingressClassName(): string | undefined {
    return undefined;
  }

  /**
   * Annotations that make an Ingress of this controller pass TLS through.
   *
   * Platforms whose operator creates an Ingress itself put them there.
   * @default - none
   */
  public get ingressAnnotations(): { [name: string]: string } {
    return {};
  }

  /**
   * The Gateway that routes attach to.
   *
   * Platforms whose operator creates TLSRoutes itself name it as their parent.
   * @default - the controller is not a Gateway
   */
  public get gatewayRef(): GatewayRef | undefined {
    return undefined;
  }

  /**
   * Values for the controller's Helm chart that turn TLS passthrough on.
   * @default - none needed
   */
  public helmValues(): { [key: string]: any } {
    return {};
  }

  /**
   * Emits one object per route, in the control plane's namespace.
   *
   * @returns the route objects, in the order of the routes
   * @throws when the controller cannot do what the options ask for; never leaves a part out silently
   */
  public abstract bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[];
}
