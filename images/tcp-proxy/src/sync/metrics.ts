import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Phase, PHASES } from './status';
import { METRICS, SYNC_REASONS } from '../../../../src/agent/contract/metrics';
import { described } from '../health/described';

export interface SyncMetricsOptions {
  readonly registry: Registry;
  /** Undefined while another process leads: its counts would be added to those of the leader. */
  readonly phases: () => readonly Phase[] | undefined;
  readonly queueDepth: () => number;
  readonly setAside: () => number;
  /** Of each tenant whose endpoints are kept, whether they are followed. */
  readonly keptEndpoints: () => readonly boolean[];
}

/** What `sync` tells about itself. */
export class SyncMetrics {
  readonly leader: Gauge;
  readonly applied: Histogram;
  readonly errors: Counter<'reason'>;
  readonly statusWrites: Counter;
  readonly endpointRepairs: Counter;

  constructor({ registry, phases, queueDepth, setAside, keptEndpoints }: SyncMetricsOptions) {
    this.leader = new Gauge(described(METRICS.syncLeader, registry));
    this.applied = new Histogram({
      ...described(METRICS.syncApplyDuration, registry),
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    });
    this.errors = new Counter(described(METRICS.syncErrors, registry));
    for (const reason of SYNC_REASONS) this.errors.inc({ reason }, 0);
    this.statusWrites = new Counter(described(METRICS.syncStatusWrites, registry));
    this.endpointRepairs = new Counter(described(METRICS.syncEndpointRepairs, registry));
    new Gauge({
      ...described(METRICS.syncKeptEndpoints, registry),
      collect() {
        const followed = keptEndpoints();
        for (const value of [true, false]) this.set({ followed: String(value) }, followed.filter((one) => one === value).length);
      },
    });
    new Gauge({
      ...described(METRICS.syncTenants, registry),
      collect() {
        const counted = phases();
        for (const phase of PHASES) this.set({ phase }, counted?.filter((one) => one === phase).length ?? 0);
      },
    });
    new Gauge({
      ...described(METRICS.syncQueueDepth, registry),
      collect() {
        this.set(queueDepth());
      },
    });
    new Gauge({
      ...described(METRICS.syncSetAside, registry),
      collect() {
        this.set(setAside());
      },
    });
  }
}
