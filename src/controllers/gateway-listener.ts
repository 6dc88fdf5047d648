import { PassthroughRoute } from '../model/exposure-props';
import { validateHostname } from '../validation/hostname';
import { invalidInput } from '../validation/invalid-input';
import { validatePort } from '../validation/name';
import { validateObjectName } from '../validation/object-name';
import { Checks, flag, optional } from '../validation/props';
import { validateText } from '../validation/text';

/** What is known of a listener of a Gateway. */
export interface GatewayListener {
  /** Name of the listener; routes name it as their `sectionName`. */
  readonly name: string;
  /**
   * Host, or wildcard such as `*.k8s.example.com`, that the listener takes.
   * @default - every host
   */
  readonly hostname?: string;
  /**
   * Port of the listener.
   * @default 443
   */
  readonly port?: number;
  /**
   * Port that clients connect to, where it is another one, e.g. 443 with Traefik, whose listener has the port 8443 of
   * its entry point.
   * @default - the port of the listener
   */
  readonly publicPort?: number;
  /**
   * Whether the listener opens TLS: protocol HTTPS, or TLS in mode Terminate. No route attaches to it.
   * @default false
   */
  readonly terminatesTls?: boolean;
  /**
   * Whether the listener takes any TCP connection (protocol TCP), for the port of one tenant.
   * @default false
   */
  readonly tcp?: boolean;
}

/** What each property of a listener may be by itself. */
export const LISTENER: Checks<GatewayListener> = {
  name: validateObjectName,
  hostname: optional(validateText),
  port: optional(validatePort),
  publicPort: optional(validatePort),
  terminatesTls: optional(flag),
  tcp: optional(flag),
};

/** The port of a listener. */
export function portOf(listener: GatewayListener): number {
  return listener.port ?? 443;
}

/** The port of a listener that clients connect to. */
function publicPortOf(listener: GatewayListener): number {
  return listener.publicPort ?? portOf(listener);
}

/** Whether a route can attach: a passthrough listener at the route's public port, for the route's host. */
export function accepts(listener: GatewayListener, route: PassthroughRoute): boolean {
  return !listener.terminatesTls && !listener.tcp
    && publicPortOf(listener) === route.port
    && matches(listener.hostname, route.hostname);
}

/** Whether the route of a tenant's port can attach: a listener for any TCP connection at the port. */
export function acceptsPort(listener: GatewayListener, port: number): boolean {
  return listener.tcp === true && publicPortOf(listener) === port;
}

/** The listener that takes the route: the most specific, as Gateways choose among listeners of a port. */
export function listenerFor(listeners: GatewayListener[], route: PassthroughRoute): GatewayListener | undefined {
  return listeners.filter(listener => accepts(listener, route)).sort((a, b) => specificity(b) - specificity(a))[0];
}

/** The listeners as an error shows them. */
export function describeListeners(listeners: GatewayListener[]): string {
  return listeners.map(listener => {
    const { name, hostname = 'any host', publicPort = portOf(listener), terminatesTls, tcp } = listener;
    const behind = publicPort === portOf(listener) ? '' : `, port ${portOf(listener)} of the Gateway`;
    return `"${name}" (${tcp ? 'TCP' : hostname}:${publicPort}${behind}${terminatesTls ? ', opens TLS' : ''})`;
  }).join(', ');
}

/** Checks listeners as the Gateway API does: distinct names, and distinct hosts on each port. */
export function validateListeners(listeners: GatewayListener[]): void {
  const names = new Set<string>();
  const hosts = new Map<string, string>();
  listeners.forEach((listener, i) => {
    const field = `listeners[${i}]`;
    if (listener.hostname !== undefined) {
      validateHostname(`${field}.hostname`, listener.hostname.replace(/^\*\./, ''));
    }
    if (names.has(listener.name)) {
      throw invalidInput(`${field}.name`, listener.name, 'is the name of two listeners', 'Give each listener a name of its own');
    }
    names.add(listener.name);
    if (listener.tcp && (listener.terminatesTls || listener.hostname !== undefined)) {
      throw invalidInput(`${field}.tcp`, true, 'is set for a listener with a host, or one that opens TLS, and TCP knows neither', 'Leave hostname and terminatesTls out');
    }
    // Whatever its hosts are, a listener of TLS cannot share its port with one of TCP.
    const other = listeners.slice(0, i).find(before => (listener.tcp || before.tcp) && portOf(before) === portOf(listener));
    if (other) {
      throw invalidInput(`${field}.port`, portOf(listener), `is also that of the listener "${other.name}", and a listener of TCP takes all of its port`,
        'Give the tenant another port');
    }
    const address = `${listener.hostname ?? '*'}:${portOf(listener)}`;
    if (hosts.has(address)) {
      throw invalidInput(`${field}.hostname`, address, `is also the address of the listener "${hosts.get(address)}"`,
        'Keep one of them, or give them different hosts or ports');
    }
    hosts.set(address, listener.name);
  });
}

/** A wildcard stands for one or more labels, as in the Gateway API. */
function matches(pattern: string | undefined, hostname: string): boolean {
  return pattern === undefined || pattern === hostname || (pattern.startsWith('*.') && hostname.endsWith(pattern.slice(1)));
}

function specificity({ hostname }: GatewayListener): number {
  return hostname === undefined ? 0 : hostname.startsWith('*.') ? hostname.length : Infinity;
}
