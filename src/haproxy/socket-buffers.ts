import { Section } from './section';

/** Sizes in bytes of what the kernel holds for one socket, as `tune.sndbuf` and `tune.rcvbuf` take them. It uses twice as much. */
export interface SocketBuffers {
  /** What waits to be sent: the smaller, the more often a long answer wakes HAProxy. */
  readonly send: number;
  /** What waits to be read. */
  readonly receive: number;
}

/**
 * Bounds the kernel's buffers of connections, which count into the memory limit of the pod. Otherwise they grow to
 * megabytes for a client that reads fast at first and then not at all.
 */
export function addSocketBuffers(global: Section, buffers: SocketBuffers | undefined): void {
  if (buffers === undefined) {
    return;
  }
  for (const side of ['client', 'server']) {
    global.add(`tune.sndbuf.${side}`, buffers.send).add(`tune.rcvbuf.${side}`, buffers.receive);
  }
}
