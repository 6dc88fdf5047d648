import { k8s } from 'cdk8s-plus-30';
import { invalidInput } from '../validation/invalid-input';

const UNITS: { [suffix: string]: number } = {
  'm': 1e-3, '': 1, 'k': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12, 'Ki': 2 ** 10, 'Mi': 2 ** 20, 'Gi': 2 ** 30, 'Ti': 2 ** 40,
};

/**
 * Anonymous memory without connections, measured: agent 11 MiB, HAProxy's master 4 MiB and worker 6 MiB. The rest is for
 * the buffers of connections that are busy at the same time.
 */
const IDLE_BYTES = 32 * 2 ** 20;
/**
 * One idle connection with TLS on both sides, measured: 74 KiB of the worker, with an API server that issues session
 * tickets. The rest is the kernel's for two sockets.
 */
const CONNECTION_BYTES = 76 * 2 ** 10;
/** HAProxy without a memory limit; its file descriptors are the next bound. */
const UNLIMITED = 10_000;
/** Fewer connections than nodes and controllers of a small cluster need. */
const MINIMUM = 50;

/**
 * How many connections fit into the memory limit of the pod, so that the limit refuses a connection and
 * the kernel does not end the proxy.
 */
export function connectionLimit(memoryLimit?: k8s.Quantity): number {
  if (memoryLimit === undefined) {
    return UNLIMITED;
  }
  const text = String(memoryLimit.value);
  const match = /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text);
  if (!match) {
    throw invalidInput('resources.limits.memory', text, 'is not a memory quantity', 'Write e.g. "64Mi"');
  }
  const bytes = Number(match[1]) * UNITS[match[2] ?? ''];
  const connections = Math.floor((bytes - IDLE_BYTES) / CONNECTION_BYTES);
  if (connections < MINIMUM) {
    throw invalidInput('resources.limits.memory', text, `leaves room for ${Math.max(0, connections)} connections`,
      'Give at least "64Mi", which is enough for about 430');
  }
  return Math.min(connections, UNLIMITED);
}
