import { pick, pickList, pickRecord, pickText } from './fields';
import { hostOf } from './host';
import { passthroughOf } from './ingress-annotations';
import { ingressClassOf } from './ingress-class';
import { tcpServicePort } from './read-port-routes';
import { Route } from './route';
import { groupOf, Source } from './source';

/** Others have a kind of this name too, such as Knative. */
export function isIngress(source: Source): boolean {
  return source.kind === 'Ingress' && ['networking.k8s.io', 'extensions'].includes(groupOf(source));
}

/** `spec.controller` of each IngressClass. */
export function ingressControllers(sources: Source[]): Map<string, string> {
  return new Map(sources
    .filter(({ kind }) => kind === 'IngressClass')
    .map(({ name, object }) => [name, pickText(object, 'spec.controller') ?? '']));
}

export function ingressEntry(className: string | undefined): string {
  return className === undefined ? 'the default ingress class' : `ingress class ${className}`;
}

export function ingressRoutes(source: Source, controllerOf: ReadonlyMap<string, string>): Route[] {
  if (tcpServicePort(source) !== undefined) return [];
  const annotations = pickRecord(source.object, 'metadata.annotations');
  const className = ingressClassOf(source.object);
  const passthrough = passthroughOf(annotations, className, controllerOf);
  return pickList(source.object, 'spec.rules').map((rule, i): Route => {
    const host = pickText(rule, 'host');
    const path = `spec.rules[${i}].host`;
    const backend = pick(rule, 'http.paths.0.backend.service');
    const port = pick(backend, 'port.number') ?? pick(backend, 'port.name');
    return {
      source,
      path,
      host: host === undefined || host === '' ? undefined : hostOf(host, path),
      entry: ingressEntry(className),
      passthrough,
      backend: backend === undefined ? undefined : {
        namespace: source.namespace,
        service: pickText(backend, 'name') ?? '',
        port: port === undefined ? undefined : { value: port as number | string, path: `spec.rules[${i}].http.paths[0].backend.service.port` },
      },
    };
  });
}
