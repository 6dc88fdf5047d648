import { Section } from './section';

/**
 * Bounds the kernel's buffers of connections, which count into the memory limit of the pod. Otherwise they grow to
 * megabytes for a client that reads fast at first and then not at all.
 */
export function addSocketBuffers(global: Section, bytes: number | undefined): void {
  if (bytes === undefined) {
    return;
  }
  for (const setting of ['sndbuf.client', 'sndbuf.server', 'rcvbuf.client', 'rcvbuf.server']) {
    global.add(`tune.${setting}`, bytes);
  }
}
