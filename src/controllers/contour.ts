import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor } from './competitors';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { Installation } from './installation';
import { refuseAllowedCidrs, requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { HttpProxy } from '../imports/projectcontour.io';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';

/** For Contour. */
export interface ContourControllerProps {
  /**
   * Ingress class, where Contour is limited to one (`--ingress-class-name`).
   * @default - none
   */
  readonly ingressClassName?: string;
  /**
   * Public port at which Contour's Envoy takes TLS connections.
   * @default 443
   */
  readonly port?: number;
}

const CHECKS: Checks<ContourControllerProps> = {
  ingressClassName: optional(validateObjectName),
  port: optional(validatePort),
};

/**
 * Contour: one HTTPProxy per host. It needs no Helm value for passthrough; where Contour accepts root proxies of
 * chosen namespaces alone (`--root-namespaces`), the control plane's must be among them.
 */
export class ContourController extends IngressController {
  public readonly type: string = 'contour';
  private readonly className?: string;
  private readonly port: number;

  public constructor(props: ContourControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.className = props.ingressClassName;
    this.port = props.port ?? 443;
  }

  public override get servedIngressClass(): string | undefined {
    return this.className ?? 'contour';
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    requirePublicPort(this.displayName, this.port, options.routes);
    requireServicesInNamespace(this.displayName, options);
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'is installed by its operator or its own manifests',
      remedy: 'Install Contour by its own instructions; it needs no setting for passthrough',
    };
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return ['projectcontour.io HTTPProxy'];
  }

  /** @internal Of two with one host, none is valid (projectcontour/contour, `DuplicateVhost`). */
  public override _competitor({ spec }: any): Competitor | undefined {
    return spec?.ingressClassName === this.className ? ({ hostname }) => spec?.virtualhost?.fqdn === hostname : undefined;
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    // projectcontour/contour, internal/xdscache/v3/listener.go: the filter chain of a tcpproxy is the TCP proxy alone.
    refuseAllowedCidrs(this.displayName, options.allowedCidrs, 'ipAllowPolicy is an HTTP filter, which tcpproxy does without');
    return options.routes.map(route => new ApiObject(scope, route.name, HttpProxy.manifest({
      metadata: routeMetadata(options, route),
      spec: {
        ingressClassName: this.className,
        virtualhost: { fqdn: route.hostname, tls: { passthrough: true } },
        tcpproxy: { services: [{ name: route.serviceName, port: route.servicePort }] },
      },
    })));
  }
}
