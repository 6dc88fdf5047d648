export type { DashboardConfigMapProps, DashboardOfOperatorProps } from './grafana-dashboard';
export { GrafanaDashboard } from './grafana-dashboard';
export { Monitoring } from './monitoring';
export type { PrometheusOperatorProps } from './prometheus-operator-props';
