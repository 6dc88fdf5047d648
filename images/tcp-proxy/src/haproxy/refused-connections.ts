import type { Logger } from 'pino';
import { Counter, Registry } from 'prom-client';
import type { HealthSocket } from './health-socket';
import { CONNECTION_LIMITS, ConnectionLimit, parseRefusedLine } from '../../../../src/agent/contract/haproxy-names';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { described } from '../health/described';

const POLL_MS = 5_000;
/** A flood of connections must not become one of lines. */
const LOG_INTERVAL_MS = 60_000;

type Counts = Record<ConnectionLimit, number>;

export interface RefusedConnectionsOptions {
  readonly health: HealthSocket;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Tells which limits refused connections: each of them in the metrics, and their sums in the log, at most once a minute. */
export class RefusedConnections {
  private seen: Readonly<Counts> = { total: 0, source: 0, tenant: 0 };
  private readonly unsaid: Counts = { total: 0, source: 0, tenant: 0 };
  private logged = -Infinity;
  private timer?: NodeJS.Timeout;
  private readonly counter: Counter<'limit'>;

  constructor(private readonly options: RefusedConnectionsOptions) {
    const update = () => this.update();
    this.counter = new Counter({
      ...described(METRICS.refusedConnections, options.registry),
      collect: () => update().then(() => undefined),
    });
    for (const limit of CONNECTION_LIMITS) this.counter.inc({ limit }, 0);
  }

  /** Follows HAProxy until `stop`. */
  public start(): void {
    this.timer = setInterval(() => void this.tell(), POLL_MS).unref();
  }

  public stop(): void {
    clearInterval(this.timer);
  }

  private async tell(): Promise<void> {
    const last = await this.update();
    if (!last || performance.now() - this.logged < LOG_INTERVAL_MS || CONNECTION_LIMITS.every(limit => this.unsaid[limit] === 0)) return;
    const { total, source, tenant } = this.unsaid;
    this.options.logger.warn({
      ...total > 0 && { total },
      ...source > 0 && { source, lastSource: last.source },
      ...tenant > 0 && { tenant, lastTenant: last.tenant },
    }, 'connections refused, by the limit that they were above');
    this.logged = performance.now();
    for (const limit of CONNECTION_LIMITS) this.unsaid[limit] = 0;
  }

  /** @returns who was refused last, or undefined when HAProxy does not answer */
  private async update(): Promise<{ source: string; tenant: string } | undefined> {
    const answer = await this.options.health.refused().catch(() => '');
    const refused = parseRefusedLine(answer);
    if (!refused) return undefined;
    const now = refused.count;
    for (const limit of CONNECTION_LIMITS) {
      // A worker that was started meanwhile counts from zero.
      const more = now[limit] < this.seen[limit] ? now[limit] : now[limit] - this.seen[limit];
      this.counter.inc({ limit }, more);
      this.unsaid[limit] += more;
    }
    this.seen = now;
    return { source: refused.lastSource, tenant: refused.lastTenant };
  }
}
