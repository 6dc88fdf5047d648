import { ApiObject, App, Chart } from 'cdk8s';
import { IConstruct } from 'constructs';
import type { IngressController } from './ingress-controller';
import { takes as hostTakes } from '../manifests/host';
import { PassthroughRoute } from '../model/exposure-props';
import { clusterOf } from '../synthesis/chart-cluster';
import { oncePerSynthesis } from '../synthesis/once-per-synthesis';

/** Whether an object takes the connections of a route away. */
export type Competitor = (route: PassthroughRoute) => boolean;

/** Whether an object takes the connections to a port that leads to one tenant. */
export type PortCompetitor = (port: number) => boolean;

/** A control plane whose hosts and ports nobody else may take. */
interface Guarded {
  readonly holder: IConstruct;
  readonly controller: IngressController;
  /** Those that are found by their host. */
  readonly routes: PassthroughRoute[];
  /** Those that are found by their port. */
  readonly portRoutes: PassthroughRoute[];
  readonly cluster: string;
}

/**
 * Has objects of the app that take a host, or a port, of a control plane away be errors, e.g. a Traefik IngressRoute for it: controllers
 * prefer them to a route that passes TLS through, or serve whichever is older, and say nothing.
 */
export function refuseCompetitors(
  holder: IConstruct, controller: IngressController, routes: PassthroughRoute[], portRoutes: PassthroughRoute[], cluster: string,
): void {
  const { root } = holder.node;
  let guarded = guardedOfApp.get(root);
  if (!guarded) {
    const all: Guarded[] = guarded = [];
    guardedOfApp.set(root, all);
    const find = () => errorsOf(root, all);
    root.node.addValidation({ validate: root instanceof App ? oncePerSynthesis(root, find) : find });
  }
  guarded.push({ holder, controller, routes, portRoutes, cluster });
}

const guardedOfApp = new WeakMap<IConstruct, Guarded[]>();

function errorsOf(root: IConstruct, guarded: Guarded[]): string[] {
  const own = new Set(guarded.map(({ holder }) => holder));
  const kinds = new Set(guarded.flatMap(({ controller }) => controller._competingKinds));
  return objectsOutside(own, root).filter(object => kinds.has(groupAndKind(object)))
    .flatMap(object => [...competitions(object, guarded), ...portCompetitions(object, guarded)]).sort();
}

/** Every object that none of the control planes made. */
function objectsOutside(own: Set<IConstruct>, scope: IConstruct): ApiObject[] {
  if (own.has(scope)) {
    return [];
  }
  const below = scope.node.children.flatMap(child => objectsOutside(own, child));
  return ApiObject.isApiObject(scope) ? [scope, ...below] : below;
}

function competitions(object: ApiObject, guarded: Guarded[]): string[] {
  const manifest = object.toJson();
  const cluster = clusterOf(Chart.of(object));
  const competitors = new Map<IngressController, Competitor | undefined>();
  const taken = guarded.flatMap(({ holder, controller, routes, cluster: ofRoutes }) => {
    if (cluster !== undefined && cluster !== ofRoutes || !controller._competingKinds.includes(groupAndKind(object))) {
      return [];
    }
    if (!competitors.has(controller)) {
      competitors.set(controller, controller._competitor(manifest));
    }
    const competitor = competitors.get(controller);
    return routes.filter(route => competitor?.(route)).map(({ name, hostname }) => ({ host: `"${hostname}" of ${holder.node.path} (${name})`, by: controller.displayName }));
  }).sort((a, b) => a.host < b.host ? -1 : 1);
  if (taken.length === 0) {
    return [];
  }
  const [{ host, by }] = taken;
  // A wildcard may take those of a thousand control planes.
  const more = taken.length === 1 ? '' : `, and ${taken.length - 1} more,`;
  return [`SNI host: ${host}${more} is also taken by the ${object.kind} of ${object.node.path}, and ${by} may prefer that. ` +
    'Give the object a host of its own.'];
}

function portCompetitions(object: ApiObject, guarded: Guarded[]): string[] {
  const manifest = object.toJson();
  const cluster = clusterOf(Chart.of(object));
  const competitors = new Map<IngressController, PortCompetitor | undefined>();
  return guarded.flatMap(({ holder, controller, portRoutes, cluster: ofRoutes }) => {
    if (portRoutes.length === 0 || cluster !== undefined && cluster !== ofRoutes || !controller._competingKinds.includes(groupAndKind(object))) {
      return [];
    }
    if (!competitors.has(controller)) {
      competitors.set(controller, controller._portCompetitor(manifest));
    }
    const takes = competitors.get(controller);
    return portRoutes.filter(({ port }) => takes?.(port)).map(({ name, port }) => `port of ${controller.displayName}: ${port} of ${holder.node.path} (${name}) is also ` +
      `taken by the ${object.kind} of ${object.node.path}, and ${controller.displayName} may prefer that. Give the object a port of its own.`);
  });
}

/** Group and kind of an object, e.g. `traefik.io IngressRoute`. */
function groupAndKind({ apiGroup, kind }: ApiObject): string {
  return `${apiGroup} ${kind}`;
}

/** Whether a host of an object is a route's: the host itself, `*`, or a wildcard above it. */
export function takesHost(pattern: unknown, hostname: string): boolean {
  return typeof pattern === 'string' && hostTakes(pattern, hostname);
}

/** The items of what should be a list, of manifests of any origin. */
export function items(list: unknown): any[] {
  return Array.isArray(list) ? list.filter(item => item !== null && item !== undefined) : [];
}
