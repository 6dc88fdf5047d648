import { isFailure, openTls, ConnectionFailure, TlsConnection, TlsOptions } from './connection';
import { Target } from './target';

/** Opens TLS connections to the shared address, each on its own. */
export class Dialer {
  /** @param address of the shared address that answered */
  constructor(private readonly target: Target, private readonly address: string) {}

  /** To the API's port, unless another is given. */
  public async tls(options: Omit<TlsOptions, 'ca' | 'timeoutMs'> & { port?: number; address?: string }): Promise<TlsConnection | ConnectionFailure> {
    const { port = this.target.port, address = this.address, ...tls } = options;
    return openTls({ host: address, port }, { ...tls, ca: this.target.ca, timeoutMs: this.target.timeoutMs });
  }

  /** Opens a connection for what it shows and closes it. */
  public async look(options: Parameters<Dialer['tls']>[0]): Promise<TlsConnection | ConnectionFailure> {
    const connection = await this.tls(options);
    if (!isFailure(connection)) connection.socket.destroy();
    return connection;
  }
}
