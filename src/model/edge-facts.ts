import type { AddressRange } from './address-range';
import { Exposure } from './exposure';
import type { PortRange } from './port-range';

/** What the controller of a control plane can lead to it beside hosts, and what is on the other side. */
export interface EdgeFacts {
  /** How messages call the controller. */
  readonly controller: string;
  readonly servesPorts: boolean;
  readonly portRange?: PortRange;
  readonly addressRange?: AddressRange;
  /** Whether the platform of the control plane brings proxies. */
  readonly platformBringsProxy: boolean;
  /** The property of the platform without which it brings none; undefined where it always does. */
  readonly platformProxyProperty?: string;
  /** Whether they are known to pass TLS on unopened. */
  readonly platformProxyPassesTls: boolean;
}

const edges = new WeakMap<Exposure, EdgeFacts>();

/** The controller in front of a control plane; undefined for one of elsewhere. */
export function edgeOf(exposure: Exposure): EdgeFacts | undefined {
  return edges.get(exposure);
}

/** Called by every control plane with a controller. */
export function recordEdge(exposure: Exposure, facts: EdgeFacts): void {
  edges.set(exposure, facts);
}
