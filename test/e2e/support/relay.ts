import { AddressInfo, connect, createServer, Server, Socket } from 'net';
import { keep, Part } from '../../data-path/support/parts';

/** What stands between a program and what it connects to: it passes bytes, cuts every connection, or takes them and is silent. */
export class Relay implements Part {
  public static async start(target: number): Promise<Relay> {
    const relay = keep(new Relay(target));
    await new Promise<void>(resolve => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  private readonly server: Server = createServer(socket => this.accept(socket));
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'cut' | 'silent' = 'open';

  private constructor(private readonly target: number) {}

  public get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Connections that are open already are cut, whatever comes. */
  public become(state: Relay['state']): void {
    this.state = state;
    this.sockets.forEach(socket => socket.destroy());
  }

  public stop(): void {
    this.become('cut');
    this.server.close();
  }

  private accept(socket: Socket): void {
    if (this.state === 'cut') {
      socket.destroy();
      return;
    }
    this.hold(socket);
    if (this.state === 'silent') {
      socket.resume();
      return;
    }
    const upstream = connect(this.target, '127.0.0.1');
    this.hold(upstream);
    socket.pipe(upstream).pipe(socket);
    socket.on('close', () => upstream.destroy());
    upstream.on('close', () => socket.destroy());
  }

  private hold(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}
