import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { IngressControllerBindOptions } from './ingress-controller';
import { HAPROXY_INGRESS, passthroughAnnotations } from '../manifests/ingress-controllers';
import { Warnings } from '../synthesis/warnings';
import { flag, optional } from '../validation/props';

/** For the community's HAProxy Ingress. */
export interface HaproxyIngressControllerProps extends IngressAnnotationControllerProps {
  /**
   * Whether the controller listens on IPv6 beside IPv4. Before version 0.17 it listens on IPv4 alone unless it is told; `helmValues`
   * tell it then. Nodes must have IPv6.
   * @default false
   */
  readonly ipv6?: boolean;
}

/** The community's HAProxy Ingress (jcmoraisjr/haproxy-ingress), a product other than that of HAProxy Technologies. */
export class HaproxyIngressController extends IngressAnnotationController {
  public readonly type: string = 'haproxy-ingress';
  protected readonly passthroughAnnotations: { [name: string]: string } = passthroughAnnotations(HAPROXY_INGRESS);
  /** The controller's own default, whatever its ConfigMap says for others: quiet watches and tunnels must live. */
  protected override readonly usualAnnotations: { [name: string]: string } = { 'haproxy-ingress.github.io/timeout-tunnel': '1h' };
  private readonly ipv6: boolean;

  public constructor(props: HaproxyIngressControllerProps = {}) {
    super(props, HAPROXY_INGRESS.usualClass);
    optional(flag)('ipv6', props.ipv6);
    this.ipv6 = props.ipv6 ?? false;
  }

  /**
   * The IngressClass, which the chart does not create by itself (haproxy-ingress/charts, `ingressClassResource.enabled`
   * is false). A class of its own has a controller name of its own, or each of two installations would serve both classes.
   * Passthrough needs no value. The Gateway API is off: with it 0.16.1 never serves beside a current GatewayClass, whose
   * `status.supportedFeatures` it cannot read.
   */
  public override helmValues(): { [key: string]: any } {
    const name = this.ingressClassName;
    return {
      controller: {
        ingressClass: name,
        ingressClassResource: { enabled: true, ...(name !== HAPROXY_INGRESS.usualClass && { controllerClass: name }) },
        extraArgs: { 'watch-gateway': 'false' },
        ...(this.ipv6 && { config: { 'bind-http': ':80,:::80', 'bind-https': ':443,:::443' } }),
      },
    };
  }

  /** @internal */
  public override get _helmChart(): string {
    return 'haproxy-ingress';
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    if (!this.ipv6 && options.allowedCidrs?.some(cidr => cidr.includes(':'))) {
      Warnings._add(scope, 'haproxy-ingress listens on IPv4 alone before version 0.17 unless it is told, so clients of IPv6 networks in allowedCidrs ' +
        'do not reach it. Set "ipv6" of the controller: its helmValues then have the setting.');
    }
    return super.bind(scope, options);
  }

  /**
   * Enforced on passthrough connections: in TCP mode the range becomes `tcp-request content reject` in the backend
   * (jcmoraisjr/haproxy-ingress, `buildBackendWhitelistTCP`).
   */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    return { 'haproxy-ingress.github.io/allowlist-source-range': cidrs.join(',') };
  }
}
