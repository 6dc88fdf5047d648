import { Duplex } from 'stream';
import { setTimeout as sleep } from 'timers/promises';

/** As many as it opens at once: no more than what the kernel keeps for a server. */
const BATCH = 50;
const BATCH_MS = 10;
/** On average. */
const REOPEN_MS = 1_000;

/** Connections that somebody opens and holds, each again about a second after it was closed. */
export class Flood {
  private readonly sockets = new Set<Duplex>();
  private stopped = false;

  /** @param open makes the connection with that number */
  constructor(private readonly count: number, private readonly open: (i: number) => Duplex) {}

  public async start(): Promise<void> {
    for (let i = 0; i < this.count; i++) {
      this.hold(i);
      if (i % BATCH === BATCH - 1) await sleep(BATCH_MS);
    }
  }

  public stop(): void {
    this.stopped = true;
    for (const socket of this.sockets) socket.destroy();
  }

  private hold(i: number): void {
    if (this.stopped) return;
    const socket = this.open(i);
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => {
      this.sockets.delete(socket);
      setTimeout(() => this.hold(i), REOPEN_MS * (0.5 + Math.random())).unref();
    });
  }
}
