import { once } from 'events';
import { createServer, Server, ServerResponse } from 'http';
import { AddressInfo } from 'net';
import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import { ConnectionGuard } from './connection-guard';
import { described } from './described';
import { isReady, Readiness } from './readiness';
import { shared } from './shared';
import type { SocketAddress } from '../../../../cli/values';
import { METRICS } from '../../../../src/agent/contract/metrics';

/** More than the request line and headers of a kubelet or of Prometheus. */
const LARGEST_HEADER_BYTES = 8_192;
/** Connections that the kernel keeps for us. */
const BACKLOG = 128;

export interface HealthServerOptions {
  /** Where to listen; at least one. */
  readonly addresses: readonly SocketAddress[];
  readonly readiness: () => Promise<Readiness>;
  /** Text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly logger: Logger;
  readonly registry: Registry;
}

/**
 * Answers the kubelet (`/healthz`, `/readyz`) and Prometheus (`/metrics`), one request for each connection.
 * Whoever asks at the same time gets the same answer: it is made, and held in memory, once.
 */
export class HealthServer {
  private readonly servers: Server[] = [];
  private readonly guard: ConnectionGuard;
  private readonly readiness: () => Promise<{ status: number; body: Buffer }>;
  private readonly metrics: () => Promise<Buffer>;
  private failure?: string;

  constructor(private readonly options: HealthServerOptions) {
    const { metrics, logger, registry } = options;
    const readiness = shared(options.readiness);
    this.guard = new ConnectionGuard(logger, registry);
    new Gauge({
      ...described(METRICS.ready, registry),
      async collect() {
        const parts = await readiness().catch((): Readiness => ({}));
        // Parts come and go.
        this.reset();
        for (const [part, { ok }] of Object.entries(parts)) this.set({ part }, ok ? 1 : 0);
      },
    });
    this.metrics = shared(async () => Buffer.from(await metrics()));
    this.readiness = shared(async () => {
      const parts = await readiness();
      const ready = isReady(parts);
      return { status: ready ? 200 : 503, body: Buffer.from(`${JSON.stringify({ ready, parts }, undefined, 2)}\n`) };
    });
  }

  /** @returns the port of the first address, which the system chooses when that has port 0 */
  public async start(): Promise<number> {
    for (const { host, port } of this.options.addresses) {
      try {
        await this.listen(host, port);
      } catch (error) {
        // A node without IPv6 cannot listen on [::], the default.
        if (host !== '::' || !['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes((error as NodeJS.ErrnoException).code!)) throw error;
        await this.listen('0.0.0.0', port);
      }
    }
    this.guard.start();
    return (this.servers[0].address() as AddressInfo).port;
  }

  public stop(): void {
    this.guard.stop();
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  private async listen(host: string, port: number): Promise<void> {
    const server = createServer({ maxHeaderSize: LARGEST_HEADER_BYTES }, (request, response) => {
      this.guard.asked(request.socket);
      this.answer(request.url!.split('?', 1)[0], response).catch((error: Error) => text(response, 500, error.message));
    });
    server.prependListener('connection', socket => this.guard.connected(socket));
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
    // Such as no descriptor for a new connection; those that are there go on.
    server.on('error', error => this.failed(error));
    this.servers.push(server);
  }

  private async answer(path: string, response: ServerResponse): Promise<void> {
    response.setHeader('connection', 'close');
    switch (path) {
      case '/healthz':
        return text(response, 200, 'ok');
      case '/readyz': {
        const { status, body } = await this.readiness();
        response.writeHead(status, { 'content-type': 'application/json' }).end(body);
        return;
      }
      case '/metrics': {
        const body = await this.metrics();
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body);
        return;
      }
      default:
        return text(response, 404, 'try /healthz, /readyz or /metrics');
    }
  }

  private failed({ message }: Error): void {
    if (this.failure === message) return;
    this.failure = message;
    this.options.logger.error({ reason: message }, 'the health port does not take connections');
  }
}

function text(response: ServerResponse, status: number, body: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${body}\n`);
}
