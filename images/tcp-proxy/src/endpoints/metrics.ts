import { Counter, Gauge, Registry } from 'prom-client';
import { METRICS } from '../../../../src/agent/contract/metrics';
import { described } from '../health/described';

/** What the controller tells about itself. */
export class EndpointsMetrics {
  readonly writes: Counter<'kind' | 'verb'>;
  readonly repairs: Counter;
  readonly conflicts: Counter;
  readonly errors: Counter<'operation'>;
  readonly inSync: Gauge;
  readonly addresses: Gauge;

  constructor(registry: Registry) {
    this.writes = new Counter(described(METRICS.endpointsWrites, registry));
    this.repairs = new Counter(described(METRICS.endpointsRepairs, registry));
    this.conflicts = new Counter(described(METRICS.endpointsConflicts, registry));
    this.errors = new Counter(described(METRICS.endpointsErrors, registry));
    this.inSync = new Gauge(described(METRICS.endpointsInSync, registry));
    this.addresses = new Gauge(described(METRICS.endpointsAddresses, registry));
  }
}
