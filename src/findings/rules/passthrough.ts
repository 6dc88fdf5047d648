import { nameOf, Rule } from './rule';
import { pick, pickList, pickRecord, pickText, pickTexts } from '../../manifests/fields';
import { findSource } from '../../manifests/find-source';
import { destinationOf, isRelevant, Platform } from '../../manifests/platform';
import { Route } from '../../manifests/route';
import { Source } from '../../manifests/source';

export const tlsOpened: Rule = {
  code: 'HCP301',
  severity: 'error',
  title: 'a route does not pass TLS through',
  check: platform => {
    const seen = new Set<string>();
    return platform.routes.filter(route => route.passthrough.state === 'no' && isRelevant(route, platform)).flatMap(route => {
      const key = `${nameOf(route.source)} ${route.byOperator ?? false}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{
        source: route.source,
        field: route.byOperator ? route.path : undefined,
        message: `${route.byOperator ? 'the Ingress that the operator makes ' : ''}${route.passthrough.reason}: clients meet a certificate of the ingress, ` +
          'and client certificates are lost',
        remedy: route.passthrough.remedy!,
      }];
    });
  },
};

export const hiddenTermination: Rule = {
  code: 'HCP302',
  severity: 'warning',
  title: 'an annotation hides that passthrough does not work',
  check: platform => sourcesOf(platform, ({ source }) => source.kind === 'Ingress')
    .filter(source => 'nginx.ingress.kubernetes.io/backend-protocol' in pickRecord(source.object, 'metadata.annotations'))
    .map(source => ({
      source,
      field: 'metadata.annotations["nginx.ingress.kubernetes.io/backend-protocol"]',
      message: 'has no effect while passthrough works; while it does not, tokens still work and client certificates are lost (kubernetes/ingress-nginx#10454)',
      remedy: 'Take backend-protocol away, and start the controller with --enable-ssl-passthrough',
    })),
};

export const ownCertificate: Rule = {
  code: 'HCP303',
  severity: 'warning',
  title: 'a passthrough route has a certificate of its own',
  check: platform => sourcesOf(platform, route => route.passthrough.state === 'yes' && !route.byOperator)
    .flatMap(source => ['spec.tls.0.secretName', 'spec.tls.secretName', 'spec.virtualhost.tls.secretName', 'spec.tls.certificate'].flatMap(field =>
      pickText(source.object, field) === undefined ? [] : [{
        source,
        field: field.replace('.0.', '[0].'),
        message: 'names a certificate, which is for TLS that the ingress opens; some controllers then open it',
        remedy: 'Take the certificate away: the API server shows its own',
      }])),
};

/** Backends of each kind of HTTP route. */
const HTTP_BACKENDS = new Map<string, (object: unknown) => unknown[]>([
  ['HTTPRoute', object => pickList(object, 'spec.rules').flatMap(rule => pickList(rule, 'backendRefs'))],
  ['GRPCRoute', object => pickList(object, 'spec.rules').flatMap(rule => pickList(rule, 'backendRefs'))],
  ['IngressRoute', object => pickList(object, 'spec.routes').flatMap(route => pickList(route, 'services'))],
]);

export const httpRoute: Rule = {
  code: 'HCP304',
  severity: 'error',
  title: 'an HTTP route leads to a control plane',
  check: platform => platform.sources.flatMap(source => {
    const backend = HTTP_BACKENDS.get(source.kind)?.(source.object).find(item => leadsToControlPlane(source.namespace, item, platform));
    return backend === undefined ? [] : [{
      source,
      message: 'is for HTTP: TLS is opened, client certificates are lost, and exec, port-forward and logs -f break (envoyproxy/gateway#9945)',
      remedy: source.kind === 'IngressRoute' ? 'Write an IngressRouteTCP with tls.passthrough: true' : 'Write a TLSRoute to a listener with tls.mode Passthrough',
    }];
  }),
};

export const istioListener: Rule = {
  code: 'HCP305',
  severity: 'error',
  title: 'an Istio Gateway does not pass the host of a VirtualService through',
  check: platform => platform.routes.filter(route => route.source.kind === 'VirtualService' && isRelevant(route, platform) && route.host !== undefined).flatMap(route => {
    const name = route.entry.replace('Istio gateway ', '');
    const gateway = findSource('Gateway', ...name.split('/') as [string, string], platform.sources);
    if (!gateway?.apiVersion.startsWith('networking.istio.io/')) return [];
    const servers = pickList(gateway.object, 'spec.servers').filter(server => pickTexts(server, 'hosts').some(host => takesIstioHost(host, route.host!.host)));
    if (servers.length === 0) {
      return [{
        source: gateway,
        field: 'spec.servers[].hosts',
        message: `no server has ${route.host!.host}, which ${nameOf(route.source)} routes`,
        remedy: `Add ${route.host!.host} to a server with tls.mode PASSTHROUGH`,
      }];
    }
    return servers.some(server => pick(server, 'tls.mode') === 'PASSTHROUGH') ? [] : [{
      source: gateway,
      field: 'spec.servers[].tls.mode',
      message: `is ${String(pick(servers[0], 'tls.mode'))} for ${route.host!.host}, so TLS is opened`,
      remedy: 'Set PASSTHROUGH',
    }];
  }),
};

/** Each object once that has a route of a control plane which matches. */
function sourcesOf(platform: Platform, matches: (route: Route) => boolean): Source[] {
  return [...new Set(platform.routes.filter(route => matches(route) && isRelevant(route, platform)).map(({ source }) => source))];
}

function leadsToControlPlane(namespace: string, backend: unknown, platform: Platform): boolean {
  const service = pickText(backend, 'name');
  return service !== undefined && destinationOf({ backend: { namespace: pickText(backend, 'namespace') ?? namespace, service } }, platform) !== undefined;
}

function takesIstioHost(written: string, host: string): boolean {
  const pattern = written.slice(written.indexOf('/') + 1).toLowerCase();
  return pattern === '*' || pattern === host || (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)));
}
