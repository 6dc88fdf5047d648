import { METRICS } from '../../src/agent/contract/metrics';
import { HAPROXY_METRICS } from '../../src/monitoring/haproxy-metrics';
import { MEASURED_USES } from '../../src/monitoring/measured-use';

/** The name of every alert. */
export const ALL_ALERTS = Object.values(MEASURED_USES).flatMap(({ alerts }) => alerts.map(({ name }) => name));

/** The name of every metric that pages may speak of. */
export function expectedMetrics(): string[] {
  return [...Object.values(METRICS), ...Object.values(HAPROXY_METRICS)].map(({ name }) => name);
}
