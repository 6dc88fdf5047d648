import { HAS_HOST_ANNOTATIONS } from './annotation-hosts';
import { celOr, celText } from './cel';
import type { Validation } from './ownership';
import { HOST_MATCHER, QUOTED_HOST, READABLE_RULE } from './traefik-rules';
import { CLASS_ANNOTATION, F5_PASSTHROUGH_LISTENER, HAPROXY_INGRESS, HAPROXY_INGRESS_PORT } from '../manifests/ingress-controllers';

/** A kind of objects, or several that say their hosts alike. */
export interface RouteKind {
  /** Ends the name of its policy. */
  readonly id: string;
  readonly groups: string[];
  /** Plural names. */
  readonly resources: string[];
  /** CEL: the names that an object takes, a text with spaces between them. `*` is every host; `port-20001` is a port as a whole. */
  readonly names: string;
  /** What must hold for the names to be all. */
  readonly readable?: Validation;
  /** Which of the objects are looked at. @default - all */
  readonly condition?: string;
}

/** What this library calls entry points and listeners that are one tenant's port. */
const PORT_NAME = '^port-[1-9][0-9]{0,4}$';
const ANY_SNI = 'HostSNI(`*`)';

const entryPoints = celOr('object.spec.entryPoints', '[]');
const byPort = `(rule.match == ${celText(ANY_SNI)} && ${entryPoints}.size() > 0 && ${entryPoints}.all(point, point.matches(${celText(PORT_NAME)})))`;
const ruleHosts = `rule.match.findAll(${celText(HOST_MATCHER)}).join(' ').findAll(${celText(QUOTED_HOST)}).join(' ').replace('"', '').replace('\`', '')`;

/** A list's texts; one that is missing or empty counts as every host. */
function eachOf(list: string, field: string): string {
  return `${celOr(list, '[]')}.map(item, ${celOr(`item.${field}`, "''")} == '' ? '*' : item.${field}).join(' ')`;
}

/** A list of hosts that leads all hosts when it is missing or empty. */
function listOrAll(list: string): string {
  return `(${celOr(list, '[]')}.size() == 0 ? '*' : ${celOr(list, '[]')}.map(host, host == '' ? '*' : host).join(' '))`;
}

/** The name that a port is owned by. */
function portName(port: string): string {
  return `'port-' + string(int(${port}))`;
}

/** Whether a port is one of those that are owned: what leads every host of it is compared by the port. Of other ports, it takes every host. */
function ownedPort(port: string): string {
  return `(${portName(port)}) in ${celOr('params.data', '{}')}`;
}

function traefik(id: string, resource: string, names: string, readable: string): RouteKind {
  return {
    id,
    groups: ['traefik.io', 'traefik.containo.us'],
    resources: [resource],
    names: `${celOr('object.spec.routes', '[]')}.map(rule, ${names}).join(' ') + ' ' +\n` +
      `${celOr('object.spec.tls.domains', '[]')}.map(domain, ([${celOr('domain.main', "''")}] + ${celOr('domain.sans', '[]')}).join(' ')).join(' ')`,
    readable: {
      expression: `${celOr('object.spec.routes', '[]')}.all(rule, ${readable})`,
      message: 'a rule may lead hosts that cannot be read from it. Name them with Host or HostSNI in each part between "||", without regular expressions, and negate no host.',
    },
  };
}

const NO_SNIPPETS: Validation = {
  expression: "!object.spec.exists(key, key.matches('(?i)snippets$'))",
  message: 'it has snippets, in which hosts cannot be read. Remove them.',
};

/** What ends a text or a line in rules, maps and configurations that controllers make of paths: there it could be a host's. */
const PLAIN_PATH = '^[^\\s\\x00-\\x20\\x7f`"]*$';
const PLAIN_PATHS: Validation = {
  expression: `${celOr('object.spec.rules', '[]')}.all(rule, ${celOr('rule.http.paths', '[]')}.all(item, ${celOr('item.path', "''")}.matches(${celText(PLAIN_PATH)})))`,
  message: 'a path has a space, a line break, a quote or a backtick, with which it could be more than a path in the configuration of a controller. Remove it.',
};

