import { once } from 'events';
import { createServer, Server, ServerResponse } from 'http';
import { isReady, Readiness } from './readiness';
import type { SocketAddress } from '../cli/values';

export interface HealthServerOptions {
  readonly address: SocketAddress;
  readonly readiness: () => Promise<Readiness>;
  /** Text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** Answers the kubelet (`/healthz`, `/readyz`) and Prometheus (`/metrics`). */
export class HealthServer {
  private readonly server: Server;

  constructor(private readonly options: HealthServerOptions) {
    this.server = createServer((request, response) => {
      this.answer(new URL(request.url ?? '/', 'http://health').pathname, response).catch((error: Error) => text(response, 500, error.message));
    });
  }

  /** @returns the port, which the system chooses when the address has port 0 */
  public async start(): Promise<number> {
    const { host, port } = this.options.address;
    try {
      await this.listen(host, port);
    } catch (error) {
      // A node without IPv6 cannot listen on [::], the default.
      if (host !== '::' || (error as NodeJS.ErrnoException).code !== 'EAFNOSUPPORT') throw error;
      await this.listen('0.0.0.0', port);
    }
    return (this.server.address() as { port: number }).port;
  }

  public stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async listen(host: string, port: number): Promise<void> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    switch (path) {
      case '/healthz':
        return text(response, 200, 'ok');
      case '/readyz': {
        const parts = await this.options.readiness();
        const ready = isReady(parts);
        response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' });
        response.end(`${JSON.stringify({ ready, parts }, undefined, 2)}\n`);
        return;
      }
      case '/metrics':
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
        response.end(await this.options.metrics());
        return;
      default:
        return text(response, 404, 'try /healthz, /readyz or /metrics');
    }
  }
}

function text(response: ServerResponse, status: number, body: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${body}\n`);
}
