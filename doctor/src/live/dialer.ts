import { isFailure, openTls, ConnectionFailure, TlsConnection, TlsOptions } from './connection';
import { HostPort, hostPort, Target } from './target';

/** Opens TLS connections to the shared address, each on its own. */
export class Dialer {
  private readonly answered = new Set<string>();

  /** @param address of the shared address that answered */
  constructor(private readonly target: Target, private readonly address: string) {}

  /** To the API's port, unless another is given. */
  public async tls(options: Omit<TlsOptions, 'ca' | 'timeoutMs'> & { port?: number; address?: string }): Promise<TlsConnection | ConnectionFailure> {
    const { port, address, ...tls } = options;
    const to = this.addressOf({ port, address });
    const connection = await openTls(to, { ...tls, ca: this.target.ca, timeoutMs: this.target.timeoutMs });
    if (!isFailure(connection)) this.answered.add(hostPort(to));
    return connection;
  }

  /** Opens a connection for what it shows and closes it. */
  public async look(options: Parameters<Dialer['tls']>[0]): Promise<TlsConnection | ConnectionFailure> {
    const connection = await this.tls(options);
    if (!isFailure(connection)) connection.socket.destroy();
    return connection;
  }

  /** Whether somebody was answered by TLS at the API's address and port. */
  public get hasAnswered(): boolean {
    return this.answered.has(hostPort(this.addressOf({})));
  }

  private addressOf({ port = this.target.port, address = this.address }: { port?: number; address?: string }): HostPort {
    return { host: address, port };
  }
}
