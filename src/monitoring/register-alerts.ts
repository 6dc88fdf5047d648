import { Alert } from './alert';
import { aboveZero } from './common-alerts';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** Of `register`. */
export const REGISTER_ALERTS: readonly Alert[] = [
  {
    name: 'TenantRegistrationDown',
    severity: 'critical',
    expr: scope => `absent(${series(scope, METRICS.ready, 'part="registrations"')} == 1)`,
    for: '15m',
    summary: 'register does not look at its tenants: Argo CD or Flux lose them when their kubeconfigs change.',
  },
  aboveZero('TenantRegistrationTenantsFailed', METRICS.registerTenants, '15m',
    '{{ $value }} tenants cannot be registered with Argo CD or Flux.', 'outcome="failed"'),
];
