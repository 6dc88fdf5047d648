import { createServer as createHttpServer, IncomingMessage, ServerResponse } from 'http';
import { createServer as createHttp2Server, Http2ServerRequest, Http2ServerResponse } from 'http2';
import { TLSSocket, TlsOptions } from 'tls';
import { TlsServer } from './tls-server';

/** One connection as the API server sees it. */
export interface ServedConnection {
  readonly alpn: string | false | null;
  readonly sni: string | false | undefined;
  /** Common name of the client certificate. */
  readonly clientName?: string;
  /** Method and path of every request. */
  readonly requests: string[];
}

/**
 * What the proxies need from an API server: `/readyz`, lists, watches (`?watch=1`: one line at once and one more for
 * each call of `notify`) and upgraded streams (which echo), by HTTP/1.1 and HTTP/2.
 */
export class ApiServer {
  /** @param protocols what ALPN may choose; empty for a server that does not know ALPN */
  public static async start(options: TlsOptions, protocols = ['h2', 'http/1.1']): Promise<ApiServer> {
    const api = new ApiServer();
    const tlsOptions = { ...options, ...(protocols.length > 0 ? { ALPNProtocols: protocols } : {}) };
    api.server = await TlsServer.start(tlsOptions, socket => api.serve(socket));
    return api;
  }

  /** Every connection that finished its handshake. */
  public readonly connections: ServedConnection[] = [];
  /** Status of `/readyz`. */
  public readyz = 200;
  public server!: TlsServer;
  private readonly watches = new Set<ServerResponse | Http2ServerResponse>();
  private readonly byPort = new Map<number, ServedConnection>();
  private readonly http1 = createHttpServer((request, response) => this.answer(request, response));
  private readonly http2 = createHttp2Server((request, response) => this.answer(request, response));

  private constructor() {
    this.http2.on('sessionError', () => undefined);
    this.http1.on('upgrade', (request: IncomingMessage, socket: TLSSocket, head: Buffer) => {
      this.note(request);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`);
      socket.write(head);
      socket.pipe(socket);
    });
  }

  public get port(): number {
    return this.server.port;
  }

  /** The connections of clients, without those of health checks. */
  public get clientConnections(): ServedConnection[] {
    return this.connections.filter(({ requests }) => requests.some(request => !request.endsWith(' /readyz')));
  }

  /** Sends an event to every open watch. */
  public notify(event: string): void {
    this.watches.forEach(watch => (watch as ServerResponse).write(`${event}\n`));
  }

  private serve(socket: TLSSocket): void {
    const connection = {
      alpn: socket.alpnProtocol,
      sni: (socket as unknown as { servername: string | false }).servername,
      clientName: socket.getPeerCertificate()?.subject?.CN as string | undefined,
      requests: [],
    };
    this.connections.push(connection);
    this.byPort.set(socket.remotePort!, connection);
    if (socket.alpnProtocol === 'h2') {
      this.http2.emit('connection', socket);
    } else {
      this.http1.emit('connection', socket);
    }
  }

  private answer(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    this.note(request);
    if (request.url === '/readyz') {
      response.writeHead(this.readyz);
      response.end();
    } else if (request.url!.includes('watch=1')) {
      this.watches.add(response);
      response.on('close', () => this.watches.delete(response));
      (response as ServerResponse).write('ADDED\n');
    } else {
      (response as ServerResponse).end(`${request.method} ${request.url}`);
    }
  }

  private note(request: IncomingMessage | Http2ServerRequest): void {
    this.byPort.get(request.socket.remotePort!)!.requests.push(`${request.method} ${request.url}`);
  }
}
