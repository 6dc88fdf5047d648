import { ControlPlaneResource } from './control-plane-resource';
import { groupAndKind } from './group-and-kind';
import { saysPassthrough } from './passthrough-annotation';

/** A route that the manifests make: an SNI host, and where its connections go. */
export interface SynthesizedRoute {
  /** SNI host. */
  readonly hostname: string;
  /**
   * Whether TLS stays closed on the way. For an Ingress: whether an annotation says so. Always true for a TLSRoute, where the
   * listener of the Gateway decides, and for a VirtualService, whose SNI hosts are for such connections alone.
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

type Target = Pick<SynthesizedRoute, 'hostname' | 'passthrough' | 'serviceName' | 'serviceNamespace' | 'servicePort'>;

/** How the objects of a kind say it, by API group and kind; of manifests of any origin, so nothing is taken for granted. */
const READERS: { readonly [groupAndKind: string]: (manifest: any) => Target[] } = {
  'traefik.io IngressRouteTCP': ({ spec }) => list(spec.routes).flatMap(({ match, services }) =>
    matches(match, /HostSNI\(`([^`]*)`\)/g).map(([hostname]) =>
      ({ hostname, passthrough: spec.tls?.passthrough === true, ...service(services?.[0]) }))),
  'networking.k8s.io Ingress': ({ metadata, spec }) => list(spec.rules).flatMap(({ host, http }) => list(http?.paths).map(({ backend }) => ({
    hostname: host,
    passthrough: saysPassthrough(metadata.annotations),
    serviceName: backend.service?.name,
    servicePort: backend.service?.port?.number,
  }))),
  'k8s.nginx.org TransportServer': ({ spec: { host, listener, upstreams, action } }) => {
    const upstream = list(upstreams).find(({ name }) => name === action?.pass);
    return [{ hostname: host, passthrough: listener?.protocol === 'TLS_PASSTHROUGH', serviceName: upstream?.service, servicePort: upstream?.port }];
  },
  'gateway.networking.k8s.io TLSRoute': ({ spec }) => list(spec.hostnames).map(hostname =>
    ({ hostname, passthrough: true, ...service(spec.rules?.[0]?.backendRefs?.[0]) })),
  'projectcontour.io HTTPProxy': ({ spec: { virtualhost, tcpproxy } }) => virtualhost && tcpproxy
    ? [{ hostname: virtualhost.fqdn, passthrough: virtualhost.tls?.passthrough === true, ...service(tcpproxy.services?.[0]) }]
    : [],
  'networking.istio.io VirtualService': ({ spec }) => list(spec.tls).flatMap(({ match, route }) => {
    const destination = route?.[0]?.destination;
    const [serviceName, serviceNamespace] = destination?.host.split('.') ?? [];
    return list(match).flatMap(({ sniHosts }) => list(sniHosts)).map(hostname =>
      ({ hostname, passthrough: true, serviceName, serviceNamespace, servicePort: destination?.port?.number }));
  }),
  'route.openshift.io Route': ({ spec: { host, tls, to, port } }) =>
    [{ hostname: host, passthrough: tls?.termination === 'passthrough', serviceName: to?.name, servicePort: port?.targetPort }],
  // The tables of a SharedIngressGateway: `<host> <service>.<namespace>.svc.<domain>:<port>`, and maybe a list of sources.
  ' ConfigMap': ({ data }) => matches(data?.['hosts.map'] ?? '', /^([^#\s]\S*) ([^.\s]+)\.([^.\s]+)\.svc\.[^:\s]+:(\d+)/gm)
    .map(([hostname, serviceName, serviceNamespace, servicePort]) =>
      ({ hostname, passthrough: true, serviceName, serviceNamespace, servicePort: Number(servicePort) })),
};

/** Every route that the manifests make, by host. */
export function readRoutes(manifests: any[], controlPlanes: ControlPlaneResource[]): SynthesizedRoute[] {
  const own = manifests.flatMap(manifest => targetsOf(manifest).map(target => ({
    ...target,
    serviceNamespace: target.serviceNamespace ?? manifest.metadata.namespace,
    ...origin(manifest.kind, manifest.metadata),
    byOperator: false,
  })));
  const known = new Set(own.map(({ hostname }) => hostname));
  const operators = controlPlanes.flatMap(controlPlane => controlPlane.operatorHosts
    .filter(hostname => !known.has(hostname))
    .map(hostname => ({ hostname, passthrough: controlPlane.operatorPassthrough, ...origin(controlPlane.kind, controlPlane), byOperator: true })));
  return [...own, ...operators].sort((a, b) => a.hostname < b.hostname ? -1 : a.hostname > b.hostname ? 1 : 0);
}

/** Without those for any host, which are no SNI host's. */
function targetsOf(manifest: any): Target[] {
  return (READERS[groupAndKind(manifest)]?.(manifest) ?? []).filter(({ hostname }) => hostname !== undefined);
}

function origin(kind: string, { name, namespace }: { name: string; namespace: string }) {
  return { kind, name, namespace };
}

function service(reference?: { name: string; port: number; namespace?: string }): Partial<Target> {
  return { serviceName: reference?.name, serviceNamespace: reference?.namespace, servicePort: reference?.port };
}

function list(items?: any[]): any[] {
  return items ?? [];
}

/** The groups of each match. */
function matches(text: string, pattern: RegExp): string[][] {
  return [...text.matchAll(pattern)].map(([, ...groups]) => groups);
}
