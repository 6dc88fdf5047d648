import { createServer, Server, TLSSocket } from 'tls';
import { keep, Part } from '../../../data-path/support/parts';
import { CertificateAuthority } from '../../../support/certificates';

/** What a backend says of a connection. */
export interface Answer {
  /** Who answers. */
  readonly backend: string;
  /** The server name as it arrived. */
  readonly servername: string | false;
  readonly alpn: string | false;
  /** Common name of the client certificate. */
  readonly client: string;
}

export interface BackendOptions {
  readonly name: string;
  readonly address: string;
  readonly port: number;
  /** Hosts of its certificate. */
  readonly hosts: string[];
  /** Issues its certificate, and those of the clients that it lets in. */
  readonly ca: CertificateAuthority;
  /** @default - none: it takes no part in ALPN */
  readonly alpn?: string[];
}

/** A TLS server as API servers are: it wants a client certificate. It answers the first line with an Answer and gives every further one back. */
export class Backend implements Part {
  public static async start(options: BackendOptions): Promise<Backend> {
    const { name, address, port, hosts, ca, alpn } = options;
    const pair = await ca.issue({ commonName: name, sans: hosts, keyType: 'ecdsa' });
    const server = createServer({
      cert: pair.certificate, key: pair.key, ca: ca.certificate, requestCert: true, rejectUnauthorized: true, ALPNProtocols: alpn,
    });
    const backend = keep(new Backend(name, server));
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
    return backend;
  }

  private readonly sockets = new Set<{ destroy(): void }>();

  private constructor(private readonly name: string, private readonly server: Server) {
    server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    });
    server.on('tlsClientError', () => undefined);
    server.on('secureConnection', socket => this.serve(socket));
  }

  public stop(): Promise<void> {
    const closed = new Promise<void>(resolve => this.server.close(() => resolve()));
    this.sockets.forEach(socket => socket.destroy());
    return closed;
  }

  private serve(socket: TLSSocket): void {
    socket.on('error', () => undefined).setEncoding('utf8').once('data', () => {
      const { servername, alpnProtocol } = socket as TLSSocket & { readonly servername: string | false };
      const client = String(socket.getPeerCertificate().subject.CN);
      const answer: Answer = { backend: this.name, servername, alpn: alpnProtocol as string | false, client };
      socket.write(`${JSON.stringify(answer)}\n`);
      socket.on('data', text => socket.write(text));
    });
  }
}
