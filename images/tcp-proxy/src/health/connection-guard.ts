import { isIPv6, Socket } from 'net';
import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import { described } from './described';
import { FairSlots } from './fair-slots';
import { METRICS } from '../../../../src/agent/contract/metrics';

/** Connections whose request is not complete; each costs about 10 KiB. */
const WAITING = 128;
const LONGEST_REQUEST_MS = 2_000;

/** Connections that are answered; the metrics, about 100 KiB, may wait for a client that does not read them. */
const ANSWERED = 16;
/** Prometheus waits for 10 seconds, the kubelet for 3. */
const LONGEST_ANSWER_MS = 10_000;

const CHECK_MS = 250;
const LOG_INTERVAL_MS = 60_000;

type Reason = 'crowded' | 'slow';

/**
 * Bounds what the clients of the health server hold together, and for how long, since everybody who reaches the node
 * reaches that port. A full server takes a new connection in all the same, see `FairSlots`: what the kubelet asks is
 * complete with its first packet and no longer waits when others are dropped.
 */
export class ConnectionGuard {
  private readonly waiting = new FairSlots<Socket>(WAITING);
  private readonly answered = new FairSlots<Socket>(ANSWERED);
  private readonly dropped: Counter<'reason'>;
  private check?: NodeJS.Timeout;
  private logged = -Infinity;

  constructor(private readonly logger: Logger, registry: Registry) {
    this.dropped = new Counter(described(METRICS.healthDropped, registry));
    for (const reason of ['crowded', 'slow'] as const) this.dropped.inc({ reason }, 0);
  }

  public start(): void {
    this.check = setInterval(() => {
      const slow = [...this.waiting.overdue(LONGEST_REQUEST_MS), ...this.answered.overdue(LONGEST_ANSWER_MS)];
      for (const socket of slow) this.drop(socket, 'slow');
    }, CHECK_MS).unref();
  }

  public stop(): void {
    clearInterval(this.check);
  }

  /** A client has connected. */
  public connected(socket: Socket): void {
    socket.on('close', () => {
      this.waiting.release(socket);
      this.answered.release(socket);
    });
    this.drop(this.waiting.take(socket, sourceOf(socket)), 'crowded');
  }

  /** The request of a client is complete. */
  public asked(socket: Socket): void {
    this.waiting.release(socket);
    this.drop(this.answered.take(socket, sourceOf(socket)), 'crowded');
  }

  private drop(socket: Socket | undefined, reason: Reason): void {
    if (!socket) return;
    this.dropped.inc({ reason });
    if (performance.now() - this.logged >= LOG_INTERVAL_MS) {
      this.logged = performance.now();
      this.logger.warn({ source: sourceOf(socket), reason }, 'closed a connection to the health port without an answer; for a minute more of them are only counted');
    }
    // Not by a FIN, behind which what nobody reads would stay in the kernel.
    socket.resetAndDestroy();
  }
}

/** The address of a client; of IPv6 its /64, as that is what one machine easily has. */
function sourceOf({ remoteAddress = '' }: Socket): string {
  const address = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
  if (!isIPv6(address)) return address;
  const [head, tail] = address.split('%')[0].split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
