import { Alert } from './alert';
import { aboveZero, notReady } from './common-alerts';
import { series } from './scope';
import { METRICS } from '../agent/contract/metrics';

/** Of `sync`, whether it delivers or keeps certificates alone. Replicas that do not lead count no tenants. */
export const SYNC_ALERTS: readonly Alert[] = [
  {
    name: 'TenantSyncNoLeader',
    severity: 'critical',
    expr: scope => `absent(${series(scope, METRICS.syncLeader)} == 1)`,
    for: '5m',
    summary: 'No pod of sync leads: tenants get no changes, their certificates are not renewed, and endpoints that it keeps are not repaired.',
  },
  notReady('TenantSyncNotReady', 'The pod {{ $labels.pod }} of sync'),
  {
    name: 'TenantSyncRestarting',
    severity: 'warning',
    expr: scope => `changes(${series(scope, METRICS.startTime)}[15m]) > 2`,
    for: '1m',
    summary: 'The pod {{ $labels.pod }} of sync was restarted more than twice in 15 minutes.',
  },
  aboveZero('TenantSyncTenantsFailed', METRICS.syncTenants, '15m',
    '{{ $value }} tenants are not as their bundles say, and sync cannot make them so.', 'phase="Failed"'),
  {
    name: 'TenantSyncTenantsWaiting',
    severity: 'warning',
    expr: scope => `sum by (namespace, job, pod, instance) (${series(scope, METRICS.syncTenants, 'phase=~"Waiting|Applying|Pruning|Removing"')}) > 0`,
    for: '30m',
    summary: '{{ $value }} tenants wait for something for half an hour.',
  },
  aboveZero('TenantSyncTenantsSetAside', METRICS.syncSetAside, '1m',
    '{{ $value }} tenants are not visited for a while: sync ended while it visited them.'),
  aboveZero('TenantSyncEndpointsNotFollowed', METRICS.syncKeptEndpoints, '15m',
    '{{ $value }} tenants do not answer whose endpoints of default/kubernetes sync keeps: changes of these are not repaired.', 'followed="false"'),
];
