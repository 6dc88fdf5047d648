import { pick, pickList, pickText, pickTexts } from './fields';
import { hostOf } from './host';
import { F5_PASSTHROUGH_LISTENER } from './ingress-controllers';
import { portOfName } from './read-port-routes';
import { Backend, Passthrough, PASSES, Route } from './route';
import { Source } from './source';
import { argumentsOf, traefikPriority } from './traefik-rule';

/** Routes of the objects of each API group and kind; kinds that are not here make none. */
export const ROUTE_READERS = new Map<string, (source: Source) => Route[]>([
  ['traefik.io IngressRouteTCP', traefikRoutes],
  // Traefik v2.
  ['traefik.containo.us IngressRouteTCP', traefikRoutes],
  ['gateway.networking.k8s.io TLSRoute', tlsRoutes],
  ['projectcontour.io HTTPProxy', contourRoutes],
  ['k8s.nginx.org TransportServer', f5Routes],
  ['route.openshift.io Route', openshiftRoutes],
  ['networking.istio.io VirtualService', istioRoutes],
]);

/** What entries of Traefik's routes begin with. */
export const TRAEFIK_ENTRY = 'Traefik entry point';
const TRAEFIK_DEFAULT_ENTRY_POINTS = ['every entry point'];
const ANY_HOST = 'HostSNI(`*`)';

