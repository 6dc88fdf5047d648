import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, PortCompetitor } from './competitors';
import { GATEWAY_COMPETITORS, gatewayCompetitor, gatewayPortCompetitor } from './gateway-competitors';
import { accepts, acceptsPort, describeListeners, GatewayListener, LISTENER, listenerFor, portOf, validateListeners } from './gateway-listener';
import { listenerSet, serviceRef, tcpRoute } from './gateway-ports';
import { GATEWAY_GROUP as GROUP, GatewayRef, parentRef } from './gateway-ref';
import { GATEWAY_ROUTE_OPTIONS, GatewayRouteOptions, TcpRouteVersion, TlsRouteVersion } from './gateway-route-options';
import { IngressController, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './ingress-controller';
import { Installation } from './installation';
import { distinctWhenJoined, JoinedName } from './joined-names';
import { grantService } from './reference-grant';
import { refuseAllowedCidrs, routeMetadata } from './route-object';
import { portListenerName } from './tenant-ports';
import { TlsRoute } from '../imports/gateway.networking.k8s.io';
import { isOfMainEntry, serverNameOf } from '../model/entry';
import { Exposure, KUBERNETES_SERVICE_ROUTE } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PORT_RANGE, PortRange } from '../model/port-range';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { checkProps, Checks, flag, listOf, optional, orHolder, struct } from '../validation/props';
import { required } from '../validation/required';

/** For a Gateway of the Gateway API. */
export interface GatewayApiControllerProps extends GatewayRouteOptions {
  /** The Gateway. To create one, see `PassthroughGateway`. */
  readonly gateway: GatewayRef;
  /**
   * The listeners of the Gateway. When they are given, a route that none of them takes is an error.
   * @default - not known
   */
  readonly listeners?: GatewayListener[];
  /**
   * Whether the listeners take routes of the Gateway's namespace alone (`allowedRoutes.namespaces.from: Same`, which
   * is the Gateway API's default).
   * @default false
   */
  readonly sameNamespaceOnly?: boolean;
  /**
   * Whether each port of a tenant has its listener in a ListenerSet beside the tenant, instead of in the Gateway. The Gateway must allow
   * them (`allowedListeners`), its implementation serve them, and the CRDs be those of Gateway API 1.5 or newer.
   * @default false
   */
  readonly listenerSets?: boolean;
  /**
   * Ports among which those of tenants are.
   * @default - the user names a port, or a range, for each tenant
   */
  readonly portRange?: PortRange;
}

const CHECKS: Checks<GatewayApiControllerProps> = {
  gateway: orHolder(struct<GatewayRef>({ name: validateObjectName, namespace: validateDns1123Label }), { asController: 'Use what its asController() returns in place of this controller' }),
  listeners: optional(listOf(struct(LISTENER))),
  sameNamespaceOnly: optional(flag),
  listenerSets: optional(flag),
  portRange: optional(PORT_RANGE),
  ...GATEWAY_ROUTE_OPTIONS,
};

/** The Gateway API: one TLSRoute per host, and a TCPRoute for the port of a tenant. What its implementation needs to serve TLSRoutes differs, so there are no Helm values. */
export class GatewayApiController extends IngressController {
  public readonly type: string = 'gateway-api';
  private readonly version: TlsRouteVersion;

  public constructor(private readonly props: GatewayApiControllerProps) {
    super();
    required('props', props, 'Give gateway, e.g. { gateway: { name: "edge", namespace: "edge" } }');
    required('gateway', props.gateway, 'Give one, e.g. { name: "edge", namespace: "edge" }');
    checkProps('', props, CHECKS);
    this.version = props.tlsRouteVersion ?? TlsRouteVersion.V1;
    validateListeners(props.listeners ?? []);
  }

  public override get gatewayRef(): GatewayRef | undefined {
    return this.props.gateway;
  }

