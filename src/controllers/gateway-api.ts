import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, items } from './competitors';
import { accepts, describeListeners, GatewayListener, LISTENER, listenerFor, portOf, validateListeners } from './gateway-listener';
import { GatewayRef } from './gateway-ref';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { Installation } from './installation';
import { distinctWhenJoined, JoinedName } from './joined-names';
import { refuseAllowedCidrs, routeMetadata } from './route-object';
import { ReferenceGrant, TlsRoute } from '../imports/gateway.networking.k8s.io';
import { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';
import { validateDns1123Label } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, flag, listOf, mapOf, oneOf, optional, struct } from '../validation/props';
import { required } from '../validation/required';

/** Version of the kind TLSRoute in `gateway.networking.k8s.io`. */
export enum TlsRouteVersion {
  /** Gateway API 1.5 and newer; the only version that its standard channel serves. */
  V1 = 'v1',
  /** The experimental channel of Gateway API 1.4 and newer. */
  V1ALPHA3 = 'v1alpha3',
  /** The experimental channel of Gateway API, which serves the newer versions as well. */
  V1ALPHA2 = 'v1alpha2',
}

/** How TLSRoutes are written. */
export interface TlsRouteOptions {
  /**
   * Version of TLSRoute. The CRDs in the management cluster must serve it: `kubectl api-resources | grep tlsroutes`.
   * @default TlsRouteVersion.V1
   */
  readonly tlsRouteVersion?: TlsRouteVersion;
  /**
   * Listener for a route, by the name of the route: `{ 'kube-apiserver': 'tls' }`.
   * @default - the most specific listener that takes the route's host and port; when `listeners` is not known, the
   * listener that is named like the route, as Kamaji and Steward document their Gateways
   */
  readonly sectionNames?: { [routeName: string]: string };
}

/** For a Gateway of the Gateway API. */
export interface GatewayApiControllerProps extends TlsRouteOptions {
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
}

export const TLS_ROUTE_OPTIONS: Checks<TlsRouteOptions> = {
  tlsRouteVersion: optional(oneOf(TlsRouteVersion)),
  sectionNames: optional(mapOf(validateObjectName)),
};

const CHECKS: Checks<GatewayApiControllerProps> = {
  gateway: struct<GatewayRef>({ name: validateObjectName, namespace: validateDns1123Label }),
  listeners: optional(listOf(struct(LISTENER))),
  sameNamespaceOnly: optional(flag),
  ...TLS_ROUTE_OPTIONS,
};

const GROUP = 'gateway.networking.k8s.io';

/** The Gateway API: one TLSRoute per host. What its implementation needs to serve TLSRoutes differs, so there are no Helm values. */
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
    return routes.filter(route => !operatorRoutes.includes(route)).map(route => {
      const name = tlsRouteName(exposure, route);
      return { namespace, name, joined: `tlsroute-${namespace}-${name}-gw-${gateway.namespace}-${gateway.name}` };
    });
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return [`${GROUP} Gateway`, `${GROUP} TLSRoute`];
  }

  /** @internal A listener of the Gateway that opens TLS for the very host, or another TLSRoute there: the oldest has the host. */
  public override _competitor({ kind, metadata, spec }: any): Competitor | undefined {
    const isOurs = (name: unknown, namespace: unknown) => name === this.props.gateway.name && namespace === this.props.gateway.namespace;
    const hosts = kind === 'Gateway'
      ? isOurs(metadata?.name, metadata?.namespace) ? items(spec?.listeners).filter(opensTls).map(({ hostname }) => hostname) : []
      : items(spec?.parentRefs).some(ref => isOurs(ref.name, ref.namespace ?? metadata?.namespace)) ? items(spec?.hostnames) : [];
    return hosts.length > 0 ? ({ hostname }) => hosts.includes(hostname) : undefined;
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const { gateway } = this.props;
    refuseAllowedCidrs(this.displayName, options.allowedCidrs, 'a TLSRoute has no filters');
    const sections = options.routes.map(route => this.sectionOf(route));
    sections.forEach(section => this.warnOfTermination(scope, section));

    return options.routes.map((route, i) => {
      const manifest = TlsRoute.manifest({
        metadata: { ...routeMetadata(options, route), name: tlsRouteName(options.exposure, route) },
        spec: {
          parentRefs: [{ group: GROUP, kind: 'Gateway', name: gateway.name, namespace: gateway.namespace, sectionName: sections[i] }],
          hostnames: [route.hostname],
          rules: [{ backendRefs: [this.backendRef(scope, options, route)] }],
        },
      });
      return new ApiObject(scope, route.name, { ...manifest, apiVersion: `${GROUP}/${this.version}` });
    });
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
    const { gateway, listeners, sectionNames } = this.props;
    const wanted = sectionNames?.[route.name];
    if (!listeners) {
      return wanted ?? route.name;
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

  private backendRef(scope: Construct, options: IngressControllerBindOptions, route: PassthroughRoute) {
    const backend = { name: route.serviceName, port: route.servicePort };
    if (route.serviceNamespace === options.exposure.namespace) {
      return backend;
    }
    this.grant(scope, options, route);
    return { ...backend, namespace: route.serviceNamespace };
  }

  /** Lets the TLSRoute refer to a Service of another namespace. */
  private grant(scope: Construct, options: IngressControllerBindOptions, route: PassthroughRoute): void {
    const { exposure } = options;
    const manifest = ReferenceGrant.manifest({
      metadata: {
        ...routeMetadata(options, route),
        // Grants of several control planes may share the namespace. No part can contain a dot, so no two names are equal.
        name: `${exposure.namespace}.${exposure.name}.${route.name}`,
        namespace: route.serviceNamespace,
      },
      spec: {
        from: [{ group: GROUP, kind: 'TLSRoute', namespace: exposure.namespace }],
        to: [{ group: '', kind: 'Service', name: route.serviceName }],
      },
    });
    // ReferenceGrant became v1 together with TLSRoute.
    const version = this.version === TlsRouteVersion.V1 ? 'v1' : 'v1beta1';
    // No route is called so: their names have no capital letters.
    new ApiObject(scope, `${route.name}-Grant`, { ...manifest, apiVersion: `${GROUP}/${version}` });
  }
}

function tlsRouteName({ namespace, name }: Exposure, route: PassthroughRoute): string {
  return distinctWhenJoined(namespace, `${name}-${route.name}`);
}

function opensTls({ protocol, tls }: any): boolean {
  return protocol === 'HTTPS' || (protocol === 'TLS' && tls?.mode !== 'Passthrough');
}
