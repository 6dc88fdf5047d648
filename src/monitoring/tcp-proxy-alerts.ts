import { Alert } from './alert';
import { haproxyAlerts } from './haproxy-alerts';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** Of a tcp-proxy in a tenant cluster. */
export const TCP_PROXY_ALERTS: readonly Alert[] = [
  ...haproxyAlerts('TcpProxy', 'tcp-proxy'),
  {
    name: 'TcpProxyEndpointsWrong',
    severity: 'critical',
    expr: scope => `${series(scope, METRICS.endpointsInSync)} == 0`,
    for: '5m',
    summary: 'default/kubernetes does not hold what the tcp-proxy {{ $labels.pod }} wants it to hold: pods may dial nodes without a proxy.',
  },
  {
    name: 'TcpProxyEndpointsContested',
    severity: 'warning',
    expr: scope => `sum by (namespace, job) (increase(${series(scope, METRICS.endpointsRepairs)}[15m])) > 5`,
    for: '5m',
    summary: 'Somebody else keeps writing the endpoints of default/kubernetes; they were repaired {{ $value | humanize }} times in 15 minutes.',
  },
];
