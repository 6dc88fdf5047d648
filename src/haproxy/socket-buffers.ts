import { Section } from './section';

/** Sizes in bytes of what the kernel holds for two sockets in one way, as `tune.rcvbuf` and `tune.sndbuf` take them. It uses twice as much. */
export interface WayBuffers {
  /** What waits to be read. */
  readonly receive: number;
  /** What waits to be sent: the smaller, the more often something long wakes HAProxy. */
  readonly send: number;
}

/** The buffers of a connection's two ways. */
export interface SocketBuffers {
  /** From the server to the client. */
  readonly answers: WayBuffers;
  /** From the client to the server. */
  readonly requests: WayBuffers;
}

/**
 * Bounds the kernel's buffers of connections, which count into the memory limit of the pod. Otherwise they grow to
 * megabytes for a client that reads fast at first and then not at all.
 */
export function addSocketBuffers(global: Section, buffers: SocketBuffers | undefined): void {
  if (buffers === undefined) {
    return;
  }
  const { answers, requests } = buffers;
  global
    .add('tune.sndbuf.client', answers.send).add('tune.rcvbuf.client', requests.receive)
    .add('tune.sndbuf.server', requests.send).add('tune.rcvbuf.server', answers.receive);
}