/** Kinds that take hosts of a shared address, of the controllers that this library knows and of others. */
export const ROUTE_KINDS: RouteKind[] = [
  {
    id: 'ingress',
    groups: ['networking.k8s.io', 'extensions'],
    resources: ['ingresses'],
    // HAProxy Ingress leads a port of its own where the annotation says so. Other controllers do not read it, so the port must be this namespace's.
    names: [
      `[${celOr('object.metadata.annotations', '{}')}].map(annotations, ${celText(HAPROXY_INGRESS_PORT)} in annotations &&`,
      // An update may have both, and which of them counts is for each controller to say.
      `  ${celOr('object.spec.ingressClassName', `annotations[?${celText(CLASS_ANNOTATION)}].orValue('')`)}.matches(${celText(HAPROXY_INGRESS.classes.source)}) &&`,
      `  annotations[?${celText(CLASS_ANNOTATION)}].orValue(${celText(HAPROXY_INGRESS.usualClass)}).matches(${celText(HAPROXY_INGRESS.classes.source)}) &&`,
      `  ('port-' + annotations[${celText(HAPROXY_INGRESS_PORT)}]) in ${celOr('params.data', '{}')} ? 'port-' + annotations[${celText(HAPROXY_INGRESS_PORT)}] : '*')`,
      `  .map(every, ${eachOf('object.spec.rules', 'host')}.replace('*.', '%.').replace('*', every).replace('%.', '*.') + ' ' +`,
      `    (has(object.spec.defaultBackend) || ${celOr('object.spec.rules', '[]')}.size() == 0 ? every : '')).join(' ') + ' ' +`,
      `${celOr('object.spec.tls', '[]')}.map(tls, ${celOr('tls.hosts', '[]')}.join(' ')).join(' ')`,
    ].join('\n'),
    readable: PLAIN_PATHS,
  },
  traefik('traefik-tcp', 'ingressroutetcps', `${byPort} ? ${entryPoints}.join(' ') : ${ruleHosts}`, `${byPort} || rule.match.matches(${celText(READABLE_RULE)})`),
  traefik('traefik-http', 'ingressroutes', ruleHosts, `rule.match.matches(${celText(READABLE_RULE)})`),
  {
    id: 'contour',
    groups: ['projectcontour.io'],
    resources: ['httpproxies'],
    // One without a virtual host is a part of another, whose owner includes it.
    names: `has(object.spec.virtualhost) ? (${celOr('object.spec.virtualhost.fqdn', "''")} == '' ? '*' : object.spec.virtualhost.fqdn) : ''`,
  },
  {
    id: 'f5-http',
    groups: ['k8s.nginx.org'],
    resources: ['virtualservers', 'virtualserverroutes'],
    names: `${celOr('object.spec.host', "''")} == '' ? '*' : object.spec.host`,
    readable: NO_SNIPPETS,
  },
  {
    id: 'f5-tcp',
    groups: ['k8s.nginx.org'],
    resources: ['transportservers'],
    names: [
      `${celOr('object.spec.host', "''")} != '' ? object.spec.host :`,
      `${celOr('object.spec.listener.protocol', "''")} != ${celText(F5_PASSTHROUGH_LISTENER.protocol)} && ${celOr('object.spec.listener.name', "''")}.matches(${celText(PORT_NAME)})`,
      "? object.spec.listener.name : '*'",
    ].join('\n'),
    readable: NO_SNIPPETS,
  },
  {
    id: 'gateway-hosts',
    groups: ['gateway.networking.k8s.io'],
    resources: ['tlsroutes', 'httproutes', 'grpcroutes'],
    names: listOrAll('object.spec.hostnames'),
  },
  {
    id: 'gateway-ports',
    groups: ['gateway.networking.k8s.io'],
    resources: ['tcproutes', 'udproutes'],
    names: [
      `${celOr('object.spec.parentRefs', '[]')}.map(parent,`,
      // What a ListenerSet of the same namespace takes is looked at there.
      `  ${celOr('parent.kind', "''")} == 'ListenerSet' && ${celOr('parent.namespace', 'request.namespace')} == request.namespace ? '' :`,
      // At the port of TLS there are listeners of hosts, and implementations that lead all of them.
      `  has(parent.port) ? (int(parent.port) == 443 && !(${ownedPort('parent.port')}) ? '*' : ${portName('parent.port')}) :`,
      `  ${celOr('parent.sectionName', "''")}.matches(${celText(PORT_NAME)}) ? parent.sectionName : '*').join(' ')`,
    ].join('\n'),
  },
  {
    id: 'gateways',
    groups: ['gateway.networking.k8s.io'],
    resources: ['gateways'],
    // One without a host has an address of its own in most systems, and takes nothing at the shared one.
    names: `${celOr('object.spec.listeners', '[]')}.map(listener, ${celOr('listener.hostname', "''")}).join(' ')`,
  },
  {
    id: 'listener-sets',
    groups: ['gateway.networking.k8s.io', 'gateway.networking.x-k8s.io'],
    resources: ['listenersets', 'xlistenersets'],
    // A listener that is no host's has its port as a whole, where the Gateway has no listener there.
    names: `${celOr('object.spec.listeners', '[]')}.map(listener, ${celOr('listener.hostname', "''")} != '' ? listener.hostname :\n` +
      `${celOr('listener.protocol', "''")} in ['TCP', 'UDP'] ? ${portName('listener.port')} : '*').join(' ')`,
  },
  {
    id: 'openshift',
    groups: ['route.openshift.io'],
    resources: ['routes'],
    names: [
      `${celOr('object.spec.host', "''")} == '' ? '*' :`,
      `${celOr('object.spec.wildcardPolicy', "''")} == 'Subdomain' ? object.spec.host + ' *' + object.spec.host.substring(object.spec.host.indexOf('.')) : object.spec.host`,
    ].join('\n'),
    readable: {
      expression: `${celOr('object.spec.subdomain', "''")} == ''`,
      message: 'spec.subdomain is completed by each router with a domain that cannot be read here. Write the whole name into spec.host.',
    },
  },
  {
    id: 'istio-hosts',
    groups: ['networking.istio.io'],
    resources: ['virtualservices', 'serviceentries'],
    // A VirtualService without hosts is a part of another, whose owner names it. One of a port has every host there, at gateways and not in the mesh.
    names: [
      `[${celOr('object.spec.tcp', '[]')}].map(tcp, tcp.size() > 0 && !has(object.spec.http) && !has(object.spec.tls) &&`,
      `  ${celOr('object.spec.gateways', '[]')}.size() > 0 && !('mesh' in object.spec.gateways) &&`,
      `  tcp.all(route, ${celOr('route.match', '[]')}.size() > 0 && route.match.all(match, has(match.port) && ${ownedPort('match.port')}))`,
      `  ? tcp.map(route, route.match.map(match, ${portName('match.port')}).join(' ')).join(' ') : ${celOr('object.spec.hosts', '[]')}.join(' ')).join(' ') + ' ' +`,
      // Istio's webhook keeps them to the hosts, where it is installed.
      `${celOr('object.spec.tls', '[]')}.map(tls, ${celOr('tls.match', '[]')}.map(match, ${celOr('match.sniHosts', '[]')}.join(' ')).join(' ')).join(' ')`,
    ].join('\n'),
  },
  {
    id: 'istio-gateways',
    groups: ['networking.istio.io'],
    resources: ['gateways'],
    // `namespace/host`
    names: [
      `${celOr('object.spec.servers', '[]')}.map(server,`,
      `  ${celOr('server.port.protocol', "''")} == 'TCP' && ${ownedPort('server.port.number')} ? ${portName('server.port.number')} :`,
      `  ${celOr('server.hosts', '[]')}.map(host, host.substring(host.indexOf('/') + 1)).join(' ')).join(' ')`,
    ].join('\n'),
  },
  {
    id: 'dns-endpoints',
    groups: ['externaldns.k8s.io'],
    resources: ['dnsendpoints'],
    names: eachOf('object.spec.endpoints', 'dnsName'),
  },
  { id: 'services', groups: [''], resources: ['services'], names: "''", condition: HAS_HOST_ANNOTATIONS },
];
