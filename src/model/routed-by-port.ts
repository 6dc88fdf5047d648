import { PassthroughRoute } from './exposure-props';

const routedByPort = new WeakSet<PassthroughRoute>();

/** Says that the shared address leads to a route by its port, whatever the SNI host. */
export function recordRoutedByPort(route: PassthroughRoute): void {
  routedByPort.add(route);
}

/** Whether the shared address leads to a route by its port, as far as it is known. */
export function isRoutedByPort(route: PassthroughRoute): boolean {
  return routedByPort.has(route);
}
