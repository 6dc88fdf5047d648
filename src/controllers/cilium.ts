import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { Installation } from './installation';
import { refuseAllowedCidrs } from './route-object';
import { CILIUM, passthroughAnnotations } from '../manifests/ingress-controllers';

/**
 * Cilium's Ingress.
 *
 * Passthrough works for rules with a host and the path `/` only, and default backends are ignored (Cilium
 * documentation, "Kubernetes Ingress Support"). Each Ingress asks for the shared load balancer: Cilium's default,
 * `dedicated`, gives every host an address of its own.
 */
export class CiliumController extends IngressAnnotationController {
  public readonly type: string = 'cilium';
  protected readonly passthroughAnnotations: { [name: string]: string } = {
    'ingress.cilium.io/loadbalancer-mode': 'shared',
    ...passthroughAnnotations(CILIUM),
  };

  public constructor(props: IngressAnnotationControllerProps = {}) {
    super(props, CILIUM.usualClass);
  }

  /**
   * The ingress controller, with one load balancer for all. It also needs `kubeProxyReplacement: true`, or
   * `nodePort.enabled: true` beside kube-proxy, which is the cluster's choice (Cilium documentation, "Kubernetes
   * Ingress Support", prerequisites).
   */
  public override helmValues(): { [key: string]: any } {
    return { ingressController: { enabled: true, loadbalancerMode: 'shared' } };
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'is a part of the CNI',
      remedy: 'Put helmValues() of the controller into the values of Cilium itself',
    };
  }

  /** Not per host: a policy for the `ingress` identity applies to all that the shared load balancer serves. */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    refuseAllowedCidrs(this.displayName, cidrs, 'its network policies filter the shared ingress as a whole, for every tenant');
    return {};
  }
}
