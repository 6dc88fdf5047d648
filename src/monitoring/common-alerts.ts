import { Alert } from './alert';
import { series } from './scope';
import { Metric, METRICS } from '../agent/contract/metrics';

/** An alert while a gauge is above zero, of the series with these labels where some are given. */
export function aboveZero(name: string, metric: Metric, pending: string, summary: string, ...matchers: string[]): Alert {
  return { name, severity: 'warning', expr: scope => `${series(scope, metric, ...matchers)} > 0`, for: pending, summary };
}

/**
 * A part of a pod that is not well.
 *
 * @param pod the pod, as a sentence begins with it
 */
export function notReady(name: string, pod: string): Alert {
  return {
    name,
    severity: 'warning',
    // A pod that leaves keeps its connections for as long as its grace period, and is not ready for them all.
    expr: scope => `${series(scope, METRICS.ready)} == 0 unless on (instance) ${series(scope, METRICS.ready, 'part="shutdown"')}`,
    for: '5m',
    summary: `${pod} is not ready: {{ $labels.part }}.`,
  };
}