function traefikRoutes(source: Source): Route[] {
  const entryPoints = pickTexts(source.object, 'spec.entryPoints');
  const passthrough: Passthrough = pick(source.object, 'spec.tls.passthrough') === true
    ? PASSES
    : { state: 'no', reason: 'lacks tls.passthrough: true, so Traefik opens TLS', remedy: 'Set spec.tls.passthrough: true' };
  return pickList(source.object, 'spec.routes').flatMap((route, i) => {
    const match = pickText(route, 'match') ?? '';
    const path = `spec.routes[${i}].match`;
    const backend = backendOf(source, pick(route, 'services.0'), `spec.routes[${i}].services[0].port`);
    const all = entryPoints.length > 0 ? entryPoints : TRAEFIK_DEFAULT_ENTRY_POINTS;
    // Every host at the port of a tenant is no route of a host.
    return all.filter(name => match !== ANY_HOST || portOfName(name) === undefined).flatMap(entryPoint => {
      const base = { source, path, entry: `${TRAEFIK_ENTRY} ${entryPoint}`, passthrough, backend, priority: traefikPriority(route) };
      if (/HostSNIRegexp\(/i.test(match)) return [{ ...base, opaque: true }];
      return argumentsOf(match, 'HostSNI').map(host => (host === '*' ? base : { ...base, host: hostOf(host, path) }));
    });
  });
}

function tlsRoutes(source: Source): Route[] {
  const hostnames = pickTexts(source.object, 'spec.hostnames');
  const backend = backendOf(source, pick(source.object, 'spec.rules.0.backendRefs.0'), 'spec.rules[0].backendRefs[0].port');
  const parents = pickList(source.object, 'spec.parentRefs');
  const entries = parents.map(parent => gatewayEntry(source, parent));
  return (entries.length > 0 ? entries : ['no Gateway']).flatMap((entry): Route[] => hostnames.length === 0
    ? [{ source, path: 'spec.hostnames', entry, passthrough: PASSES, backend }]
    : hostnames.map((hostname, i) => ({
      source, path: `spec.hostnames[${i}]`, host: hostOf(hostname, `spec.hostnames[${i}]`), entry, passthrough: PASSES, backend,
    })));
}

function gatewayEntry(source: Source, parent: unknown): string {
  const where = pickText(parent, 'sectionName') ?? pick(parent, 'port') ?? '';
  return `Gateway ${pickText(parent, 'namespace') ?? source.namespace}/${pickText(parent, 'name')} ${String(where)}`.trimEnd();
}

function contourRoutes(source: Source): Route[] {
  const fqdn = pickText(source.object, 'spec.virtualhost.fqdn');
  if (fqdn === undefined) return [];
  const path = 'spec.virtualhost.fqdn';
  const passes = pick(source.object, 'spec.virtualhost.tls.passthrough') === true && pick(source.object, 'spec.tcpproxy') !== undefined;
  return [{
    source,
    path,
    host: hostOf(fqdn, path),
    entry: `Contour class ${pickText(source.object, 'spec.ingressClassName') ?? 'of every object'}`,
    passthrough: passes ? PASSES : {
      state: 'no',
      reason: 'lacks virtualhost.tls.passthrough: true with a tcpproxy, so Contour opens TLS',
      remedy: 'Set spec.virtualhost.tls.passthrough: true, and spec.tcpproxy in the place of spec.routes',
    },
    backend: backendOf(source, pick(source.object, 'spec.tcpproxy.services.0'), 'spec.tcpproxy.services[0].port'),
  }];
}

function f5Routes(source: Source): Route[] {
  if (portOfName(pickText(source.object, 'spec.listener.name') ?? '') !== undefined) return [];
  const host = pickText(source.object, 'spec.host');
  const passes = pickText(source.object, 'spec.listener.protocol') === F5_PASSTHROUGH_LISTENER.protocol;
  const upstream = pickList(source.object, 'spec.upstreams').find(item => pickText(item, 'name') === pickText(source.object, 'spec.action.pass'));
  return [{
    source,
    path: 'spec.host',
    host: host === undefined ? undefined : hostOf(host, 'spec.host'),
    entry: ingressClassEntry(source),
    passthrough: passes ? PASSES : {
      state: 'no',
      reason: 'has a listener that is not for TLS_PASSTHROUGH',
      remedy: 'Set spec.listener to name tls-passthrough and protocol TLS_PASSTHROUGH',
    },
    backend: backendOf(source, { name: pick(upstream, 'service'), port: pick(upstream, 'port') }, 'spec.upstreams[].port'),
  }];
}

function ingressClassEntry(source: Source): string {
  return `F5 NGINX class ${pickText(source.object, 'spec.ingressClassName') ?? 'by default'}`;
}

function openshiftRoutes(source: Source): Route[] {
  const host = pickText(source.object, 'spec.host');
  const passes = pickText(source.object, 'spec.tls.termination') === 'passthrough';
  return [{
    source,
    path: 'spec.host',
    host: host === undefined ? undefined : hostOf(host, 'spec.host'),
    entry: "OpenShift's router",
    passthrough: passes ? PASSES : { state: 'no', reason: 'does not have tls.termination: passthrough', remedy: 'Set spec.tls.termination: passthrough' },
    backend: backendOf(source, { name: pick(source.object, 'spec.to.name'), port: pick(source.object, 'spec.port.targetPort') }, 'spec.port.targetPort'),
  }];
}

function istioRoutes(source: Source): Route[] {
  const gateways = pickTexts(source.object, 'spec.gateways').map(name => (name.includes('/') ? name : `${source.namespace}/${name}`));
  return pickList(source.object, 'spec.tls').flatMap((tls, i) => {
    const destination = pick(tls, 'route.0.destination');
    const [service, namespace] = (pickText(destination, 'host') ?? '').split('.');
    const port = pick(destination, 'port.number');
    const backend: Backend = {
      namespace: namespace ?? source.namespace,
      service,
      port: typeof port === 'number' ? { value: port, path: `spec.tls[${i}].route[0].destination.port.number` } : undefined,
    };
    return pickList(tls, 'match').flatMap((match, j) => pickTexts(match, 'sniHosts').flatMap(host => gateways.map((gateway): Route => {
      const path = `spec.tls[${i}].match[${j}].sniHosts`;
      return { source, path, host: host === '*' ? undefined : hostOf(host, path), entry: `Istio gateway ${gateway}`, passthrough: PASSES, backend };
    })));
  });
}

function backendOf(source: Source, service: unknown, path: string): Backend | undefined {
  const name = pickText(service, 'name');
  if (name === undefined) return undefined;
  const port = pick(service, 'port');
  return {
    namespace: pickText(service, 'namespace') ?? source.namespace,
    service: name,
    port: typeof port === 'number' || typeof port === 'string' ? { value: port, path } : undefined,
  };
}
