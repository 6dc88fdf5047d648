import { Alert } from './alert';
import { GATEWAY_DASHBOARD, REGISTER_DASHBOARD, SYNC_DASHBOARD, TCP_PROXY_DASHBOARD } from './dashboards';
import { GATEWAY_ALERTS } from './gateway-alerts';
import { Dashboard } from './panel';
import { REGISTER_ALERTS } from './register-alerts';
import { SYNC_ALERTS } from './sync-alerts';
import { TCP_PROXY_ALERTS } from './tcp-proxy-alerts';
import { MeasuredCommand } from '../agent/contract/metrics';

/** What there is to see of a command of the image. */
export interface MeasuredUse {
  readonly alerts: readonly Alert[];
  readonly dashboard: Dashboard;
}

export const MEASURED_USES: { readonly [command in MeasuredCommand]: MeasuredUse } = {
  serve: { alerts: TCP_PROXY_ALERTS, dashboard: TCP_PROXY_DASHBOARD },
  gateway: { alerts: GATEWAY_ALERTS, dashboard: GATEWAY_DASHBOARD },
  sync: { alerts: SYNC_ALERTS, dashboard: SYNC_DASHBOARD },
  register: { alerts: REGISTER_ALERTS, dashboard: REGISTER_DASHBOARD },
};
