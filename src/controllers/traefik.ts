import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, PortCompetitor } from './competitors';
import { IngressController, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './ingress-controller';
import { distinctWhenJoined, JoinedName } from './joined-names';
import { requireServicesInNamespace, routeMetadata } from './route-object';
import { portListenerName, portsOf, requireTenantPort, TENANT_PORTS } from './tenant-ports';
import { TRAEFIK_COMPETITORS, traefikCompetitor, traefikEntryPointsOf } from './traefik-competitors';
import { entryPointValues } from './traefik-entry-points';
import { IngressRouteTcp, IngressRouteTcpSpecRoutesServicesPort, MiddlewareTcp } from '../imports/traefik.io';
import { CLASS_ANNOTATION } from '../manifests/ingress-controllers';
import { isOfMainEntry } from '../model/entry';
import { Exposure, KUBERNETES_SERVICE_ROUTE } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, mapOf, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For Traefik v3. */
export interface TraefikControllerProps {
  /**
   * Entry point of the public port 443.
   * @default websecure
   */
  readonly entryPoint?: string;
  /**
   * Entry points of other public ports, by port, e.g. `{ 8132: 'konnectivity' }`. A route on a port without an entry
   * point is an error.
   * @default - none
   */
  readonly entryPointsByPort?: { [port: string]: string };
  /**
   * Ports that lead to one tenant each (KubernetesServicePath.port()), 500 at most. Each is an entry point `port-<port>`, all of which `helmValues` have: an
   * entry point is a flag of Traefik, whose pods a further one restarts.
   * @default - none
   */
  readonly portRange?: PortRange;
  /**
   * Priority of every route; the higher one wins where two match. Traefik's own default is the length of the rule,
   * so that the longest host would win.
   * @default 1000
   */
  readonly priority?: number;
  /**
   * Ingress class, where Traefik's provider is limited to one (`providers.kubernetesCRD.ingressClass`).
   * @default - none
   */
  readonly ingressClassName?: string;
}

const CHECKS: Checks<TraefikControllerProps> = {
  entryPoint: optional(validateText),
  entryPointsByPort: optional(mapOf(validateText)),
  portRange: optional(TENANT_PORTS),
  priority: optional(validatePriority),
  ingressClassName: optional(validateObjectName),
};

/**
 * Traefik: one IngressRouteTCP per host, and one for the port of a tenant.
 *
 * An HTTPS router for the same host beats a TCP one on the same entry point, so no IngressRoute or Ingress may
 * name the hosts of a control plane.
 */
export class TraefikController extends IngressController {
  public readonly type: string = 'traefik';
  private readonly entryPoints: Map<number, string>;
  private readonly portRange?: PortRange;
  private readonly priority: number;
  private readonly className?: string;

  public constructor(props: TraefikControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.entryPoints = parseEntryPoints(props);
    this.portRange = props.portRange;
    this.priority = props.priority ?? 1000;
    this.className = props.ingressClassName;
  }

  /**
   * The entry points with their public ports, and the provider of IngressRouteTCP. `websecure` is hidden where another entry
   * point serves 443.
   *
   * @throws when the chart cannot have an entry point of that name
   */
  public override helmValues(): { [key: string]: any } {
    return {
      ports: entryPointValues(this.entryPoints, this.portRange),
      providers: { kubernetesCRD: { enabled: true, ...(this.className && { ingressClass: this.className }) } },
    };
  }

  /** Of the class that its chart makes. */
  public override get servedIngressClass(): string | undefined {
    return this.className ?? 'traefik';
  }

  public override get separatesPorts(): boolean {
    return true;
  }

  public override get servesPorts(): boolean {
    return this.portRange !== undefined;
  }

  public override get tenantPortRange(): PortRange | undefined {
    return this.portRange;
  }

  public override routesByPort({ port }: PassthroughRoute): boolean {
    return isInPortRange(port, this.portRange);
  }

  public override validateRoutes(options: RouteValidationOptions): void {
    options.routes.forEach(route => this.entryPointOf(route));
    requireServicesInNamespace(this.displayName, options);
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const entryPoints = options.routes.map(route => this.entryPointOf(route));
    const middlewares = options.allowedCidrs && [{ name: this.allowOnly(scope, options, options.allowedCidrs) }];
    return options.routes.map((route, i) => new ApiObject(scope, route.name, IngressRouteTcp.manifest({
      metadata: routeMetadata(options, route, this.classAnnotation),
      spec: {
        entryPoints: [entryPoints[i]],
        routes: [{
          match: this.ruleOf(route),
          priority: this.priority,
          middlewares,
          services: [{ name: route.serviceName, port: IngressRouteTcpSpecRoutesServicesPort.fromNumber(route.servicePort) }],
        }],
        tls: { passthrough: true },
      },
    })));
  }

  public override bindPort(scope: Construct, options: PortBindOptions): ApiObject[] {
    const { route } = options;
    requireTenantPort(this.displayName, route, this.portRange);
    requireServicesInNamespace(this.displayName, { exposure: options.exposure, routes: [route], operatorRoutes: [] });
    return this.bind(scope, { ...options, routes: [route] });
  }

  /**
   * TLS is passed through at the port of a tenant too: Traefik never asks a router without TLS where any other router of the entry point has TLS
   * (traefik/traefik, `ServeTCP` in `pkg/server/router/tcp/router.go`).
   */
  private ruleOf(route: PassthroughRoute): string {
    return `HostSNI(\`${this.routesByPort(route) ? '*' : route.hostname}\`)`;
  }

  /** The annotation, not `spec.ingressClassName`: every Traefik v3 reads it, while older schemas refuse the field. */
  private get classAnnotation(): { [name: string]: string } | undefined {
    return this.className ? { [CLASS_ANNOTATION]: this.className } : undefined;
  }

  /**
   * @internal Routers and middlewares (traefik/traefik, `makeID` and `makeServiceKey` in `pkg/provider/kubernetes/crd`; a hash
   * stands there for the rule). Routers differ by their rule, unless one host is at two ports.
   */
  public override _joinedNames({ exposure, routes }: RouteValidationOptions): JoinedName[] {
    const { namespace } = exposure;
    const ofPort = exposure.portRoute && isOfMainEntry(routes) ? [exposure.portRoute] : [];
    return [
      ...[...routes, ...ofPort].map(route => {
        const name = `${exposure.name}-${route.name}`;
        return { namespace, name, joined: `${namespace}-${name}-${this.ruleOf(route)}` };
      }),
      ...[routes, ofPort].filter(({ length }) => length > 0).map(of => {
        const name = middlewareName(exposure, of);
        return { namespace, name, joined: `${namespace}-${name}` };
      }),
    ];
  }

  /** @internal */
  public override get _helmChart(): string {
    return 'traefik';
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return TRAEFIK_COMPETITORS;
  }

  /** @internal */
  public override _competitor(manifest: any): Competitor | undefined {
    const { className, priority } = this;
    return traefikCompetitor(manifest, { className, priority, entryPointOf: route => this.entryPointOf(route) });
  }

  /** @internal Whatever else names the entry point: Traefik asks routers of HTTPS first, and one for a host before one for all. */
  public override _portCompetitor(manifest: any): PortCompetitor {
    const taken = traefikEntryPointsOf(manifest);
    return port => taken.includes(portListenerName(port));
  }

  /** Source addresses are known to TCP middlewares, TLS opened or not (Traefik documentation, TCP IPAllowList). */
  private allowOnly(scope: Construct, { exposure, routes, labels }: IngressControllerBindOptions, cidrs: string[]): string {
    const name = middlewareName(exposure, routes);
    // No route is called so: their names have no capital letters.
    new ApiObject(scope, 'AllowedCidrsMiddleware', MiddlewareTcp.manifest({
      metadata: { name, namespace: exposure.namespace, labels, annotations: this.classAnnotation },
      spec: { ipAllowList: { sourceRange: cidrs } },
    }));
    return name;
  }

  private entryPointOf(route: PassthroughRoute): string {
    const entryPoint = this.entryPoints.get(route.port);
    if (!entryPoint) {
      const known = [...this.entryPoints].map(([port, name]) => `${port} (${name})`).join(', ');
      throw invalidInput(`port of ${route.name}`, route.port, `has no entry point of traefik; those known are ${known}`,
        `Use one of these ports, or add the entry point: entryPointsByPort: { ${route.port}: '<entry point>' }`);
    }
    return entryPoint;
  }
}

/** The routes by host of one entry share one. */
function middlewareName({ namespace, name }: Exposure, [{ name: first, entry }]: PassthroughRoute[]): string {
  const ofPort = first === KUBERNETES_SERVICE_ROUTE ? `-${first}` : '';
  return distinctWhenJoined(namespace, `${name}${ofPort}-allowed-cidrs${entry === undefined ? '' : `-${entry}`}`);
}

function parseEntryPoints({ entryPoint, entryPointsByPort = {}, portRange }: TraefikControllerProps): Map<number, string> {
  if (entryPoint !== undefined && entryPointsByPort['443'] !== undefined) {
    throw invalidInput('entryPoint', entryPoint, `serves the public port 443, as does "${entryPointsByPort['443']}" in entryPointsByPort`,
      'Leave one of them out');
  }
  const entryPoints = new Map([[443, entryPoint ?? 'websecure']]);
  for (const [key, name] of Object.entries(entryPointsByPort)) {
    const port = validatePort('entryPointsByPort', Number(key));
    const other = [...entryPoints].find(([otherPort, otherName]) => otherName === name && otherPort !== port);
    if (other) {
      throw invalidInput(`entryPointsByPort.${key}`, name, `is already the entry point of the public port ${other[0]}`,
        'An entry point listens on one port: give each port one of its own');
    }
    entryPoints.set(port, name);
  }
  for (const port of portRange ? portsOf(portRange) : []) {
    const name = portListenerName(port);
    const holder = entryPoints.get(port) ?? [...entryPoints.values()].find(other => other === name);
    if (holder !== undefined) {
      throw invalidInput('portRange', portRange, `has the port ${port}, whose entry point "${name}" would meet the entry point "${holder}"`, 'Give ports that nothing else has');
    }
    entryPoints.set(port, name);
  }
  return entryPoints;
}

/** JSON numbers beyond are not exact; Traefik counts up to 2^63 and keeps the last thousand for itself. */
function validatePriority(field: string, priority: number): void {
  if (!Number.isSafeInteger(priority) || priority < 1) {
    throw invalidInput(field, priority, 'is not a priority', 'Give a whole number above 0; 0 means "the length of the rule" to Traefik');
  }
}