  /** @internal */
  public override get _tlsRouteVersion(): string {
    return this.version;
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'leads to a Gateway, and any of many implementations serves it',
      remedy: 'Install the implementation of your GatewayClass by its own instructions; PassthroughGateway makes the Gateway',
    };
  }

  public override get separatesPorts(): boolean {
    return true;
  }

  public override get servesPorts(): boolean {
    return true;
  }

  public override get tenantPortRange(): PortRange | undefined {
    return this.props.portRange;
  }

  public override routesByPort({ port }: PassthroughRoute): boolean {
    return isInPortRange(port, this.props.portRange) || (this.props.listeners ?? []).some(listener => acceptsPort(listener, port));
  }

  public override validateRoutes({ exposure, routes, operatorRoutes }: RouteValidationOptions): void {
    this.requireAcceptedNamespace(exposure.namespace);
    for (const route of routes) {
      if (operatorRoutes.includes(route)) {
        this.requireListenerOfOperator(route);
      } else {
        this.sectionOf(route);
      }
    }
  }

  /**
   * @internal Those of Traefik before 3.7.15 (traefik/traefik, `loadTLSRoute` in `pkg/provider/kubernetes/gateway`), which drops one
   * of two TLSRoutes with one name. Other implementations keep namespaces and names apart.
   */
  public override _joinedNames({ exposure, routes, operatorRoutes }: RouteValidationOptions): JoinedName[] {
    const { gateway } = this.props;
    const { namespace } = exposure;
    const joined = (kind: string, route: PassthroughRoute) => {
      const name = routeObjectName(exposure, route);
      return { namespace, name, joined: `${kind}-${namespace}-${name}-gw-${gateway.namespace}-${gateway.name}` };
    };
    return [
      ...routes.filter(route => !operatorRoutes.includes(route)).map(route => joined(this.routesByPort(route) ? 'tcproute' : 'tlsroute', route)),
      ...exposure.portRoute && isOfMainEntry(routes) ? [joined('tcproute', exposure.portRoute)] : [],
    ];
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return GATEWAY_COMPETITORS;
  }

  /** @internal */
  public override _competitor(manifest: any): Competitor | undefined {
    return gatewayCompetitor(manifest, this.props.gateway);
  }

  /** @internal */
  public override _portCompetitor(manifest: any): PortCompetitor {
    const { gateway, listeners = [] } = this.props;
    return gatewayPortCompetitor(manifest, gateway, port => listeners.find(item => acceptsPort(item, port))?.name ?? portListenerName(port));
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    refuseAllowedCidrs(this.displayName, options.allowedCidrs, 'a TLSRoute has no filters');
    const sections = options.routes.map(route => this.sectionOf(route));
    sections.forEach(section => this.warnOfTermination(scope, section));
    return options.routes.map((route, i) => this.routesByPort(route)
      ? this.tcpRoute(scope, { ...options, route }, sections[i])[0]
      : this.tlsRoute(scope, options, route, sections[i]));
  }

  public override bindPort(scope: Construct, options: PortBindOptions): ApiObject[] {
    refuseAllowedCidrs(this.displayName, options.allowedCidrs, 'a TCPRoute has no filters');
    this.requireAcceptedNamespace(options.exposure.namespace);
    return this.tcpRoute(scope, options, this.sectionOfPort(options.route));
  }

  private tlsRoute(scope: Construct, options: IngressControllerBindOptions, route: PassthroughRoute, sectionName: string): ApiObject {
    const { gateway } = this.props;
    const { exposure } = options;
    const manifest = TlsRoute.manifest({
      metadata: { ...routeMetadata(options, route), name: routeObjectName(exposure, route) },
      spec: {
        parentRefs: [parentRef(gateway, sectionName)],
        hostnames: [route.hostname],
        rules: [{ backendRefs: [serviceRef(exposure, route)] }],
      },
    });
    // ReferenceGrant became v1 together with TLSRoute.
    grantService(scope, route, { ...options, kind: 'TLSRoute', version: this.version === TlsRouteVersion.V1 ? 'v1' : 'v1beta1' });
    return new ApiObject(scope, route.name, { ...manifest, apiVersion: `${GROUP}/${this.version}` });
  }

  /** The TCPRoute, and the ListenerSet that it attaches to. */
  private tcpRoute(scope: Construct, options: PortBindOptions, sectionName: string): ApiObject[] {
    const { gateway, listenerSets, tcpRouteVersion: version = TcpRouteVersion.V1 } = this.props;
    const { exposure, route } = options;
    const own = listenerSets ? listenerSet(options, gateway) : undefined;
    const parent = own?.parent ?? { kind: 'Gateway', ...gateway, sectionName } as const;
    grantService(scope, route, { ...options, kind: 'TCPRoute', version: version === TcpRouteVersion.V1 ? 'v1' : 'v1beta1' });
    return [
      new ApiObject(scope, route.name, tcpRoute(options, routeObjectName(exposure, route), version, parent)),
      ...own ? [new ApiObject(scope, `${route.name}-ListenerSet`, own.manifest)] : [],
    ];
  }

  private sectionOfPort(route: PassthroughRoute): string {
    const { gateway, listeners, listenerSets } = this.props;
    const wanted = this.wantedSection(route);
    if (listenerSets) {
      return route.name;
    }
    const listener = listeners?.find(item => acceptsPort(item, route.port) && (wanted ?? item.name) === item.name);
    if (listeners && !listener) {
      throw invalidInput(portField(route), route.port, `is that of no listener of TCP${wanted === undefined ? '' : ` called "${wanted}"`} of the Gateway ` +
        `${gateway.namespace}/${gateway.name}, which has ${describeListeners(listeners)}`,
      'Add a listener of protocol TCP for the port (portRange of PassthroughGateway), or set listenerSets');
    }
    return listener?.name ?? wanted ?? portListenerName(route.port);
  }

  private requireAcceptedNamespace(namespace: string): void {
    const { gateway, sameNamespaceOnly } = this.props;
    if (sameNamespaceOnly && namespace !== gateway.namespace) {
      throw invalidInput('namespace', namespace, `is not that of the Gateway ${gateway.namespace}/${gateway.name}, which takes routes of its own namespace alone`,
        'Let the Gateway take others (routeNamespaceLabels of PassthroughGateway, allowedRoutes of another one), or move the control plane');
    }
  }

  /**
   * Kamaji and Steward attach their TLSRoutes to the listener that is named like the route, and name its port: the
   * route's, as the operators know of one port only.
   */
  private requireListenerOfOperator(route: PassthroughRoute): void {
    const { gateway, listeners, sectionNames } = this.props;
    const remedy = `Call the listener for ${route.hostname}:${route.port} "${route.name}", or have this library create the routes ` +
      '(operatorRoutes of the platform, or ownRoutes)';
    const wanted = sectionNames?.[route.name] ?? route.name;
    if (this.routesByPort(route)) {
      throw invalidInput(portField(route), route.port, 'is a port of one tenant, at a listener of TCP, and the operator of the platform makes a TLSRoute', remedy);
    }
    if (wanted !== route.name) {
      throw invalidInput(`sectionNames.${route.name}`, wanted, `is not known to the operator of the platform, whose TLSRoute attaches to the listener "${route.name}"`, remedy);
    }
    const listener = listeners?.find(({ name }) => name === route.name);
    if (listeners && !(listener && accepts(listener, route) && portOf(listener) === route.port)) {
      throw invalidInput(`host of ${route.name}`, `${route.hostname}:${route.port}`,
        `is not taken by a listener "${route.name}" of the Gateway ${gateway.namespace}/${gateway.name}, to which the operator of the platform attaches ` +
        `its TLSRoute; the Gateway has ${describeListeners(listeners)}`, remedy);
    }
  }

  private sectionOf(route: PassthroughRoute): string {
    if (this.routesByPort(route)) {
      return this.sectionOfPort(route);
    }
    const { gateway, listeners } = this.props;
    const wanted = this.wantedSection(route);
    if (!listeners) {
      return wanted ?? serverNameOf(route);
    }
    const fail = (reason: string) => invalidInput(
      wanted ? `sectionNames.${route.name}` : `host of ${route.name}`, wanted ?? `${route.hostname}:${route.port}`,
      `${reason} of the Gateway ${gateway.namespace}/${gateway.name}, which has ${describeListeners(listeners)}`,
      'Add a passthrough listener for the host, or name one of these');
    if (wanted) {
      const listener = listeners.find(({ name }) => name === wanted);
      if (!listener) {
        throw fail('is not a listener');
      }
      if (!accepts(listener, route)) {
        throw fail(`does not take ${route.hostname}:${route.port} as a listener`);
      }
      return wanted;
    }
    const listener = listenerFor(listeners, route);
    if (!listener) {
      throw fail('is taken by no listener');
    }
    return listener.name;
  }

  /** That of the route, or of its server at whatever entry. */
  private wantedSection(route: PassthroughRoute): string | undefined {
    return this.props.sectionNames?.[route.name] ?? this.props.sectionNames?.[serverNameOf(route)];
  }

  /** Implementations refuse the pair, some since an upgrade: cilium/cilium#47590 (`ProtocolConflict`). */
  private warnOfTermination(scope: Construct, section: string): void {
    const { gateway, listeners = [] } = this.props;
    const own = listeners.find(({ name }) => name === section);
    const terminating = own && listeners.find(other => other.terminatesTls && portOf(other) === portOf(own));
    if (terminating) {
      Warnings._add(scope, `Gateway ${gateway.namespace}/${gateway.name}: the listener "${terminating.name}" opens TLS on port ${portOf(own)}, ` +
        `where "${own.name}" passes it through. Implementations may refuse both (ProtocolConflict). ` +
        'Give passthrough a port or a Gateway of its own.');
    }
  }
}

/** What the user set the port of a route by. */
function portField({ name }: PassthroughRoute): string {
  return name === KUBERNETES_SERVICE_ROUTE ? 'kubernetesService.port' : `port of ${name}`;
}

function routeObjectName({ namespace, name }: Exposure, route: PassthroughRoute): string {
  return distinctWhenJoined(namespace, `${name}-${route.name}`);
}
