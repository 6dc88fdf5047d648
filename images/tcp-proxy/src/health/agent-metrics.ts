import { Counter, Gauge, Registry } from 'prom-client';
import { described } from './described';
import { measureProcess } from './process-metrics';
import { METRICS } from '../../../../src/agent/contract/metrics';

/** What the agent tells about itself; the endpoints and the certificates add their own. */
export class AgentMetrics {
  public readonly restarts: Counter;
  public readonly haproxyUp: Gauge;

  constructor(private readonly registry: Registry) {
    this.restarts = new Counter(described(METRICS.haproxyRestarts, registry));
    this.haproxyUp = new Gauge(described(METRICS.haproxyUp, registry));
    measureProcess(registry);
  }

  /** The agent's metrics followed by HAProxy's; the names of the two never meet. */
  public async render(haproxy: () => Promise<string>): Promise<string> {
    const exporter = await haproxy().catch(() => undefined);
    this.haproxyUp.set(exporter === undefined ? 0 : 1);
    return `${await this.registry.metrics()}\n${exporter ?? ''}`;
  }
}
