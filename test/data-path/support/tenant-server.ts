import { AddressInfo, connect, createServer, Server, Socket } from 'net';
import { keep, Part } from './parts';

/** The first bytes of a TLS connection, enough for a gateway that does not open it. */
export const TLS_START = Buffer.from('160301', 'hex');

/** A server that answers the first bytes of every connection with its name. */
export class TenantServer implements Part {
  public static async start(name: string, port = 0, host = '127.0.0.1'): Promise<TenantServer> {
    const tenant = keep(new TenantServer(name));
    await new Promise<void>((resolve, reject) => tenant.server.once('error', reject).listen(port, host, resolve));
    tenant.port = (tenant.server.address() as AddressInfo).port;
    return tenant;
  }

  /** What each connection sent first, latin1. */
  public readonly received: string[] = [];
  /** TCP connections so far. */
  public connections = 0;
  public port = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(public readonly name: string) {
    this.server = createServer(socket => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
      socket.once('data', chunk => {
        this.received.push(chunk.toString('latin1'));
        socket.write(name);
      });
    });
  }

  public stop(): Promise<void> {
    this.sockets.forEach(socket => socket.destroy());
    return new Promise(resolve => this.server.close(() => resolve()));
  }
}

/** A connection of a test. */
export class RawConnection implements Part {
  public text = '';
  public ended = false;
  public readonly socket: Socket;
  private waiting: (() => void)[] = [];

  /** @param pieces what to send, each as a packet of its own */
  constructor(port: number, pieces: Buffer[], host = '127.0.0.1') {
    keep(this);
    this.socket = connect({ port, host, noDelay: true });
    this.socket.on('error', () => undefined)
      .on('data', chunk => {
        this.text += chunk.toString('latin1');
        this.wake();
      })
      .on('close', () => {
        this.ended = true;
        this.wake();
      })
      .on('end', () => this.wake());
    void this.send(pieces);
  }

  /** The first answer, or an empty text when the connection ends without one. */
  public async answer(): Promise<string> {
    while (this.text === '' && !this.ended) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
    return this.text;
  }

  /** Waits for the end of the connection. */
  public async end(): Promise<void> {
    while (!this.ended) {
      await new Promise<void>(resolve => this.waiting.push(resolve));
    }
  }

  public stop(): void {
    this.socket.destroy();
  }

  private async send(pieces: Buffer[]): Promise<void> {
    for (const piece of pieces) {
      await new Promise<void>(resolve => this.socket.write(piece, () => resolve()));
      await new Promise(resolve => setImmediate(resolve));
    }
  }

  private wake(): void {
    this.waiting.splice(0).forEach(resolve => resolve());
  }
}

/** Sends bytes and returns the first answer; empty when the connection is closed without one. */
export async function exchange(port: number, bytes: Buffer, host?: string): Promise<string> {
  const connection = new RawConnection(port, [bytes], host);
  const answer = await connection.answer();
  connection.stop();
  return answer;
}
