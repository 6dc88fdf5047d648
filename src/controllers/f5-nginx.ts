import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { Competitor, items } from './competitors';
import { IngressController, IngressControllerBindOptions, RouteValidationOptions } from './ingress-controller';
import { refuseAllowedCidrs, requirePublicPort, requireServicesInNamespace, routeMetadata } from './route-object';
import { TransportServer } from '../imports/k8s.nginx.org';
import { ingressClassOf } from '../manifests/ingress-class';
import { F5_NGINX, F5_PASSTHROUGH_LISTENER } from '../manifests/ingress-controllers';
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
   * How long a connection may be silent, in NGINX' notation, e.g. `4h`. NGINX' own 10 minutes cut quiet watches and tunnels.
   * The public server that all connections come in by has a limit of its own: `helmValues` set it too.
   * @default 1h
   */
  readonly idleTimeout?: string;
}

const CHECKS: Checks<F5NginxControllerProps> = {
  ingressClassName: optional(validateObjectName),
  port: optional(validatePort),
  idleTimeout: optional(requireTime),
};

const UPSTREAM = 'control-plane';

/** F5 NGINX Ingress Controller: one TransportServer per host. It ignores the annotations of ingress-nginx. */
export class F5NginxController extends IngressController {
  public readonly type: string = 'f5-nginx';
  private readonly className: string;
  private readonly port: number;
  private readonly idleTimeout: string;

  public constructor(props: F5NginxControllerProps = {}) {
    super();
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
    this.className = props.ingressClassName ?? F5_NGINX.usualClass;
    this.port = props.port ?? 443;
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
      },
    };
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
    return options.routes.map(route => new ApiObject(scope, route.name, TransportServer.manifest({
      metadata: routeMetadata(options, route),
      spec: {
        ingressClassName: this.className,
        listener: F5_PASSTHROUGH_LISTENER,
        host: route.hostname,
        upstreams: [{ name: UPSTREAM, service: route.serviceName, port: route.servicePort }],
        sessionParameters: { timeout: this.idleTimeout },
        action: { pass: UPSTREAM },
      },
    })));
  }
}

/** NGINX' notation, as the controller takes it in a TransportServer (`ParseTime`), without spaces: it becomes a part of a configuration. */
function requireTime(field: string, time: string): string {
  if (!/^(\d+y)?(\d+M)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s?)?(\d+ms)?$/.test(validateText(field, time)) || !/[1-9]/.test(time)) {
    throw invalidInput(field, time, 'is not a time of NGINX', 'Give numbers with units from the largest to the smallest, e.g. "4h" or "1h30m"');
  }
  return time;
}
