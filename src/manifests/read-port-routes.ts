import { pick, pickList, pickNumber, pickRecord, pickText, pickTexts } from './fields';
import { Listener, listenersOfParent, namedListeners, parentRefsOf } from './gateway';
import { ingressClassOf } from './ingress-class';
import { F5_PASSTHROUGH_LISTENER, HAPROXY_INGRESS_PORT } from './ingress-controllers';
import { PortRoute } from './read-shared-gateway';
import { groupAndKind, Source } from './source';

/** What the library calls the listener, or the entry point, of a tenant's port. */
const PORT_NAME = /^port-([1-9]\d{0,4})$/;

type Target = Pick<PortRoute, 'namespace' | 'service' | 'servicePort'>;

/** What objects of edges other than the shared gateway lead by port. */
export function portRoutesOf(source: Source, listeners: Listener[]): PortRoute[] {
  switch (groupAndKind(source)) {
    case 'traefik.io IngressRouteTCP': return traefikPorts(source);
    case 'gateway.networking.k8s.io TCPRoute': return gatewayPorts(source, listeners);
    case 'k8s.nginx.org TransportServer': return f5Ports(source);
    case 'networking.k8s.io Ingress': return haproxyIngressPorts(source);
    case 'networking.istio.io VirtualService': return istioPorts(source);
    default: return [];
  }
}

/** The port of a listener, or of an entry point, that is called after it. */
export function portOfName(name: string): number | undefined {
  const match = PORT_NAME.exec(name);
  return match ? Number(match[1]) : undefined;
}

function traefikPorts(source: Source): PortRoute[] {
  const ports = pickTexts(source.object, 'spec.entryPoints').flatMap(name => portOfName(name) ?? []);
  return pickList(source.object, 'spec.routes').flatMap((route, i) => ports.flatMap(port =>
    toPortRoute(source, 'Traefik', port, pick(route, 'services.0'), `spec.routes[${i}].services[0].port`)));
}

function gatewayPorts(source: Source, listeners: Listener[]): PortRoute[] {
  const backend = pick(source.object, 'spec.rules.0.backendRefs.0');
  return parentRefsOf(source).flatMap(parent => {
    const [listener] = namedListeners(parent, listenersOfParent(parent, listeners));
    const port = listener?.port ?? parent.port ?? portOfName(parent.sectionName ?? '');
    return port === undefined ? [] : toPortRoute(source, `Gateway ${listener?.gateway ?? parent.name}`, port, backend, 'spec.rules[0].backendRefs[0].port');
  });
}

function f5Ports(source: Source): PortRoute[] {
  const port = portOfName(pickText(source.object, 'spec.listener.name') ?? '');
  if (port === undefined || pickText(source.object, 'spec.listener.protocol') === F5_PASSTHROUGH_LISTENER.protocol) return [];
  const upstream = pickList(source.object, 'spec.upstreams').find(item => pickText(item, 'name') === pickText(source.object, 'spec.action.pass'));
  return toPortRoute(source, `F5 NGINX class ${pickText(source.object, 'spec.ingressClassName') ?? 'by default'}`, port,
    { name: pick(upstream, 'service'), port: pick(upstream, 'port') }, 'spec.upstreams[].port');
}

/** The port that an Ingress of the community's HAProxy Ingress takes as a whole; undefined for one of hosts. */
export function tcpServicePort({ object }: Source): number | undefined {
  const value = Number(pickRecord(object, 'metadata.annotations')[HAPROXY_INGRESS_PORT]);
  return Number.isInteger(value) && value > 0 ? value : undefined;
}

function haproxyIngressPorts(source: Source): PortRoute[] {
  const port = tcpServicePort(source);
  if (port === undefined) return [];
  const services: [unknown, string][] = [
    [pick(source.object, 'spec.defaultBackend.service'), 'spec.defaultBackend.service.port.number'],
    [pick(source.object, 'spec.rules.0.http.paths.0.backend.service'), 'spec.rules[0].http.paths[0].backend.service.port.number'],
  ];
  return services.flatMap(([service, path]) =>
    toPortRoute(source, `ingress class ${ingressClassOf(source.object) ?? 'by default'}`, port, { name: pick(service, 'name'), port: pick(service, 'port.number') }, path));
}

function istioPorts(source: Source): PortRoute[] {
  return pickList(source.object, 'spec.tcp').flatMap((tcp, i) => {
    const destination = pick(tcp, 'route.0.destination');
    const [name, namespace] = (pickText(destination, 'host') ?? '').split('.');
    return pickList(tcp, 'match').flatMap(match => toPortRoute(source, 'Istio', pickNumber(match, 'port') ?? 0,
      { name, namespace, port: pick(destination, 'port.number') }, `spec.tcp[${i}].route[0].destination.port.number`));
  });
}

function toPortRoute(source: Source, gateway: string, port: number, service: unknown, path: string): PortRoute[] {
  const target = targetOf(source, service);
  return target === undefined || port === 0 ? [] : [{ source, gateway, port, ...target, path }];
}

function targetOf(source: Source, service: unknown): Target | undefined {
  const [name, port] = [pickText(service, 'name'), pick(service, 'port')];
  return name === undefined || typeof port !== 'number' ? undefined
    : { namespace: pickText(service, 'namespace') ?? source.namespace, service: name, servicePort: port };
}

