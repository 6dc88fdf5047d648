import { Host } from '../manifests/host';
import { Platform } from '../manifests/platform';
import { Route } from '../manifests/route';

/** A route that the manifests make: an SNI host, and where its connections go. */
export interface SynthesizedRoute {
  /** SNI host. */
  readonly hostname: string;
  /**
   * Whether TLS stays closed on the way. For an Ingress: whether an annotation says so to the controller of its class. Always true
   * for a TLSRoute, where the listener of the Gateway decides, for a VirtualService, whose SNI hosts are for such connections alone,
   * and where a template's defaults decide.
   */
  readonly passthrough: boolean;
  /** Kind of the object that makes it, e.g. `IngressRouteTCP`; with `byOperator` the kind of the control plane. */
  readonly kind: string;
  /** Name of that object. */
  readonly name: string;
  /** Namespace of that object. */
  readonly namespace: string;
  /** Whether the platform's operator makes the route, because the custom resource asks for it. */
  readonly byOperator: boolean;
  /**
   * Service that connections go to.
   * @default - the operator's choice
   */
  readonly serviceName?: string;
  /**
   * Namespace of the Service.
   * @default - the operator's choice
   */
  readonly serviceNamespace?: string;
  /**
   * Port of the Service; of the pods for an OpenShift Route, which names that.
   * @default - the operator's choice
   */
  readonly servicePort?: number;
}

/** Every route of manifests, by host. */
export function synthesizedRoutes({ routes }: Platform): SynthesizedRoute[] {
  const complete = routes.filter(isComplete);
  // An object that is read at several entry points is one route all the same.
  const distinct = new Map(complete.map((route, i) => [route.byOperator ? i : keyOf(route), route]));
  return [...distinct.values()].map(toSynthesized).sort((a, b) => a.hostname < b.hostname ? -1 : a.hostname > b.hostname ? 1 : 0);
}

function keyOf({ source: { kind, namespace, name }, path, host }: Route): string {
  return [kind, namespace, name, path, host?.value].join(' ');
}

/** Without those for any host, which are no SNI host's, and those that lead nowhere. */
function isComplete(route: Route): route is Route & { readonly host: Host } {
  return route.host !== undefined && (route.byOperator === true || route.backend !== undefined);
}

function toSynthesized({ source, host, passthrough, byOperator = false, backend }: Route & { readonly host: Host }): SynthesizedRoute {
  const { kind, name, namespace } = source;
  const own = { hostname: byOperator ? host.host : host.value, passthrough: passthrough.state !== 'no', kind, name, namespace, byOperator };
  if (byOperator || backend === undefined) {
    return own;
  }
  const port = backend.port?.value;
  return { ...own, serviceName: backend.service, serviceNamespace: backend.namespace, servicePort: typeof port === 'number' ? port : undefined };
}
