import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';

/** The community's HAProxy Ingress (jcmoraisjr/haproxy-ingress), a product other than that of HAProxy Technologies. */
export class HaproxyIngressController extends IngressAnnotationController {
  public readonly type = 'haproxy-ingress';
  protected readonly passthroughAnnotations = { 'haproxy-ingress.github.io/ssl-passthrough': 'true' };

  public constructor(props: IngressAnnotationControllerProps) {
    super(props, 'haproxy');
  }

  /**
   * The IngressClass, which the chart does not create by itself (haproxy-ingress/charts, `ingressClassResource.enabled`
   * is false). Passthrough needs no value.
   */
  public override helmValues(): { [key: string]: any } {
    return { controller: { ingressClass: this.ingressClassName, ingressClassResource: { enabled: true } } };
  }

  /**
   * Enforced on passthrough connections: in TCP mode the range becomes `tcp-request content reject` in the backend
   * (jcmoraisjr/haproxy-ingress, `buildBackendWhitelistTCP`).
   */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    return { 'haproxy-ingress.github.io/allowlist-source-range': cidrs.join(',') };
  }
}
