import { Host } from './host';
import { passthroughOf } from './ingress-annotations';
import { ingressEntry } from './read-ingress';
import { Backend, Passthrough, PASSES, Route } from './route';
import { Source } from './source';

/** Classes of the manifests: what controllers they belong to, and which ones some object uses. */
export interface IngressClasses {
  readonly controllerOf: ReadonlyMap<string, string>;
  readonly used: ReadonlySet<string>;
}

/** Usual names of classes, which some controller reads also when no object of the manifests uses them. */
const USUAL_CLASSES = /^(nginx|haproxy|haproxy-ingress|traefik|cilium|contour|kong|openshift-default|istio|apisix)$/;

/**
 * Whether some controller reads an Ingress of this class. A class that nobody handles keeps an operator's Ingress without
 * effect; whoever asks for passthrough there has a controller in mind, whatever its class is called.
 */
export function isHandled(className: string | undefined, passthrough: Passthrough, classes: IngressClasses): boolean {
  return className === undefined || passthrough.state === 'yes' || classes.used.has(className) || classes.controllerOf.has(className) || USUAL_CLASSES.test(className);
}

export interface OperatorIngress {
  readonly className?: string;
  readonly annotations: Record<string, unknown>;
  readonly hosts: { readonly host: Host; readonly backend?: Backend }[];
}

/** The Ingress that an operator makes from a field of its custom resource. */
export function operatorIngress(source: Source, { className, annotations, hosts }: OperatorIngress, classes: IngressClasses): Route[] {
  const passthrough = passthroughOf(annotations, className, classes.controllerOf);
  if (!isHandled(className, passthrough, classes)) return [];
  return hosts.map(({ host, backend }) => operatorRoute(source, host, ingressEntry(className), backend, passthrough));
}

export function operatorRoute(source: Source, host: Host, entry: string, backend?: Backend, passthrough: Passthrough = PASSES): Route {
  return { source, host, path: host.path, entry, backend, passthrough, byOperator: true };
}
