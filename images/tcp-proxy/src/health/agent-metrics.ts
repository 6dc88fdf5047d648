import { Counter, Gauge, Registry } from 'prom-client';
import { measureProcess } from './process-metrics';

/** What the agent tells about itself; the endpoints and the certificates add their own. */
export class AgentMetrics {
  public readonly restarts: Counter;
  public readonly haproxyUp: Gauge;

  constructor(private readonly registry: Registry) {
    const registers = [registry];
    this.restarts = new Counter({
      name: 'tcp_proxy_haproxy_restarts_total',
      help: 'How often HAProxy died and was started again.',
      registers,
    });
    this.haproxyUp = new Gauge({ name: 'tcp_proxy_haproxy_up', help: '1 when HAProxy answered during this scrape.', registers });
    measureProcess(registry);
  }

  /** The agent's metrics followed by HAProxy's; the names of the two never meet. */
  public async render(haproxy: () => Promise<string>): Promise<string> {
    const exporter = await haproxy().catch(() => undefined);
    this.haproxyUp.set(exporter === undefined ? 0 : 1);
    return `${await this.registry.metrics()}\n${exporter ?? ''}`;
  }
}
