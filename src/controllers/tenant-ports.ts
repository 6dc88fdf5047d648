import type { IngressController } from './ingress-controller';
import { PassthroughRoute } from '../model/exposure-props';
import { isInPortRange, PORT_RANGE, PortRange } from '../model/port-range';
import { InvalidInputError, invalidInput } from '../validation/invalid-input';
import { all, Check } from '../validation/props';

/** Each is a listener of the controller, a port of its pods and one of its Service, whether a tenant has it or not. */
const MOST_TENANT_PORTS = 500;

/** The ports of tenants, of a controller that must have all of them in its own configuration. */
export const TENANT_PORTS: Check<PortRange> = all(PORT_RANGE, (field, { first, last }) => {
  const count = last - first + 1;
  if (count > MOST_TENANT_PORTS) {
    throw invalidInput(field, { first, last }, `has ${count} ports, for each of which the controller listens`,
      `Give ${MOST_TENANT_PORTS} at most, or use a SharedIngressGateway, which takes 10000`);
  }
});

/** The ports of a range. */
export function portsOf({ first, last }: PortRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** Name of what listens at the port of a tenant. */
export function portListenerName(port: number): string {
  return `port-${port}`;
}

/** The error of a controller that serves no ports. */
export function portsNotServed({ displayName, _whyNoPorts: reason }: IngressController, { port }: PassthroughRoute): InvalidInputError {
  return invalidInput('kubernetesService.port', port, `cannot be served by the ${displayName} controller, ${reason}`,
    'Use a SharedIngressGateway with a portRange, or KubernetesServicePath.tcpProxy() with a TcpProxyAddon');
}

/** Checks that the port of a tenant is one of those that the controller has for tenants. */
export function requireTenantPort(controller: string, { port }: PassthroughRoute, range?: PortRange): void {
  if (!isInPortRange(port, range)) {
    throw invalidInput('kubernetesService.port', port, range ? `is not among the ports of ${controller} for tenants, ${range.first} to ${range.last}`
      : `is not served by ${controller}, which has no ports for tenants`, 'Give the controller a portRange that has the port');
  }
}

/** Checks that the public port of hosts is none of those of tenants. */
export function requireApart(publicPort: number, range?: PortRange): void {
  if (isInPortRange(publicPort, range)) {
    throw invalidInput('portRange', range, `has the port ${publicPort}, at which the controller finds tenants by their hosts`, 'Give ports that nothing else has');
  }
}
