import { ApiObject } from 'cdk8s';
import { Construct, IConstruct } from 'constructs';
import type { IngressExposedControlPlaneProps } from './ingress-exposed-control-plane-props';
import { refuseCompetitors } from '../controllers/competitors';
import { IngressController } from '../controllers/ingress-controller';
import { claimJoinedNames } from '../controllers/joined-names';
import { KONNECTIVITY_ENTRY } from '../model/entry';
import { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { recordRoutedByPort } from '../model/routed-by-port';
import { claimHost } from '../synthesis/host-claims';
import { claimPortOfEdge } from '../synthesis/shared-port-claims';
import { invalidInput } from '../validation/invalid-input';

/** The routes of a control plane that one controller serves under one list of sources. */
export interface Entry {
  /** Undefined for the main one. */
  readonly name?: string;
  readonly controller: IngressController;
  /** Those that are behind the address of the controller. */
  readonly routes: PassthroughRoute[];
  /** Those among them that the platform's operator makes. */
  readonly operatorRoutes: PassthroughRoute[];
  readonly allowedCidrs?: string[];
  /** Where the certificate of its host comes from, as users write it; undefined for the API server's own. */
  readonly certificate?: string;
}

type EntryProps = Pick<IngressExposedControlPlaneProps, 'controller' | 'allowedCidrs' | 'konnectivity' | 'furtherEntries'>;

/** The entries of a control plane, the main one first. */
export function entriesOf(exposure: Exposure, props: EntryProps, operatorMakes: string[]): [Entry, ...Entry[]] {
  const { controller, allowedCidrs, konnectivity, furtherEntries = [] } = props;
  const shared = exposure.routes.filter(route => !route.ownAddress);
  const entry = (name: string | undefined, by: IngressController, cidrs?: string[], certificate?: string): Entry => {
    const routes = shared.filter(route => route.entry === name);
    const operatorRoutes = routes.filter(route => operatorMakes.includes(route.name));
    return { name, controller: by, routes, operatorRoutes, allowedCidrs: cidrs, certificate };
  };
  return [
    entry(undefined, controller, allowedCidrs),
    ...konnectivity?.controller ? [entry(KONNECTIVITY_ENTRY, konnectivity.controller, konnectivity.allowedCidrs ?? allowedCidrs)] : [],
    ...furtherEntries.map(further => entry(further.name, further.controller ?? controller, further.allowedCidrs, further.certificate?._source)),
  ];
}

/** Refuses entries that their controllers would not tell apart. */
export function requireSeparateEntries(entries: Entry[]): void {
  entries.forEach(({ name, controller, allowedCidrs }, i) => {
    const other = entries.slice(0, i).find(before =>
      edgeOf(before.controller) === edgeOf(controller) && String(before.allowedCidrs) !== String(allowedCidrs));
    if (other && controller._filtersByService) {
      throw invalidInput(`allowedCidrs of the entry ${name}`, allowedCidrs, `is not that of ${other.name ?? 'the control plane'}, and ` +
        `${controller.displayName} has one list for all hosts that lead to a port of a Service`,
      'Give both the same networks, or the entry another controller');
    }
  });
}

/**
 * Refuses a port at which an edge would find two servers, whatever their hosts and entries are: konnectivity has that of the API server where
 * none is given. A gateway of this library compares the ports of its tenants itself.
 */
export function requireDistinctPorts(entries: Entry[]): void {
  const holders = new Map<string, string>();
  for (const { controller, routes } of entries.filter(entry => !entry.controller._gateway)) {
    for (const { name, port } of routes.filter(route => controller.routesByPort(route))) {
      const place = `${edgeOf(controller)} ${port}`;
      const other = holders.get(place);
      if (other !== undefined) {
        throw invalidInput(`port of ${name}`, port, `is also that of ${other}, and the ${controller.displayName} controller finds both by the port alone`,
          `Give ${name} a port of its own, or one at which the controller finds hosts`);
      }
      holders.set(place, name);
    }
  }
}

/**
 * Emits the routes of one entry, and claims their hosts and names.
 *
 * @returns one object for each route that the operator does not make; none when routes are no objects
 */
export function bindEntry(
  holder: Construct, { name, controller, routes, operatorRoutes, allowedCidrs }: Entry, exposure: Exposure,
  { labels, managementCluster }: { readonly labels: { [name: string]: string }; readonly managementCluster: string },
): ApiObject[] {
  const allRoutes = { exposure, routes, operatorRoutes };
  controller.validateRoutes(allRoutes);
  requireSeparablePorts(controller, routes);
  const byPort = routes.filter(route => controller.routesByPort(route));
  byPort.forEach(recordRoutedByPort);
  const portRoutes = [...byPort, ...name === undefined && exposure.portRoute ? [exposure.portRoute] : []];
  claimPorts(holder, controller, portRoutes, managementCluster);
  const ownRoutes = routes.filter(route => !operatorRoutes.includes(route));
  const id = name === undefined ? 'routes' : `routes-${name}`;
  const objects = ownRoutes.length === 0 ? [] : controller.bind(new Construct(holder, id), { exposure, routes: ownRoutes, allowedCidrs, labels });
  requireObjectForEachRoute(controller, ownRoutes, objects);
  refuseCompetitors(holder, controller, routes, portRoutes, managementCluster);
  claimJoinedNames(holder, controller, controller._joinedNames(allRoutes), managementCluster);
  routes.forEach(({ hostname, port }) => claimHost(holder, hostname, port, controller.separatesPorts));
  return objects;
}

/** Two hosts that are equal, on ports that the controller does not tell apart, would lead to one place. */
function requireSeparablePorts(controller: IngressController, routes: PassthroughRoute[]): void {
  const byHost = new Map<string, PassthroughRoute>();
  for (const route of controller.separatesPorts ? [] : routes) {
    const other = byHost.get(route.hostname);
    if (other) {
      throw invalidInput(`host of ${route.name}`, route.hostname, `is also that of ${other.name}, on port ${other.port} instead of ${route.port}; ` +
        `the ${controller.displayName} controller routes on the host alone`, `Give ${route.name} a host of its own, or use traefik or gatewayApi`);
    }
    byHost.set(route.hostname, route);
  }
}

/** A gateway of this library compares the ports of its tenants itself. */
function claimPorts(holder: IConstruct, controller: IngressController, routes: PassthroughRoute[], cluster: string): void {
  const edge = JSON.stringify([cluster, controller.ingressClassName, controller.gatewayRef]);
  (controller._gateway ? [] : routes).forEach(({ port }) => claimPortOfEdge(holder, controller.displayName, port, edge));
}

/** A shared gateway keeps its routes in tables and has no objects for them. */
function requireObjectForEachRoute(controller: IngressController, routes: PassthroughRoute[], objects: ApiObject[]): void {
  if (objects.length !== 0 && objects.length !== routes.length) {
    throw invalidInput(`bind() of the controller ${controller.displayName}`, objects.map(({ name }) => name),
      `is not one object for each of the routes ${routes.map(({ name }) => `"${name}"`).join(', ')}`,
      'Return one object for each route, in their order, or none when routes are no objects');
  }
}

/** What tells the installation of a controller from others. */
function edgeOf({ displayName, ingressClassName, gatewayRef }: IngressController): string {
  return JSON.stringify([displayName, ingressClassName, gatewayRef]);
}
