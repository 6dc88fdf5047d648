import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { HAPROXY, passthroughAnnotations } from '../manifests/ingress-controllers';

/** The ingress controller of HAProxy Technologies (haproxytech/kubernetes-ingress). */
export class HaproxyController extends IngressAnnotationController {
  public readonly type: string = 'haproxy';
  protected readonly passthroughAnnotations: { [name: string]: string } = passthroughAnnotations(HAPROXY);

  public constructor(props: IngressAnnotationControllerProps = {}) {
    super(props, HAPROXY.usualClass);
  }

  /**
   * The IngressClass alone: passthrough comes from the annotation on each Ingress. The ConfigMap has a key of the
   * same name, but there it is the default for every Ingress of the controller and would break all that are HTTP
   * (haproxytech/kubernetes-ingress, `pkg/ingress/ingress.go`, reads Ingress, then ConfigMap).
   */
  public override helmValues(): { [key: string]: any } {
    return { controller: { ingressClass: this.ingressClassName, ingressClassResource: { name: this.ingressClassName } } };
  }

  public override get leavesIngressesToOperators(): boolean {
    return true;
  }

  /** @internal */
  public override get _whyNoPorts(): string {
    return 'whose TCP resources this library does not write';
  }

  /** @internal */
  public override get _helmChart(): string {
    return 'kubernetes-ingress';
  }

  /** @internal A wildcard that is passed through comes before exact hosts, and its own source networks count. */
  public override _prefersWildcards(annotations: { [name: string]: string }): boolean {
    return annotations[HAPROXY.passthrough.names[0]] === HAPROXY.passthrough.value;
  }

  /**
   * Enforced on passthrough connections: the rules of `allow-list` go to the TCP frontend as
   * `tcp-request content reject` once an Ingress passes TLS through (haproxytech/kubernetes-ingress,
   * `pkg/haproxy/rules/reqDeny.go` and `addRules` in `pkg/ingress/ingress.go`).
   */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    return { 'haproxy.org/allow-list': cidrs.join(',') };
  }
}
