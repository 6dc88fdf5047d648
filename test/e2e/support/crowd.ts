import { connect, Socket } from 'net';
import { keep, Part } from '../../data-path/support/parts';

const PERIOD_MS = 100;
/** New ones a period, beside which nobody notices this process. */
const BATCH = 40;

/** Clients that want this many connections to stay open, and open others for those that are closed. */
export class Crowd implements Part {
  private readonly sockets = new Set<Socket>();
  private readonly timer = setInterval(() => this.fill(), PERIOD_MS);

  constructor(private readonly host: string, private readonly port: number, private readonly wanted: number) {
    keep(this);
  }

  public stop(): void {
    clearInterval(this.timer);
    this.sockets.forEach(socket => socket.destroy());
  }

  private fill(): void {
    for (let i = 0; i < BATCH && this.sockets.size < this.wanted; i++) {
      const socket = connect(this.port, this.host);
      this.sockets.add(socket);
      socket.resume().on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    }
  }
}
