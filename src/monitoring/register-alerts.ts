import { Alert } from './alert';
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
  {
    name: 'TenantRegistrationTenantsFailed',
    severity: 'warning',
    expr: scope => `${series(scope, METRICS.registerTenants, 'outcome="failed"')} > 0`,
    for: '15m',
    summary: '{{ $value }} tenants cannot be registered with Argo CD or Flux.',
  },
];
