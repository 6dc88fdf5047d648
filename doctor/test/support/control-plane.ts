import { createServer as createHttpServer, IncomingMessage, ServerResponse } from 'http';
import { createServer as createHttp2Server, Http2ServerRequest, Http2ServerResponse } from 'http2';
import { TlsServer } from '../../../test/data-path/support/tls-server';
import { CertificatePair } from '../../../test/support/certificates';

const VERSION = { major: '1', minor: '31', gitVersion: 'v1.31.0' };

/** What an API server answers to anonymous clients. */
export class ApiServer {
  public static async start(pair: CertificatePair, protocols = ['h2', 'http/1.1'], port = 0): Promise<ApiServer> {
    const api = new ApiServer();
    const options = { cert: pair.certificate, key: pair.key, ...(protocols.length > 0 ? { ALPNProtocols: protocols } : {}) };
    api.server = await TlsServer.start(options, socket => {
      (socket.alpnProtocol === 'h2' ? api.http2 : api.http1).emit('connection', socket);
    }, port);
    return api;
  }

  /** With `--anonymous-auth=false` it is 401. */
  public status = 200;
  public readyz = { status: 200, body: 'ok' };
  public server!: TlsServer;
  private readonly http1 = createHttpServer((request, response) => this.answer(request, response));
  private readonly http2 = createHttp2Server((request, response) => {
    // As kube-apiserver does with anonymous clients (its feature UnauthenticatedHTTP2DOSMitigation).
    request.stream.session!.goaway();
    this.answer(request, response);
  }).on('sessionError', () => undefined);

  public get port(): number {
    return this.server.port;
  }

  private answer(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    if (this.status !== 200) {
      response.writeHead(this.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: this.status }));
    } else if (request.url === '/readyz') {
      response.writeHead(this.readyz.status, { 'content-type': 'text/plain' });
      response.end(this.readyz.body);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(VERSION));
    }
  }
}

/** What a gRPC server answers to requests that are not gRPC (grpc-go, `internal/transport/http2_server.go`). */
export async function startKonnectivityServer(pair: CertificatePair, protocols = ['h2']): Promise<TlsServer> {
  const grpc = createHttp2Server((_, response) => {
    response.writeHead(415, { 'content-type': 'application/grpc', 'grpc-status': '3' });
    response.end();
  }).on('sessionError', () => undefined);
  return TlsServer.start({ cert: pair.certificate, key: pair.key, ALPNProtocols: protocols }, socket => {
    if (socket.alpnProtocol === 'h2') grpc.emit('connection', socket);
  });
}
