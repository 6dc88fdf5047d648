import { ApiObject } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { Competitor, items, takesHost } from './competitors';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { ingressClassOf } from '../manifests/ingress-class';
import { PassthroughRoute } from '../model/exposure-props';
import { ingressManifest } from '../objects/kubernetes';
import { Plain } from '../objects/plain';
import { validateAnnotations } from '../validation/annotations';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';

/** For controllers that are driven by `networking.k8s.io/v1` Ingresses and annotations. */
export interface IngressAnnotationControllerProps {
  /**
   * IngressClass that the controller answers to.
   * @default - the controller's usual one: `haproxy` (both), `nginx`, `cilium`; for `generic` the cluster's default class
   */
  readonly ingressClassName?: string;
  /**
   * Public port at which the controller takes TLS connections.
   * @default 443
   */
  readonly port?: number;
  /**
   * Further annotations for each Ingress. Those that turn passthrough on win.
   * @default - none
   */
  readonly annotations?: { [name: string]: string };
}

export const INGRESS_ANNOTATION_CONTROLLER: Checks<IngressAnnotationControllerProps> = {
  ingressClassName: optional(validateObjectName),
  port: optional(validatePort),
  annotations: optional(validateAnnotations),
};

/** What controllers share whose routes are Ingresses: one Ingress per host, passthrough by annotation. */
export abstract class IngressAnnotationController extends IngressController {
  /** The annotations that turn passthrough on. */
  protected abstract readonly passthroughAnnotations: { [name: string]: string };

  /** Further annotations that the controller's class sets, and users may set otherwise. */
  protected readonly usualAnnotations: { [name: string]: string } = {};

  private readonly className?: string;
  private readonly port: number;
  private readonly userAnnotations: { [name: string]: string };

  public constructor(props: IngressAnnotationControllerProps, usualClassName?: string) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), INGRESS_ANNOTATION_CONTROLLER);
    this.className = props.ingressClassName ?? usualClassName;
    this.port = props.port ?? 443;
    this.userAnnotations = props.annotations ?? {};
  }

  public override get ingressClassName(): string | undefined {
    return this.className;
  }

  public override get publicPort(): number {
    return this.port;
  }

  public override get ingressAnnotations(): { [name: string]: string } {
    return { ...this.usualAnnotations, ...this.userAnnotations, ...this.passthroughAnnotations };
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    requirePublicPort(this.displayName, this.port, options.routes);
    requireServicesInNamespace(this.displayName, options);
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const annotations = { ...this.ingressAnnotations, ...(options.allowedCidrs && this.allowedCidrsAnnotations(options.allowedCidrs)) };
    return options.routes.map(route => new ApiObject(scope, route.name, ingressManifest({
      metadata: routeMetadata(options, route, annotations),
      spec: {
        ingressClassName: this.className,
        rules: [ruleFor(route)],
      },
    })));
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return ['networking.k8s.io Ingress'];
  }

  /** @internal Of two Ingresses for one host controllers serve the older, or that without passthrough, or the first in the alphabet. */
  public override _competitor(manifest: any): Competitor | undefined {
    if (ingressClassOf(manifest) !== this.className) {
      return undefined;
    }
    const hosts = items(manifest.spec?.rules).map(({ host }) => host);
    const wildcards = this._prefersWildcards(manifest.metadata?.annotations ?? {}) ? hosts : [];
    return ({ hostname }) => hosts.includes(hostname) || wildcards.some(host => takesHost(host, hostname));
  }

  /** @internal Whether a wildcard host of an Ingress with these annotations takes exact hosts of others. */
  public _prefersWildcards(_annotations: { [name: string]: string }): boolean {
    return false;
  }

  /**
   * The annotations that let in the given networks alone.
   *
   * @throws when the controller does not filter connections that it passes through
   */
  protected abstract allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string };
}

/** Always with a host, and the port by number: without them controllers fall back to a certificate of their own. */
function ruleFor(route: PassthroughRoute): Plain<k8s.IngressRule> {
  return {
    host: route.hostname,
    http: {
      paths: [{
        path: '/',
        pathType: 'Prefix',
        backend: { service: { name: route.serviceName, port: { number: route.servicePort } } },
      }],
    },
  };
}
