import { CONTAINER } from './gateway-pod';
import { GatewayPortRange } from './gateway-props';
import { PassthroughRoute } from '../model/exposure-props';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';

/** Ports below are for root alone, which the gateway is not. */
const FIRST_UNPRIVILEGED_PORT = 1024;
/** HAProxy opens a socket for each port and address family. */
const MOST_PORTS = 10_000;
/**
 * Each takes a node port as well, and a cluster has 2,768 for all its Services. The object itself holds more: the API server
 * takes one of 3,600 ports (1.32, tried).
 */
const MOST_SERVICE_PORTS = 2_500;

/** Checks a range of ports against what else the gateway listens on: always, and as it is set. */
export function validatePortRange({ first, last }: GatewayPortRange, otherPorts: number[]): void {
  validatePort('portRange.first', first);
  validatePort('portRange.last', last);
  if (first > last) {
    throw invalidInput('portRange', { first, last }, 'ends before it begins', 'Give the smaller port as first');
  }
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

/** Whether a route is found by its port. */
export function isInRange({ port }: PassthroughRoute, range?: GatewayPortRange): boolean {
  return range !== undefined && range.first <= port && port <= range.last;
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
export function tooManyServicePorts(ports: number): string | undefined {
  return ports <= MOST_SERVICE_PORTS ? undefined : invalidInput('portRange', ports,
    `ports are in use, and one Service has node ports for ${MOST_SERVICE_PORTS} at most`, 'Spread the tenants over several gateways, each with an address of its own').message;
}
