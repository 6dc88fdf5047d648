import type { SocketBuffers } from './socket-buffers';
import { invalidInput } from '../validation/invalid-input';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const UNITS: { [suffix: string]: number } = {
  '': 1,
  'n': 1e-9,
  'u': 1e-6,
  'm': 1e-3,
  'k': 1e3,
  'M': 1e6,
  'G': 1e9,
  'T': 1e12,
  'P': 1e15,
  'E': 1e18,
  'Ki': KIB,
  'Mi': MIB,
  'Gi': 2 ** 30,
  'Ti': 2 ** 40,
  'Pi': 2 ** 50,
  'Ei': 2 ** 60,
};

/** What connections of a proxy cost at most, in bytes of its memory limit. */
export interface ConnectionCosts {
  /** The pod without connections: agent, master, and two workers of HAProxy. */
  readonly pod: number;
  /** A connection that is silent. */
  readonly idle: number;
  /** A connection both of whose sides send while neither reads, without the buffers of its sockets. */
  readonly stalled: number;
  /** The best first, which a small memory limit has no room for. */
  readonly socketBuffers: readonly SocketBuffers[];
  /** Part of the connections that can be stalled at a time. */
  readonly stalledShare: number;
  /** Most connections; each takes two file descriptors, and HAProxy does not start where it may not have them. */
  readonly most: number;
}

/**
 * A proxy that opens TLS; measured in a memory cgroup. The pod: 35 MiB, and 28 while its health port is flooded. Idle: 81 KiB;
 * stalled: 163 KiB, and up to 70 by which sockets exceed their buffers. All of them may be stalled, in both ways: who sends
 * requests one behind the other and reads no answer needs no token for that. CPU time of a GiB by size of the buffer that sends, against
 * one without bounds: 64 KiB 1.2, 128 KiB 1.15, 256 KiB 1.07, 512 KiB 1.03; that which receives matters less.
 */
export const OPENED_TLS: ConnectionCosts = {
  pod: 64 * MIB,
  idle: 84 * KIB,
  stalled: 232 * KIB,
  stalledShare: 1,
  most: 8_000,
  socketBuffers: [
    { answers: { receive: 128 * KIB, send: 256 * KIB }, requests: { receive: 64 * KIB, send: 64 * KIB } },
    { answers: { receive: 64 * KIB, send: 64 * KIB }, requests: { receive: 32 * KIB, send: 32 * KIB } },
  ],
};

/** A proxy that passes the bytes. */
export const PASSED_BYTES: ConnectionCosts = { ...OPENED_TLS, idle: 25 * KIB, stalled: 40 * KIB };

/**
 * The shared gateway, whose pod holds the routes of thousands of tenants. All connections that one tenant may have can be
 * stalled. Its clients are far away, where a small buffer is a slow connection.
 */
export const GATEWAY: ConnectionCosts = {
  ...PASSED_BYTES,
  pod: 256 * MIB,
  stalledShare: 1 / 8,
  most: 20_000,
  socketBuffers: [{ answers: { receive: 128 * KIB, send: 128 * KIB }, requests: { receive: 128 * KIB, send: 128 * KIB } }],
};

/** The shared gateway where tunnels end. One that opens TLS on one side takes less than one that opens it on both; 30 KiB more than without, measured. */
export const GATEWAY_WITH_TUNNEL: ConnectionCosts = { ...GATEWAY, idle: OPENED_TLS.idle, stalled: OPENED_TLS.stalled };

/** What a memory limit has room for. */
export interface MemoryShares {
  readonly connections: number;
  readonly socketBuffers: SocketBuffers;
}

/** Fewer connections than nodes and controllers of a small cluster need. */
const MINIMUM = 50;
/** More connections are worth less than better buffers. */
const ENOUGH = 300;

/**
 * How many connections fit into the memory limit of a pod, so that the limit refuses a connection and the kernel
 * does not end the proxy:
 *
 *     memory = pod + connections × (idle + idle + stalledShare × (stalled + 2 × buffers - idle))
 *
 * The first `idle` is for the worker that a reload leaves behind, with as many connections as the one that took over; stalled
 * ones among them end as dead peers do.
 * A stalled connection fills all four buffers of its two sockets.
 *
 * @throws InvalidInputError for what is no quantity, and for fewer than 50 connections
 */
export function memoryShares(costs: ConnectionCosts, memoryLimit?: string | number): MemoryShares {
  const { socketBuffers, pod, most } = costs;
  if (memoryLimit === undefined) {
    return { connections: most, socketBuffers: socketBuffers[0] };
  }
  const text = String(memoryLimit);
  const bytes = bytesOf(text) - pod;
  const fits = socketBuffers.map(buffers => ({ connections: Math.floor(bytes / connectionBytes(costs, buffers)), socketBuffers: buffers }));
  const smallest = fits[fits.length - 1];
  if (smallest.connections < MINIMUM) {
    const needed = pod + MINIMUM * connectionBytes(costs, smallest.socketBuffers);
    throw invalidInput('resources.limits.memory', text, `leaves room for ${Math.max(0, smallest.connections)} connections`,
      `Give at least "${Math.ceil(needed / MIB)}Mi", which is enough for ${MINIMUM}`);
  }
  const best = fits.find(({ connections }) => connections >= ENOUGH) ?? smallest;
  return { ...best, connections: Math.min(best.connections, most) };
}

/** Takes all that Kubernetes takes (apimachinery, `resource.ParseQuantity`). */
function bytesOf(text: string): number {
  const [, number, unit, exponent] = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (number === undefined) {
    throw invalidInput('resources.limits.memory', text, 'is not a memory quantity', 'Write e.g. "256Mi"');
  }
  return Number(number) * (exponent === undefined ? UNITS[unit ?? ''] : 10 ** Number(exponent));
}

function connectionBytes({ idle, stalled, stalledShare }: ConnectionCosts, { answers, requests }: SocketBuffers): number {
  const buffers = answers.receive + answers.send + requests.receive + requests.send;
  return 2 * idle + stalledShare * (stalled + 2 * buffers - idle);
}
