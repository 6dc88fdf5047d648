import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Reason } from './errors';
import { Phase, PHASES } from './status';

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
    const registers = [registry];
    this.leader = new Gauge({ name: 'tcp_proxy_sync_leader', help: '1 when this process leads.', registers });
    this.applied = new Histogram({
      name: 'tcp_proxy_sync_apply_duration_seconds',
      help: 'Time to bring a tenant to what its bundle says, for those where that succeeded.',
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers,
    });
    this.errors = new Counter({
      name: 'tcp_proxy_sync_errors_total',
      help: 'Attempts that failed, by the place of the trouble.',
      labelNames: ['reason'],
      registers,
    });
    for (const reason of REASONS) this.errors.inc({ reason }, 0);
    this.statusWrites = new Counter({ name: 'tcp_proxy_sync_status_writes_total', help: 'Statuses that were written because they differed.', registers });
    this.endpointRepairs = new Counter({
      name: 'tcp_proxy_sync_endpoint_repairs_total',
      help: 'Times that endpoints of default/kubernetes which sync keeps were not as they should be, and were written again.',
      registers,
    });
    new Gauge({
      name: 'tcp_proxy_sync_kept_endpoints',
      help: 'Tenants whose endpoints of default/kubernetes are kept: followed, where a change is repaired at once, and not.',
      labelNames: ['followed'],
      registers,
      collect() {
        const followed = keptEndpoints();
        for (const value of [true, false]) this.set({ followed: String(value) }, followed.filter((one) => one === value).length);
      },
    });
    new Gauge({
      name: 'tcp_proxy_sync_tenants',
      help: 'Tenants by their phase.',
      labelNames: ['phase'],
      registers,
      collect() {
        const counted = phases();
        for (const phase of PHASES) this.set({ phase }, counted?.filter((one) => one === phase).length ?? 0);
      },
    });
    new Gauge({
      name: 'tcp_proxy_sync_queue_depth',
      help: 'Tenants that wait for their turn.',
      registers,
      collect() {
        this.set(queueDepth());
      },
    });
    new Gauge({
      name: 'tcp_proxy_sync_tenants_set_aside',
      help: 'Tenants that are not visited for a while, since this program ended while it visited them.',
      registers,
      collect() {
        this.set(setAside());
      },
    });
  }
}

const REASONS: readonly Reason[] = ['bundle', 'kubeconfig', 'certificate', 'unreachable', 'refused', 'objects', 'prune', 'crash', 'management'];
