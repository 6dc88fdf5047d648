import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, items } from './competitors';
import { IngressController, IngressControllerBindOptions, PortBindOptions, RouteValidationOptions } from './ingress-controller';
import { refuseAllowedCidrs, requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { portListenerName, portsOf, requireApart, requireTenantPort, TENANT_PORTS } from './tenant-ports';
import { TransportServer } from '../imports/k8s.nginx.org';
import { ingressClassOf } from '../manifests/ingress-class';
import { F5_NGINX, F5_PASSTHROUGH_LISTENER } from '../manifests/ingress-controllers';
import { PassthroughRoute } from '../model/exposure-props';
import { PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, checkProps, optional } from '../validation/props';
import { required } from '../validation/required';
import { validateText } from '../validation/text';

/** For F5 NGINX Ingress Controller (nginx/kubernetes-ingress). */
export interface F5NginxControllerProps {
  /**
   * IngressClass that the controller answers to.
   * @default nginx
   */
  readonly ingressClassName?: string;
  /**
   * Public port at which the controller takes TLS connections.
   * @default 443
   */
  readonly port?: number;
  /**
   * Ports that lead to one tenant each (KubernetesServicePath.port()), 500 at most. Each is a listener `port-<port>` of the GlobalConfiguration, which
   * `helmValues` have; with another GlobalConfiguration add them there.
   * @default - none
   */
  readonly portRange?: PortRange;
  /**
   * How long a connection may be silent, in NGINX' notation, e.g. `4h`. NGINX' own 10 minutes cut quiet watches and tunnels.
   * The public server that all connections come in by has a limit of its own: `helmValues` set it too.
   * @default 1h
   */
  readonly idleTimeout?: string;
}

const CHECKS: Checks<F5NginxControllerProps> = {
  ingressClassName: optional(validateObjectName),
  port: optional(validatePort),
  portRange: optional(TENANT_PORTS),
  idleTimeout: optional(requireTime),
};

const UPSTREAM = 'control-plane';

/** F5 NGINX Ingress Controller: one TransportServer per host, and one for the port of a tenant. It ignores the annotations of ingress-nginx. */
export class F5NginxController extends IngressController {
  public readonly type: string = 'f5-nginx';
  private readonly className: string;
  private readonly port: number;
  private readonly portRange?: PortRange;
  private readonly idleTimeout: string;

  public constructor(props: F5NginxControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.className = props.ingressClassName ?? F5_NGINX.usualClass;
    this.port = props.port ?? 443;
    this.portRange = props.portRange;
    requireApart(this.port, this.portRange);
    this.idleTimeout = props.idleTimeout ?? '1h';
  }

  public override get servedIngressClass(): string | undefined {
    return this.className;
  }

  public override get publicPort(): number {
    return this.port;
  }

  /**
   * Passthrough is off by default and needs the custom resources (nginx/kubernetes-ingress, `charts/nginx-ingress`). The
   * timeout of a TransportServer reaches only the server behind the public one, which has nothing but this key of the ConfigMap
   * (`internal/configs/version1/nginx.tmpl`).
   */
  public override helmValues(): { [key: string]: any } {
    return {
      controller: {
        enableCustomResources: true,
        enableTLSPassthrough: true,
        ingressClass: { name: this.className },
        config: { entries: { 'stream-snippets': `proxy_timeout ${this.idleTimeout};` } },
        ...this.portRange && listenerValues(portsOf(this.portRange)),
      },
    };
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
  public override get _helmChart(): string {
    return 'nginx-ingress';
  }

  /** @internal */
  public override get _competingKinds(): readonly string[] {
    return ['k8s.nginx.org VirtualServer', 'k8s.nginx.org TransportServer', 'networking.k8s.io Ingress'];
  }

  /** @internal The older of two objects with one host has it (nginx/kubernetes-ingress, `internal/k8s/configuration.go`). */
  public override _competitor(manifest: any): Competitor | undefined {
    const classOf = ingressClassOf(manifest);
    // Custom resources without a class are every installation's.
    if (classOf !== this.className && !(classOf === undefined && manifest.kind !== 'Ingress')) {
      return undefined;
    }
    const hosts = manifest.kind === 'Ingress' ? items(manifest.spec?.rules).map(({ host }) => host) : [manifest.spec?.host];
    return ({ hostname }) => hosts.includes(hostname);
  }

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    refuseAllowedCidrs(this.displayName, options.allowedCidrs, 'a TransportServer takes no access policy');
    return options.routes.map(route => this.transportServer(scope, options, route, { listener: F5_PASSTHROUGH_LISTENER, host: route.hostname }));
  }

  public override bindPort(scope: Construct, options: PortBindOptions): ApiObject[] {
    const { exposure, route, allowedCidrs } = options;
    refuseAllowedCidrs(this.displayName, allowedCidrs, 'a TransportServer takes no access policy');
    requireTenantPort(this.displayName, route, this.portRange);
    requireServicesInNamespace(this.displayName, { exposure, routes: [route], operatorRoutes: [] });
    return [this.transportServer(scope, options, route, { listener: { name: portListenerName(route.port), protocol: 'TCP' } })];
  }

  private transportServer(
    scope: Construct, options: Pick<IngressControllerBindOptions, 'exposure' | 'labels'>, route: PassthroughRoute,
    at: { readonly listener: { readonly name: string; readonly protocol: string }; readonly host?: string },
  ): ApiObject {
    return new ApiObject(scope, route.name, TransportServer.manifest({
      metadata: routeMetadata(options, route),
      spec: {
        ingressClassName: this.className,
        ...at,
        upstreams: [{ name: UPSTREAM, service: route.serviceName, port: route.servicePort }],
        sessionParameters: { timeout: this.idleTimeout },
        action: { pass: UPSTREAM },
      },
    }));
  }
}

/** The listeners, and what leads to them (nginx/kubernetes-ingress, `charts/nginx-ingress/values.yaml`). */
function listenerValues(ports: number[]): { [key: string]: any } {
  return {
    globalConfiguration: { create: true, spec: { listeners: ports.map(port => ({ name: portListenerName(port), port, protocol: 'TCP' })) } },
    customPorts: ports.map(port => ({ name: portListenerName(port), containerPort: port, protocol: 'TCP' })),
    service: { customPorts: ports.map(port => ({ name: portListenerName(port), port, targetPort: port, protocol: 'TCP' })) },
  };
}

/** NGINX' notation, as the controller takes it in a TransportServer (`ParseTime`), without spaces: it becomes a part of a configuration. */
function requireTime(field: string, time: string): string {
  if (!/^(\d+y)?(\d+M)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s?)?(\d+ms)?$/.test(validateText(field, time)) || !/[1-9]/.test(time)) {
    throw invalidInput(field, time, 'is not a time of NGINX', 'Give numbers with units from the largest to the smallest, e.g. "4h" or "1h30m"');
  }
  return time;
}
