import { Alert } from './alert';
import { aboveZero } from './common-alerts';
import { haproxyAlerts } from './haproxy-alerts';
import { DATA_FRONTENDS, HAPROXY_METRICS } from './haproxy-metrics';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** Part of the connections: one tenant of many that is switched off wakes nobody. */
const FAILING_PART = 0.05;

/** Of a shared gateway. */
export const GATEWAY_ALERTS: readonly Alert[] = [
  ...haproxyAlerts('SharedGateway', 'gateway'),
  aboveZero('SharedGatewayRoutesRefused', METRICS.gatewayRefusedLines, '5m',
    'The gateway {{ $labels.pod }} does not use {{ $value }} lines of its routes: these tenants are not reached, or as they were before.'),
  aboveZero('SharedGatewayConfigurationRefused', METRICS.gatewayConfigurationRefused, '5m',
    'The gateway {{ $labels.pod }} does not use its mounted configuration: it goes on with the one before.'),
  aboveZero('SharedGatewayRoutesNotFollowed', METRICS.gatewayUnfollowed, '15m',
    'The gateway {{ $labels.pod }} does not follow {{ $value }} ConfigMaps with routes by the API: changes take minutes.'),
  aboveZero('SharedGatewayServicesUnresolved', METRICS.gatewayServicesUnresolved, '15m',
    'The gateway {{ $labels.pod }} knows no address of {{ $value }} Services: these tenants are not reached.'),
  aboveZero('SharedGatewayDnsFailing', METRICS.gatewayServicesFailing, '5m',
    'DNS does not answer the gateway {{ $labels.pod }} for {{ $value }} Services: it goes on with the addresses of before.'),
  {
    name: 'SharedGatewayConnectionErrors',
    severity: 'warning',
    expr: scope => {
      const [failed, all] = [series(scope, HAPROXY_METRICS.connectionErrors), series(scope, HAPROXY_METRICS.connections, DATA_FRONTENDS)];
      const rate = (of: string) => `sum by (namespace, job, pod, instance) (rate(${of}[5m]))`;
      return `${rate(failed)} > ${FAILING_PART} * ${rate(all)}`;
    },
    for: '10m',
    summary: 'Behind the gateway {{ $labels.pod }} API servers do not take connections: {{ $value | humanize }} attempts a second fail.',
  },
];
