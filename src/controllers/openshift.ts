import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor } from './competitors';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { Installation } from './installation';
import { requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { Route, RouteSpecPortTargetPort, RouteSpecTlsTermination, RouteSpecToKind } from '../imports/route.openshift.io';
import { validateLabels } from '../validation/labels';
import { validatePort } from '../validation/name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';

/** For OpenShift's router. */
export interface OpenShiftControllerProps {
  /**
   * Labels that select the router, where routers are sharded by the labels of Routes.
   * @default - none
   */
  readonly routeLabels?: { [name: string]: string };
  /**
   * Public port at which the router takes TLS connections.
   * @default 443
   */
  readonly port?: number;
}

const CHECKS: Checks<OpenShiftControllerProps> = {
  routeLabels: optional(validateLabels),
  port: optional(validatePort),
};

/** The router's own default, whatever its IngressController says for others: quiet watches and tunnels must live. */
const IDLE_TIMEOUT = { 'haproxy.router.openshift.io/timeout-tunnel': '1h' };

/**
 * OpenShift's router: one Route per host. The cluster's ingress operator runs it, so there are no Helm values.
 *
 * A Route names the port of the pods, not of the Service. They are equal unless `podPort` of a TLS service says otherwise,
 * as with the Services of Kamaji, Steward and k0smotron.
 */
export class OpenShiftController extends IngressController {
  public readonly type: string = 'openshift';
  private readonly routeLabels: { [name: string]: string };
  private readonly port: number;

  public constructor(props: OpenShiftControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.routeLabels = props.routeLabels ?? {};
    this.port = props.port ?? 443;
  }

  public override get servedIngressClass(): string | undefined {
    return 'openshift-default';
  }

  public override get servesOpenShiftRoutes(): boolean {
    return true;
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    requirePublicPort(this.displayName, this.port, options.routes);
    requireServicesInNamespace(this.displayName, options);
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'is the router that OpenShift brings along',
      remedy: 'Leave the installation out',
    };
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return ['route.openshift.io Route'];
  }

  /** @internal The oldest Route has the host (openshift/router, `pkg/router/controller/unique_host.go`). */
  public override _competitor({ spec }: any): Competitor {
    return ({ hostname }) => spec?.host === hostname;
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const labelled = { ...options, labels: { ...options.labels, ...this.routeLabels } };
    const annotations = { ...IDLE_TIMEOUT, ...(options.allowedCidrs && allowListAnnotations(options.allowedCidrs)) };
    return options.routes.map(route => new ApiObject(scope, route.name, Route.manifest({
      metadata: routeMetadata(labelled, route, annotations),
      spec: {
        host: route.hostname,
        to: { kind: RouteSpecToKind.SERVICE, name: route.serviceName, weight: 100 },
        port: { targetPort: RouteSpecPortTargetPort.fromNumber(route.podPort ?? route.servicePort) },
        tls: { termination: RouteSpecTlsTermination.PASSTHROUGH },
      },
    })));
  }
}

/**
 * Enforced on passthrough Routes: the router rejects other sources in the TCP backend (openshift/router,
 * `haproxy-config.template`). Both names are written, as a router that does not know the one it finds lets everybody
 * in: older ones know `ip_whitelist` alone, newer ones call it deprecated.
 */
function allowListAnnotations(cidrs: string[]): { [name: string]: string } {
  const list = cidrs.join(' ');
  return { 'haproxy.router.openshift.io/ip_allowlist': list, 'haproxy.router.openshift.io/ip_whitelist': list };
}
