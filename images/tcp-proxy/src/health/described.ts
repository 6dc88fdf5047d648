import type { Registry } from 'prom-client';
import type { Metric } from '../../../../src/agent/contract/metrics';

/** What prom-client makes a metric of. */
export function described<Label extends string>({ name, help, labels }: Metric<Label>, registry: Registry): {
  name: string; help: string; labelNames: Label[]; registers: Registry[];
} {
  return { name, help, labelNames: Object.keys(labels) as Label[], registers: [registry] };
}
