import type { ConnectionLimits } from './connection-limits';
import type { GatewayConnectionShares } from './limit-props';
import { ConnectionCosts, memoryShares } from './memory-limit';
import { DefaultShares, resolveShares } from './resolve-shares';
import type { SocketBuffers } from './socket-buffers';
import type { StopSettings } from '../agent/contract/stopping';
import { Checks, optional } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

/** What the users of both proxies may say of HAProxy and of how it stops. */
export interface ProxyProps {
  readonly maxConnections?: number;
  readonly threads?: number;
  readonly tunnelTimeoutSeconds?: number;
  readonly reloadGraceSeconds?: number;
  readonly propagationDelaySeconds?: number;
  readonly gracePeriodSeconds?: number;
}

/** Timers of HAProxy and of Node.js hold 31 bits of milliseconds; HAProxy refuses more, and Node.js does not wait at all. */
const MOST_SECONDS = Math.floor((2 ** 31 - 1) / 1000);
/** Watches are silent for long. */
const LEAST_TUNNEL_TIMEOUT_SECONDS = 3600;

/** What HAProxy would refuse, or what would cut connections that work. */
export const PROXY_CHECKS: Checks<ProxyProps> = {
  maxConnections: optional(wholeNumber('connections', 1, 1_000_000)),
  threads: optional(wholeNumber('threads', 1, 64)),
  tunnelTimeoutSeconds: optional(wholeNumber('seconds', LEAST_TUNNEL_TIMEOUT_SECONDS, MOST_SECONDS)),
  reloadGraceSeconds: optional(wholeNumber('seconds', 1, MOST_SECONDS)),
  propagationDelaySeconds: optional(wholeNumber('seconds', 0, MOST_SECONDS)),
  gracePeriodSeconds: optional(wholeNumber('seconds', 1, MOST_SECONDS)),
};

/** Defaults of both proxies. */
export const PROXY_DEFAULTS = { tunnelTimeoutSeconds: 86_400, reloadGraceSeconds: 21_600 } as const;

/** What the two proxies have different defaults of. */
export interface ProxyDefaults {
  readonly threads: number;
  readonly propagationDelaySeconds: number;
  readonly gracePeriodSeconds: number;
}

/** Where connections come from and what they cost. */
export interface ProxyConnections {
  readonly costs: ConnectionCosts;
  /** Of the pod; undefined for none. */
  readonly memoryLimit?: string | number;
  readonly shares?: GatewayConnectionShares;
  readonly defaultShares: DefaultShares;
}

/** Options of both renderers that users set, or the library by default. */
export interface ProxySettings {
  readonly maxConnections: number;
  readonly limits: Omit<ConnectionLimits, 'frontends' | 'total'>;
  readonly socketBuffers: SocketBuffers;
  readonly threads: number;
  readonly tunnelTimeoutSeconds: number;
  readonly reloadGraceSeconds: number;
}

/** The options of the renderer for HAProxy: what the user says, and the defaults for the rest. */
export function resolveProxy(props: ProxyProps, defaults: ProxyDefaults, connections: ProxyConnections): ProxySettings {
  const memory = memoryShares(connections.costs, connections.memoryLimit);
  const maxConnections = props.maxConnections ?? memory.connections;
  return {
    maxConnections,
    limits: resolveShares(maxConnections, connections.shares, connections.defaultShares),
    socketBuffers: memory.socketBuffers,
    threads: props.threads ?? defaults.threads,
    tunnelTimeoutSeconds: props.tunnelTimeoutSeconds ?? PROXY_DEFAULTS.tunnelTimeoutSeconds,
    reloadGraceSeconds: props.reloadGraceSeconds ?? PROXY_DEFAULTS.reloadGraceSeconds,
  };
}

/** How the proxy stops: what the user says, and the defaults for the rest. */
export function resolveStop(props: ProxyProps, defaults: ProxyDefaults): StopSettings {
  return {
    propagationDelaySeconds: props.propagationDelaySeconds ?? defaults.propagationDelaySeconds,
    gracePeriodSeconds: props.gracePeriodSeconds ?? defaults.gracePeriodSeconds,
  };
}
