import { CONTAINER } from './gateway-pod';
import type { Exposure } from '../model/exposure';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PortRange } from '../model/port-range';
import { invalidInput } from '../validation/invalid-input';

/** Ports below are for root alone, which the gateway is not. */
const FIRST_UNPRIVILEGED_PORT = 1024;
/** HAProxy opens a socket for each port and address family. */
const MOST_PORTS = 10_000;
/** Each takes a node port as well, and a cluster has 2,768 for all its Services. */
const MOST_NODE_PORTS = 2_500;
/** The API server takes an object of so many (1.32, tried). */
const MOST_SERVICE_PORTS = 3_600;

/** Checks a range of ports against what else the gateway listens on: always, and as it is set. */
export function validatePortRange({ first, last }: PortRange, otherPorts: number[]): void {
  if (first < FIRST_UNPRIVILEGED_PORT) {
    throw invalidInput('portRange.first', first, 'is a privileged port, on which the gateway cannot listen', `Give ports from ${FIRST_UNPRIVILEGED_PORT} on`);
  }
  if (last - first >= MOST_PORTS) {
    throw invalidInput('portRange', { first, last }, `has more than ${MOST_PORTS} ports`, 'Give a smaller range, and a further gateway for other tenants');
  }
  const { sniPort, clusterIdPort, healthPort } = CONTAINER;
  const taken = [sniPort, clusterIdPort, healthPort, ...otherPorts].find(port => first <= port && port <= last);
  if (taken !== undefined) {
    throw invalidInput('portRange', { first, last }, `has the port ${taken}, on which the gateway listens for something else`,
      'Give another range, e.g. { first: 30000, last: 30085 }');
  }
}

/** Whether the gateway's container listens on a port already, or cannot. */
export function isListeningPort(port: number): boolean {
  const { sniPort, clusterIdPort, healthPort } = CONTAINER;
  return port < FIRST_UNPRIVILEGED_PORT || [sniPort, clusterIdPort, healthPort].some(other => other === port);
}

/** Checks that the gateway has the port of a tenant, and the range that it was taken from. */
export function requireTenantPort({ portRoute, kubernetesService }: Exposure, portRange: PortRange | undefined): void {
  if (!portRoute) {
    return;
  }
  if (portRange === undefined) {
    throw invalidInput('kubernetesService.port', portRoute.port, 'is not served by the gateway, which has no ports for tenants',
      'Give the SharedIngressGateway a portRange');
  }
  const served = `the ports of the gateway for tenants, ${portRange.first} to ${portRange.last}`;
  const asked = kubernetesService._port?.portRange;
  if (asked && !(isInPortRange(asked.first, portRange) && isInPortRange(asked.last, portRange))) {
    // Whether the port that was taken is among them depends on the tenant's name.
    throw invalidInput('kubernetesService.portRange', asked, `is not within ${served}`, 'Leave it out for those of the gateway, or give a part of them');
  }
  if (!isInPortRange(portRoute.port, portRange)) {
    throw invalidInput('kubernetesService.port', portRoute.port, `is not among ${served}`,
      'Leave port and portRange out, give a port among them, or change portRange of the gateway');
  }
}

/** Checks that the routes of one tenant that are found by their ports have different ones, whatever their hosts are. */
export function requireDistinctPorts(routes: PassthroughRoute[]): void {
  const holders = new Map<number, string>();
  for (const { name, port } of routes) {
    const other = holders.get(port);
    if (other !== undefined) {
      throw invalidInput(`port of ${name}`, port, `is also that of ${other}, and the gateway finds both by the port alone`,
        `Give ${name} a port of its own, or that of the gateway for hosts`);
    }
    holders.set(port, name);
  }
}

/** What is wrong with the number of ports of one Service; undefined when it holds them. */
export function tooManyServicePorts(ports: number, nodePorts: boolean): string | undefined {
  const most = nodePorts ? MOST_NODE_PORTS : MOST_SERVICE_PORTS;
  if (ports <= most) {
    return undefined;
  }
  return nodePorts
    ? invalidInput('portRange', ports, `ports are in use, and one Service has node ports for ${most} at most`,
      `Spread the tenants over several gateways, each with an address of its own; or set nodePorts: false for up to ${MOST_SERVICE_PORTS}, where the load balancer needs none`).message
    : invalidInput('portRange', ports, `ports are in use, and one Service has room for ${most}`,
      'Spread the tenants over several gateways, each with an address of its own').message;
}
