import { Counter, Gauge, Registry } from 'prom-client';

/** What the controller tells about itself. */
export class EndpointsMetrics {
  readonly writes: Counter<'kind' | 'verb'>;
  readonly repairs: Counter;
  readonly conflicts: Counter;
  readonly errors: Counter<'operation'>;
  readonly inSync: Gauge;
  readonly addresses: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.writes = new Counter({
      name: 'tcp_proxy_endpoints_writes_total',
      help: 'Objects of the Service default/kubernetes that this proxy wrote.',
      labelNames: ['kind', 'verb'],
      registers,
    });
    this.repairs = new Counter({
      name: 'tcp_proxy_endpoints_repairs_total',
      help: 'Times this proxy restored the endpoints of default/kubernetes after somebody else had changed or deleted them.',
      registers,
    });
    this.conflicts = new Counter({
      name: 'tcp_proxy_endpoints_conflicts_total',
      help: 'Writes that came to nothing because the object had changed in between.',
      registers,
    });
    this.errors = new Counter({
      name: 'tcp_proxy_endpoints_errors_total',
      help: 'Requests to the API server that failed for another reason than a conflict.',
      labelNames: ['operation'],
      registers,
    });
    this.inSync = new Gauge({
      name: 'tcp_proxy_endpoints_in_sync',
      help: '1 when default/kubernetes holds what this proxy wants it to hold.',
      registers,
    });
    this.addresses = new Gauge({
      name: 'tcp_proxy_endpoints_addresses',
      help: 'Addresses that this proxy wants default/kubernetes to hold.',
      registers,
    });
  }
}
