import { AddressInfo } from 'net';
import { createServer, Server, TLSSocket, TlsOptions } from 'tls';
import { keep, Part } from './parts';

/** A TLS server on 127.0.0.1 that can be taken down and brought back on the same port. */
export class TlsServer implements Part {
  public static async start(options: TlsOptions, onConnection: (socket: TLSSocket) => void, port = 0): Promise<TlsServer> {
    const server = keep(new TlsServer(options, onConnection));
    await server.listen(port);
    return server;
  }

  /** TCP connections so far, also those whose handshake failed. */
  public connections = 0;
  public port = 0;
  private readonly server: Server;
  private readonly sockets = new Set<{ destroy(): void }>();

  private constructor(options: TlsOptions, onConnection: (socket: TLSSocket) => void) {
    this.server = createServer(options);
    this.server.on('connection', socket => {
      this.connections++;
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    });
    this.server.on('tlsClientError', () => undefined);
    this.server.on('secureConnection', socket => {
      socket.on('error', () => undefined);
      onConnection(socket);
    });
  }

  /** Listens, at first or again. */
  public async listen(port = this.port): Promise<void> {
    await new Promise<void>((resolve, reject) => this.server.once('error', reject).listen(port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Stops listening and resets every connection. */
  public async stop(): Promise<void> {
    if (this.server.listening) {
      const closed = new Promise(resolve => this.server.close(resolve));
      this.sockets.forEach(socket => socket.destroy());
      await closed;
    }
  }
}
