import { request } from 'http';
import { HEALTH_SOCKET_PATHS } from '../../../../src/agent/contract/haproxy-names';

const TIMEOUT_MS = 2_000;

export interface HaproxyHealth {
  /** The worker answered. */
  readonly alive: boolean;
  /** The verified health check of the upstream passed last time. */
  readonly upstream: boolean;
  readonly detail: string;
}

/** Reads HAProxy's own HTTP frontend: the state of its health checks and its metrics. Causes no connection upstream. */
export class HealthSocket {
  constructor(private readonly socketPath: string) {}

  public async health(): Promise<HaproxyHealth> {
    try {
      const { status, body } = await this.get(HEALTH_SOCKET_PATHS.ready);
      return { alive: true, upstream: status === 200, detail: body.trim() };
    } catch (error) {
      return { alive: false, upstream: false, detail: (error as Error).message };
    }
  }

  /** Metrics in the text format of Prometheus. */
  public async metrics(): Promise<string> {
    const { status, body } = await this.get(HEALTH_SOCKET_PATHS.metrics);
    if (status !== 200) throw new Error(`HAProxy answered ${status} to /metrics`);
    return body;
  }

  /** The counters of connections that were above a limit, and who was refused last, as the configuration writes them. */
  public async refused(): Promise<string> {
    return (await this.get(HEALTH_SOCKET_PATHS.refused)).body;
  }

  private get(path: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      const call = request({ socketPath: this.socketPath, path, agent: false, timeout: TIMEOUT_MS }, response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(chunks).toString() }));
        response.on('error', reject);
      });
      call.on('timeout', () => call.destroy(new Error(`no answer from ${this.socketPath} within ${TIMEOUT_MS} ms`)));
      call.on('error', reject);
      call.end();
    });
  }
}
