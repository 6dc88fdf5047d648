import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { AddressBindOptions, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './bind-options';
import type { Competitor, PortCompetitor } from './competitors';
import type { ContourControllerProps } from './contour';
import type { ControllerGateway } from './controller-gateway';
import type { F5NginxControllerProps } from './f5-nginx';
import type { GatewayApiControllerProps } from './gateway-api';
import type { GatewayRef } from './gateway-ref';
import type { HaproxyIngressControllerProps } from './haproxy-ingress';
import type { IngressAnnotationControllerProps } from './ingress-annotation-controller';
import type { Installation } from './installation';
import type { IstioControllerProps } from './istio';
import type { JoinedName } from './joined-names';
import type { OpenShiftControllerProps } from './openshift';
import { portsNotServed } from './tenant-ports';
import type { TraefikControllerProps } from './traefik';
import type { AddressRange } from '../model/address-range';
import type { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import type { PortRange } from '../model/port-range';
import type { RequiredObject } from '../model/required-object';
import { nameFactories } from '../validation/factories';
import { invalidInput } from '../validation/invalid-input';
import { CHARTS_READ } from '../versions/charts';

export type { AddressBindOptions, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './bind-options';

/**
 * What routes TLS connections at the shared address without opening them.
 *
 * Subclass it for a controller that has no class here: emit one object per route in `bind`.
 *
 * @example
 * const traefik = IngressController.traefik({ entryPoint: 'websecure' });
 * const gateway = IngressController.gatewayApi({ gateway: { name: 'edge', namespace: 'edge' } });
 * const other = IngressController.generic({ ingressClassName: 'edge', annotations: { 'example.com/passthrough': 'true' } });
 */
export abstract class IngressController {
  /** Traefik v3: IngressRouteTCP. */
  public static traefik(props: TraefikControllerProps = {}): IngressController {
    const { TraefikController } = require('./traefik') as typeof import('./traefik');
    return new TraefikController(props);
  }

  /** The ingress controller of HAProxy Technologies: Ingresses with annotations of `haproxy.org`. */
  public static haproxy(props: IngressAnnotationControllerProps = {}): IngressController {
    const { HaproxyController } = require('./haproxy') as typeof import('./haproxy');
    return new HaproxyController(props);
  }

  /** The community's HAProxy Ingress: Ingresses with annotations of `haproxy-ingress.github.io`. */
  public static haproxyIngress(props: HaproxyIngressControllerProps = {}): IngressController {
    const { HaproxyIngressController } = require('./haproxy-ingress') as typeof import('./haproxy-ingress');
    return new HaproxyIngressController(props);
  }

  /** ingress-nginx of the Kubernetes project, retired in March 2026; it warns. */
  public static ingressNginx(props: IngressAnnotationControllerProps = {}): IngressController {
    const { IngressNginxController } = require('./ingress-nginx') as typeof import('./ingress-nginx');
    return new IngressNginxController(props);
  }

  /** F5 NGINX Ingress Controller: TransportServer. */
  public static f5Nginx(props: F5NginxControllerProps = {}): IngressController {
    const { F5NginxController } = require('./f5-nginx') as typeof import('./f5-nginx');
    return new F5NginxController(props);
  }

  /** An existing Gateway of the Gateway API: TLSRoute. To create the Gateway, see `PassthroughGateway`. */
  public static gatewayApi(props: GatewayApiControllerProps): IngressController {
    const { GatewayApiController } = require('./gateway-api') as typeof import('./gateway-api');
    return new GatewayApiController(props);
  }

  /** kgateway, with an existing Gateway of its class: TLSRoute. To create the Gateway, see `PassthroughGateway`. */
  public static kgateway(props: GatewayApiControllerProps): IngressController {
    const { KgatewayController } = require('./kgateway') as typeof import('./kgateway');
    return new KgatewayController(props);
  }

  /** Contour: HTTPProxy with `tcpproxy`. */
  public static contour(props: ContourControllerProps = {}): IngressController {
    const { ContourController } = require('./contour') as typeof import('./contour');
    return new ContourController(props);
  }

  /** Istio's own API: Gateway and VirtualService. */
  public static istio(props: IstioControllerProps = {}): IngressController {
    const { IstioController } = require('./istio') as typeof import('./istio');
    return new IstioController(props);
  }

  /** OpenShift's router: Route. */
  public static openshift(props: OpenShiftControllerProps = {}): IngressController {
    const { OpenShiftController } = require('./openshift') as typeof import('./openshift');
    return new OpenShiftController(props);
  }

  /** Cilium's Ingress on its shared load balancer. */
  public static cilium(props: IngressAnnotationControllerProps = {}): IngressController {
    const { CiliumController } = require('./cilium') as typeof import('./cilium');
    return new CiliumController(props);
  }

  /** Any other controller that passes TLS through for Ingresses: give its class and annotations. */
  public static generic(props: IngressAnnotationControllerProps): IngressController {
    const { GenericController } = require('./generic') as typeof import('./generic');
    return new GenericController(props);
  }

  /** Identifies the controller, e.g. `traefik`. Nothing depends on it: what a controller can do is in its other properties. */
  public abstract readonly type: string;

  /**
   * How messages call the controller.
   * @default - its type
   */
  public get displayName(): string {
    return this.type;
  }

  /**
   * IngressClass that the controller answers to, where its routes are `networking.k8s.io/v1` Ingresses.
   *
   * Platforms whose operator creates an Ingress itself put it there.
   * @default - the controller is not driven by Ingress objects
   */
  public get ingressClassName(): string | undefined {
    return undefined;
  }

  /**
   * Annotations that make an Ingress of this controller pass TLS through.
   *
   * Platforms whose operator creates an Ingress itself put them there.
   * @default - none
   */
  public get ingressAnnotations(): { [name: string]: string } {
    return {};
  }

  /**
   * IngressClass whose Ingresses the controller serves, also beside routes of another kind. An Ingress that nobody is to serve must have another class.
   * @default - `ingressClassName`
   */
  public get servedIngressClass(): string | undefined {
    return this.ingressClassName;
  }

  /**
   * Whether TLS is passed through for an Ingress with `ingressClassName` and `ingressAnnotations`.
   * @default - whether there are such annotations
   */
  public get passesIngressesThrough(): boolean {
    return Object.keys(this.ingressAnnotations).length > 0;
  }

  /**
   * Whether an operator that makes Ingresses by itself is left to make them, where the user does not say who does.
   * @default false
   */
  public get leavesIngressesToOperators(): boolean {
    return false;
  }

  /**
   * Whether it is OpenShift's router, which serves the Routes of `route.openshift.io` that operators make.
   * @default false
   */
  public get servesOpenShiftRoutes(): boolean {
    return false;
  }

  /**
   * The Gateway that routes attach to.
   *
   * Platforms whose operator creates TLSRoutes itself name it as their parent.
   * @default - the controller is not a Gateway
   */
  public get gatewayRef(): GatewayRef | undefined {
    return undefined;
  }

  /** @internal The version that its TLSRoutes are written in, for a Gateway. */
  public get _tlsRouteVersion(): string | undefined {
    return undefined;
  }

  /**
   * Whether one host on two public ports can lead to two places. Most controllers route on the host alone.
   * @default false
   */
  public get separatesPorts(): boolean {
    return false;
  }

  /**
   * Whether connections to the port of a route lead to its Service whatever their SNI host, and without one, e.g. those of pods to HyperShift's API server.
   * @default - false: routes are found by their SNI host
   */
  public routesByPort(_route: PassthroughRoute): boolean {
    return false;
  }

  /**
   * Whether it can lead a port of the shared address to one tenant (`bindPort`), for KubernetesServicePath.port().
   * @default false
   */
  public get servesPorts(): boolean {
    return false;
  }

  /** @internal Why it cannot, where it cannot. */
  public get _whyNoPorts(): string {
    return 'which finds tenants by their SNI host alone';
  }

  /** @internal Whether a list of sources holds for all routes to one port of a Service, whatever their host. */
  public get _filtersByService(): boolean {
    return false;
  }

  /**
   * Ports among which those of tenants are, where the user names none.
   * @default - not known: the user names a port or a range
   */
  public get tenantPortRange(): PortRange | undefined {
    return undefined;
  }

  /**
   * IPv6 addresses among which those of tenants are, where it can lead an address to one tenant (`bindAddress`), for
   * KubernetesServicePath.ipv6Address().
   * @default - it serves no addresses of tenants
   */
  public get tenantAddressRange(): AddressRange | undefined {
    return undefined;
  }

  /**
   * Public port at which the controller takes TLS connections, of controllers that have one such port.
   * @default 443
   */
  public get publicPort(): number {
    return 443;
  }

  /** @internal The gateway of this library behind it; undefined for any other controller. */
  public get _gateway(): ControllerGateway | undefined {
    return undefined;
  }

  /**
   * What an operator should know of the controller, whoever creates the routes.
   * @default - nothing
   */
  public get warnings(): string[] {
    return [];
  }

  /**
   * Values for the controller's Helm chart that turn TLS passthrough on.
   * @default - none needed
   */
  public helmValues(): { [key: string]: any } {
    return {};
  }

  /**
   * What must exist before the routes of a control plane are served and no manifest refers to, for the chapter of the
   * ExposureReport. The classes and Gateways that routes name are found without it.
   * @default - the controller itself, where a Helm chart of it is known
   */
  public prerequisites(_exposure: Exposure): RequiredObject[] {
    const chart = this._helmChart;
    return chart === undefined ? [] : [{
      kind: 'Operator',
      name: this.displayName,
      reason: `serves the routes; its chart is ${chart}, of which ${CHARTS_READ[chart]} was read, with the values that helmValues() gives`,
    }];
  }

  /**
   * Checks that the controller can serve the routes, also those that it does not emit because the platform's operator makes them.
   * @default - every route can be served
   * @throws when it cannot, with the field, its value, the reason and the remedy
   */
  public validateRoutes(_options: RouteValidationOptions): void {}

  /** @internal The names that it joins of namespaces and names, with a sign that both may contain: two control planes with one would be one to it. */
  public _joinedNames(_options: RouteValidationOptions): JoinedName[] {
    return [];
  }

  /** @internal Name of the Helm chart that IngressControllerInstall installs it by. */
  public get _helmChart(): string | undefined {
    return undefined;
  }

  /** @internal How it is installed, where it is by none of these charts. */
  public get _installation(): Installation | undefined {
    return undefined;
  }

  /** @internal The kinds of objects that these two know, as `<group> <kind>`. */
  public get _competingKinds(): readonly string[] {
    return [];
  }

  /** @internal Which routes of this controller an object of somebody else takes away; undefined when it takes none. */
  public _competitor(_manifest: any): Competitor | undefined {
    return undefined;
  }

  /** @internal Which ports of tenants an object of somebody else takes. */
  public _portCompetitor(_manifest: any): PortCompetitor | undefined {
    return undefined;
  }

  /**
   * Emits one object per route, in the control plane's namespace.
   * @returns the route objects, in the order of the routes; none when routes are no objects, as with a shared gateway
   * @throws when the controller cannot do what the options ask for; never leaves a part out silently
   */
  public abstract bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[];

  /**
   * Leads a port of the shared address to one tenant. Called after `bind`.
   * @returns the objects that do so, in the control plane's namespace; none when ports are no objects, as with a shared gateway
   * @throws when the controller cannot serve the port; by default always
   */
  public bindPort(_scope: Construct, { route }: PortBindOptions): ApiObject[] {
    throw portsNotServed(this, route);
  }

  /**
   * Leads an IPv6 address to one tenant. Called after `bind`.
   *
   * @returns the objects that do so, in the control plane's namespace; none when addresses are no objects, as with a shared gateway
   * @throws when the controller cannot serve the address; by default always
   */
  public bindAddress(_scope: Construct, { address }: AddressBindOptions): ApiObject[] {
    throw invalidInput('kubernetesService.address', address, `cannot be served by the ${this.displayName} controller, which has no addresses of tenants`,
      'Use a SharedIngressGateway with an addressRange, or KubernetesServicePath.port() where the controller serves ports');
  }
}

nameFactories(IngressController);
