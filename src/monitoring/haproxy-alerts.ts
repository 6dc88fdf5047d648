import { Alert } from './alert';
import { notReady } from './common-alerts';
import { HAPROXY_METRICS } from './haproxy-metrics';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** Of its life, what is left when a certificate should long have been renewed: `sync` and cert-manager do so when a third is left. */
const CERTIFICATE_LEFT = 0.25;
/** Trusted sources may have the last quarter of all connections for themselves: others are refused from there on. */
const NEARLY_FULL = 0.7;

/**
 * What can happen to every use that runs HAProxy.
 *
 * @param prefix begins the names of the alerts
 * @param what   the use, as people call it
 */
export function haproxyAlerts(prefix: string, what: string): readonly Alert[] {
  return [
    {
      name: `${prefix}Down`,
      severity: 'critical',
      // One of each instance: all its parts are well.
      expr: scope => `absent(min by (instance) (${series(scope, METRICS.ready)}) == 1)`,
      for: '2m',
      summary: `No ${what} is ready: clients cannot reach the API server.`,
    },
    notReady(`${prefix}NotReady`, `The ${what} {{ $labels.pod }}`),
    {
      name: `${prefix}Restarting`,
      severity: 'warning',
      expr: scope => `increase(${series(scope, METRICS.haproxyRestarts)}[15m]) > 2 or changes(${series(scope, METRICS.startTime)}[15m]) > 2`,
      for: '1m',
      summary: `The ${what} {{ $labels.pod }} was restarted more than twice in 15 minutes, and its connections were cut.`,
    },
    {
      name: `${prefix}CertificateExpiring`,
      severity: 'warning',
      expr: scope => {
        const [since, until] = [series(scope, METRICS.certificateNotBefore), series(scope, METRICS.certificateNotAfter)];
        return `(${until} > 0) - time() < ${CERTIFICATE_LEFT} * (${until} - ${since})`;
      },
      for: '15m',
      summary: `Nobody renews the certificate of the ${what} {{ $labels.pod }}: it expires in {{ $value | humanizeDuration }}.`,
    },
    {
      name: `${prefix}CertificateRefused`,
      severity: 'warning',
      expr: scope => `${series(scope, METRICS.certificateRefused)} == 1`,
      for: '5m',
      summary: `The ${what} {{ $labels.pod }} does not use the mounted files ({{ $labels.kind }}): it goes on with those before.`,
    },
    {
      name: `${prefix}ConnectionsRefused`,
      severity: 'warning',
      expr: scope => `rate(${series(scope, METRICS.refusedConnections)}[5m]) > 0`,
      for: '5m',
      summary: `The ${what} {{ $labels.pod }} refuses connections above the limit of the {{ $labels.limit }}.`,
    },
    {
      name: `${prefix}NearlyFull`,
      severity: 'warning',
      expr: scope => `${series(scope, HAPROXY_METRICS.processConnections)} / ${series(scope, HAPROXY_METRICS.processConnectionLimit)} > ${NEARLY_FULL}`,
      for: '10m',
      summary: `The ${what} {{ $labels.pod }} has {{ $value | humanizePercentage }} of the connections that it can have.`,
    },
  ];
}
