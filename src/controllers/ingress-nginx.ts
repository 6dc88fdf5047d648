import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { RouteValidationOptions } from './ingress-controller';
import { JoinedName } from './joined-names';
import { refuseAllowedCidrs } from './route-object';
import { INGRESS_NGINX, passthroughAnnotations } from '../manifests/ingress-controllers';

/**
 * ingress-nginx of the Kubernetes project (kubernetes/ingress-nginx); F5's controller is another product.
 *
 * Only `ssl-passthrough` is set: it invalidates every other annotation while it works, and `backend-protocol: HTTPS`
 * would hide that it does not, as connections then succeed with TLS opened and client certificates lost
 * (kubernetes/ingress-nginx#10454).
 */
export class IngressNginxController extends IngressAnnotationController {
  public readonly type: string = 'ingress-nginx';
  protected readonly passthroughAnnotations: { [name: string]: string } = passthroughAnnotations(INGRESS_NGINX);

  public constructor(props: IngressAnnotationControllerProps = {}) {
    super(props, INGRESS_NGINX.usualClass);
  }

  /**
   * The controller's flag, off by default, without which the annotation is ignored (kubernetes/ingress-nginx#1947). A class of its
   * own has a controller value of its own, or each of two installations would serve both classes.
   */
  public override helmValues(): { [key: string]: any } {
    const name = this.ingressClassName;
    return {
      controller: {
        extraArgs: { 'enable-ssl-passthrough': 'true' },
        ingressClassResource: { name, ...(name !== INGRESS_NGINX.usualClass && { controllerValue: `k8s.io/ingress-nginx-${name}` }) },
      },
    };
  }

  public override get leavesIngressesToOperators(): boolean {
    return true;
  }

  public override get warnings(): string[] {
    return [
      'ingress-nginx is retired: no releases and no security fixes since March 2026. Prefer another controller, e.g. haproxy, traefik or gatewayApi.',
      'ingress-nginx passes TLS through only with the controller flag --enable-ssl-passthrough (see helmValues); ' +
        `without it clients meet the "${INGRESS_NGINX.ownCertificate}".`,
      'ingress-nginx reads a ClientHello in one piece (kubernetes/ingress-nginx#11424); clients with post-quantum ' +
        'key shares send several packets and may meet the default backend.',
    ];
  }

  /** @internal */
  public override get _whyNoPorts(): string {
    return 'whose ports are entries of one ConfigMap for all tenants, and which is retired';
  }

  /** @internal */
  public override get _helmChart(): string {
    return 'ingress-nginx';
  }

  /**
   * @internal Upstreams (kubernetes/ingress-nginx, `upstreamName` in `internal/ingress/controller/util.go`): a passthrough host
   * gets the Service that the upstream was made for first. The operator names the Service, so only other names help.
   */
  public override _joinedNames({ routes }: RouteValidationOptions): JoinedName[] {
    return routes.map(({ serviceNamespace: namespace, serviceName: name, servicePort }) => ({ namespace, name, joined: `${namespace}-${name}-${servicePort}` }));
  }

  /** Not enforced: passthrough "invalidates all the other annotations" (user guide of ingress-nginx, SSL Passthrough). */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    refuseAllowedCidrs(this.displayName, cidrs, 'its passthrough ignores every other annotation, whitelist-source-range too');
    return {};
  }
}
