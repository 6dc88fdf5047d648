import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { IngressControllerBindOptions, PortBindOptions } from './ingress-controller';
import { requireServicesInNamespace, routeMetadata } from './route-object';
import { portsOf, requireApart, requireTenantPort, TENANT_PORTS } from './tenant-ports';
import { HAPROXY_INGRESS, HAPROXY_INGRESS_PORT, passthroughAnnotations } from '../manifests/ingress-controllers';
import { PortRange } from '../model/port-range';
import { ingressManifest } from '../objects/kubernetes';
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
  /**
   * Ports that lead to one tenant each (KubernetesServicePath.port()), 500 at most; `helmValues` give them to the Service. Version 0.13 of the controller and
   * newer serve them.
   * @default - none
   */
  readonly portRange?: PortRange;
}

/** The community's HAProxy Ingress (jcmoraisjr/haproxy-ingress), a product other than that of HAProxy Technologies. */
export class HaproxyIngressController extends IngressAnnotationController {
  public readonly type: string = 'haproxy-ingress';
  protected readonly passthroughAnnotations: { [name: string]: string } = passthroughAnnotations(HAPROXY_INGRESS);
  /** The controller's own default, whatever its ConfigMap says for others: quiet watches and tunnels must live. */
  protected override readonly usualAnnotations: { [name: string]: string } = { 'haproxy-ingress.github.io/timeout-tunnel': '1h' };
  private readonly ipv6: boolean;
  private readonly portRange?: PortRange;

  public constructor(props: HaproxyIngressControllerProps = {}) {
    super(props, HAPROXY_INGRESS.usualClass);
    optional(flag)('ipv6', props.ipv6);
    optional(TENANT_PORTS)('portRange', props.portRange);
    this.ipv6 = props.ipv6 ?? false;
    this.portRange = props.portRange;
    requireApart(this.publicPort, this.portRange);
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
        ...(this.portRange && { service: { extraPorts: portsOf(this.portRange).map(port => ({ port, targetPort: port })) } }),
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

  /** @internal The list is of the backend, and there is one for each port of a Service (`buildID`, `buildBackendWhitelistTCP`). */
  public override get _filtersByService(): boolean {
    return true;
  }

  public override get servesPorts(): boolean {
    return this.portRange !== undefined;
  }

  public override get tenantPortRange(): PortRange | undefined {
    return this.portRange;
  }

  /** An Ingress that is a TCP service (jcmoraisjr/haproxy-ingress, `syncIngressTCP`). Its backend is that of the API host, with the same list of sources. */
  public override bindPort(scope: Construct, options: PortBindOptions): ApiObject[] {
    const { exposure, route, allowedCidrs } = options;
    requireTenantPort(this.displayName, route, this.portRange);
    requireServicesInNamespace(this.displayName, { exposure, routes: [route], operatorRoutes: [] });
    if (exposure.kubernetesEndpoint?.addresses.some(address => address.includes(':'))) {
      Warnings._add(scope, 'haproxy-ingress listens on IPv4 alone at ports of tenants, so an IPv6 address of the shared address leads to it only where a load balancer translates.');
    }
    const { [HAPROXY_INGRESS.passthrough.names[0]]: _, ...usual } = this.ingressAnnotations;
    const annotations = {
      ...usual,
      [HAPROXY_INGRESS_PORT]: String(route.port),
      ...(allowedCidrs && this.allowedCidrsAnnotations(allowedCidrs)),
    };
    return [new ApiObject(scope, route.name, ingressManifest({
      metadata: routeMetadata(options, route, annotations),
      spec: {
        ingressClassName: this.ingressClassName,
        defaultBackend: { service: { name: route.serviceName, port: { number: route.servicePort } } },
      },
    }))];
  }

  /**
   * Enforced on passthrough connections: in TCP mode the range becomes `tcp-request content reject` in the backend
   * (jcmoraisjr/haproxy-ingress, `buildBackendWhitelistTCP`).
   */
  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    return { 'haproxy-ingress.github.io/allowlist-source-range': cidrs.join(',') };
  }
}
