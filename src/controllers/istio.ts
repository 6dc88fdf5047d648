import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, items, takesHost } from './competitors';
import { IngressController, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './ingress-controller';
import { Installation } from './installation';
import { refuseAllowedCidrs, requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { requireApart, requireTenantPort } from './tenant-ports';
import { Gateway, GatewaySpecServersTlsMode, VirtualService } from '../imports/networking.istio.io';
import { childName } from '../model/content-hash';
import { PORT_RANGE, PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { validateDns1123Label, validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For Istio's ingress gateway with Istio's own API. For its Gateway API see `IngressController.gatewayApi`. */
export interface IstioControllerProps {
  /**
   * An existing Istio Gateway as `<namespace>/<name>`, with a server in TLS mode PASSTHROUGH for the hosts.
   * @default - a Gateway for each control plane, in its namespace
   */
  readonly gateway?: string;
  /**
   * Labels of the gateway's pods.
   * @default - `istio: ingressgateway`
   */
  readonly selector?: { [name: string]: string };
  /**
   * Namespace of the gateway's pods; an AuthorizationPolicy for `allowedCidrs` must be there.
   * @default istio-system
   */
  readonly podNamespace?: string;
  /**
   * Public port, which is also the port of the server in the Gateway.
   * @default 443
   */
  readonly port?: number;
  /**
   * Ports that lead to one tenant each (KubernetesServicePath.port()). The gateway's Service must have them, each with itself as its `targetPort`.
   * @default - none
   */
  readonly portRange?: PortRange;
}

const CHECKS: Checks<IstioControllerProps> = {
  gateway: optional(validateGateway),
  selector: optional(validateLabels),
  podNamespace: optional(validateDns1123Label),
  port: optional(validatePort),
  portRange: optional(PORT_RANGE),
};

/**
 * Istio: one VirtualService per host, and a Gateway per control plane unless there is one. Istio merges Gateways that
 * select the same pods, so the address stays shared; with `PILOT_SCOPE_GATEWAY_TO_NAMESPACE` on, Gateways must be in
 * the namespace of the pods: then give an existing one.
 *
 * The gateway's chart exposes 443 by default; passthrough needs no Helm value.
 */
export class IstioController extends IngressController {
  public readonly type: string = 'istio';
  private readonly gateway?: string;
  private readonly selector: { [name: string]: string };
  private readonly podNamespace: string;
  private readonly port: number;
  private readonly portRange?: PortRange;

  public constructor(props: IstioControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.gateway = props.gateway;
    this.selector = props.selector ?? { istio: 'ingressgateway' };
    this.podNamespace = props.podNamespace ?? 'istio-system';
    this.port = props.port ?? 443;
    this.portRange = props.portRange;
    requireApart(this.port, this.portRange);
  }

  public override get servedIngressClass(): string | undefined {
    return 'istio';
  }

  public override get servesPorts(): boolean {
    return this.portRange !== undefined;
  }

  public override get tenantPortRange(): PortRange | undefined {
    return this.portRange;
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    requirePublicPort(this.displayName, this.port, options.routes);
    requireServicesInNamespace(this.displayName, options);
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'is a part of the mesh',
      remedy: 'Install Istio with istioctl or its own charts, with an ingress gateway',
    };
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return ['networking.istio.io Gateway'];
  }

  /** @internal Istio merges the servers of all Gateways that select the same pods. */
  public override _competitor({ spec }: any): Competitor | undefined {
    if (!Object.entries(spec?.selector ?? {}).every(([key, value]) => this.selector[key] === undefined || this.selector[key] === value)) {
      return undefined;
    }
    const hosts = items(spec?.servers)
      .filter(({ port, tls }) => port?.number === this.port && tls?.mode !== undefined && tls.mode !== GatewaySpecServersTlsMode.PASSTHROUGH)
      .flatMap(server => items(server.hosts))
      // `<namespace>/<host>`
      .map(host => String(host).replace(/^[^/]*\//, ''));
    return ({ hostname }) => hosts.some(host => takesHost(host, hostname));
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const gateway = this.gateway ?? this.createGateway(scope, options);
    if (options.allowedCidrs) {
      this.denyOthers(scope, options, options.allowedCidrs);
    }
    return options.routes.map(route => new ApiObject(scope, route.name, VirtualService.manifest({
      metadata: routeMetadata(options, route),
      spec: {
        hosts: [route.hostname],
        gateways: [gateway],
        tls: [{
          match: [{ port: this.port, sniHosts: [route.hostname] }],
          route: [{ destination: { host: route.serviceName, port: { number: route.servicePort } } }],
        }],
      },
    })));
  }

  /** A Gateway with a server of TCP for the port, and the VirtualService of that port. */
  public override bindPort(scope: Construct, options: PortBindOptions): ApiObject[] {
    const { exposure, route, allowedCidrs } = options;
    // A rule would have to name the port of the pods, which the Service alone knows: named wrongly, it would let everybody in.
    refuseAllowedCidrs(this.displayName, allowedCidrs, 'at the port of a tenant there is no SNI by which a policy would know the tenant');
    requireTenantPort(this.displayName, route, this.portRange);
    requireServicesInNamespace(this.displayName, { exposure, routes: [route], operatorRoutes: [] });
    const metadata = routeMetadata(options, route);
    const gateway = new ApiObject(scope, `${route.name}-Gateway`, Gateway.manifest({
      metadata,
      spec: {
        selector: this.selector,
        servers: [{ port: { name: `tcp-${route.port}`, number: route.port, protocol: 'TCP' }, hosts: ['./*'] }],
      },
    }));
    // The generated class knows routes of TLS alone.
    const manifest = VirtualService.manifest({ metadata, spec: { hosts: ['*'], gateways: [metadata.name!] } });
    const tcp = [{
      match: [{ port: route.port }],
      route: [{ destination: { host: route.serviceName, port: { number: route.servicePort } } }],
    }];
    return [gateway, new ApiObject(scope, route.name, { ...manifest, spec: { ...manifest.spec, tcp } })];
  }

  private createGateway(scope: Construct, { exposure, routes, labels }: IngressControllerBindOptions): string {
    // No route is called so, here and below: their names have no capital letters.
    const [{ entry }] = routes;
    // A label, as Istio wants it.
    const name = entry === undefined ? exposure.name : childName(exposure.name, `entry-${entry}`);
    new ApiObject(scope, 'Gateway', Gateway.manifest({
      metadata: { name, namespace: exposure.namespace, labels },
      spec: {
        selector: this.selector,
        servers: [{
          port: { name: `tls-${this.port}`, number: this.port, protocol: 'TLS' },
          // "./": only VirtualServices of this namespace may serve the host.
          hosts: routes.map(route => `./${route.hostname}`),
          tls: { mode: GatewaySpecServersTlsMode.PASSTHROUGH },
        }],
      },
    }));
    return name;
  }

  /**
   * Enforced on passthrough connections: Istio builds its TCP authorization filter into every chain of a gateway
   * (istio/istio, `buildCompleteNetworkFilters`), and `connection.sni` and remote addresses are known to it (Istio
   * documentation, "Authorization Policy Conditions"). DENY with the SNI leaves other tenants alone, where an ALLOW
   * policy would shut them out. Remote addresses follow the PROXY protocol where the gateway takes it.
   */
  private denyOthers(scope: Construct, { exposure, routes, labels }: IngressControllerBindOptions, cidrs: string[]): void {
    new ApiObject(scope, 'AllowedCidrsPolicy', {
      apiVersion: 'security.istio.io/v1',
      kind: 'AuthorizationPolicy',
      metadata: {
        // All tenants' policies share a namespace. Neither part can contain a dot, so no two names are equal.
        name: [exposure.namespace, exposure.name, ...routes[0].entry === undefined ? [] : [routes[0].entry], 'allowed-cidrs'].join('.'),
        namespace: this.podNamespace,
        labels,
      },
      spec: {
        selector: { matchLabels: this.selector },
        action: 'DENY',
        rules: [{
          from: [{ source: { notRemoteIpBlocks: cidrs } }],
          when: [{ key: 'connection.sni', values: routes.map(route => route.hostname) }],
        }],
      },
    });
  }
}

function validateGateway(field: string, gateway: string): void {
  const [namespace, name, ...rest] = validateText(field, gateway).split('/');
  if (!namespace || !name || rest.length > 0) {
    throw invalidInput(field, gateway, 'does not name a Gateway and its namespace', 'Write "<namespace>/<name>"');
  }
  validateDns1123Label(`${field}: namespace`, namespace);
  validateObjectName(`${field}: name`, name);
}
