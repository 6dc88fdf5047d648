import { once } from 'events';
import { IncomingMessage, ServerResponse } from 'http';
import { createServer, Server } from 'https';
import { AddressInfo } from 'net';
import { Duplex } from 'stream';
import { CertificatePair } from '../../../../test/support/certificates';

/** A TLS server in the place of ingress and API server. */
export class Upstream {
  public static async start(pair: CertificatePair, port = 0): Promise<Upstream> {
    const upstream = new Upstream(pair);
    upstream.server.listen(port, '127.0.0.1');
    await once(upstream.server, 'listening');
    return upstream;
  }

  /** TLS connections so far. */
  public connections = 0;
  /** HTTP requests so far. */
  public requests = 0;
  /** Server names that clients asked for. */
  public readonly serverNames = new Set<unknown>();
  /** Responses of `/stream`, which end when the test ends them. */
  public readonly streams: ServerResponse[] = [];
  private readonly sockets = new Set<Duplex>();
  private readonly server: Server;

  private constructor(pair: CertificatePair) {
    this.server = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => this.answer(request, response));
    this.server.on('secureConnection', socket => {
      this.connections++;
      this.serverNames.add(socket.servername);
    });
    this.server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  public get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  public async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests++;
    if (request.url !== '/stream') {
      response.end('answer of the upstream');
      return;
    }
    response.write('first event\n');
    this.streams.push(response);
  }
}
