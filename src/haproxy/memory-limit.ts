import { k8s } from 'cdk8s-plus-30';
import { invalidInput } from '../validation/invalid-input';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const UNITS: { [suffix: string]: number } = {
  'm': 1e-3, '': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12, 'Ki': KIB, 'Mi': MIB, 'Gi': 2 ** 30, 'Ti': 2 ** 40,
};

/** What connections of a proxy cost at most, in bytes of its memory limit. */
export interface ConnectionCosts {
  /** The pod without connections: agent, master, and two workers of HAProxy. */
  readonly pod: number;
  /** A connection that is silent. */
  readonly idle: number;
  /** A connection whose one side sends while the other reads nothing, without what the kernel holds of it. */
  readonly stalled: number;
  /** Size of each of its four kernel buffers, as `tune.sndbuf` and `tune.rcvbuf` take it. The kernel uses twice as much. */
  readonly socketBuffer: number;
  /** Part of the connections that can be stalled at a time. */
  readonly stalledShare: number;
  /** Most connections; each takes two file descriptors, and HAProxy does not start where it may not have them. */
  readonly most: number;
}

/**
 * A proxy that opens TLS; measured in a memory cgroup. Idle: 65 to 78 KiB; stalled: 105 to 124 KiB, and 4 MiB of kernel
 * buffers where these are not bounded. All of them may be stalled.
 */
export const OPENED_TLS: ConnectionCosts = {
  pod: 40 * MIB, idle: 78 * KIB, stalled: 124 * KIB, socketBuffer: 64 * KIB, stalledShare: 1, most: 8_000,
};

/** A proxy that passes the bytes. */
export const PASSED_BYTES: ConnectionCosts = { ...OPENED_TLS, idle: 25 * KIB, stalled: 30 * KIB };

/**
 * The shared gateway, whose pod holds the routes of thousands of tenants. All connections that one tenant may have can be
 * stalled. Its clients are far away, where a small buffer is a slow connection.
 */
export const GATEWAY: ConnectionCosts = {
  ...PASSED_BYTES, pod: 256 * MIB, socketBuffer: 128 * KIB, stalledShare: 1 / 8, most: 20_000,
};

/** Fewer connections than nodes and controllers of a small cluster need. */
const MINIMUM = 50;

/**
 * How many connections fit into the memory limit of a pod, so that the limit refuses a connection and the kernel
 * does not end the proxy:
 *
 *     memory = pod + connections × (idle + idle + stalledShare × (stalled + 4 × socketBuffer - idle))
 *
 * The first `idle` is for the worker that a reload leaves behind, with as many connections as the one that took over; stalled
 * ones among them end as dead peers do.
 * A stalled connection fills two of its buffers, those of one direction.
 */
export function connectionLimit(costs: ConnectionCosts, memoryLimit?: k8s.Quantity): number {
  if (memoryLimit === undefined) {
    return costs.most;
  }
  const text = String(memoryLimit.value);
  const match = /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text);
  if (!match) {
    throw invalidInput('resources.limits.memory', text, 'is not a memory quantity', 'Write e.g. "256Mi"');
  }
  const connections = Math.floor((Number(match[1]) * UNITS[match[2] ?? ''] - costs.pod) / connectionBytes(costs));
  if (connections < MINIMUM) {
    throw invalidInput('resources.limits.memory', text, `leaves room for ${Math.max(0, connections)} connections`,
      `Give at least "${Math.ceil((costs.pod + MINIMUM * connectionBytes(costs)) / MIB)}Mi", which is enough for ${MINIMUM}`);
  }
  return Math.min(connections, costs.most);
}

function connectionBytes({ idle, stalled, socketBuffer, stalledShare }: ConnectionCosts): number {
  return 2 * idle + stalledShare * (stalled + 4 * socketBuffer - idle);
}
