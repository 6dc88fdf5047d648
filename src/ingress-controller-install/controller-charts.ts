import { ControllerChart } from './controller-chart';
import { F5_NGINX_CHART } from './f5-nginx-chart';
import { HAPROXY_CHART } from './haproxy-chart';
import { HAPROXY_INGRESS_CHART } from './haproxy-ingress-chart';
import { INGRESS_NGINX_CHART } from './ingress-nginx-chart';
import { TRAEFIK_CHART } from './traefik-chart';
import { IngressController } from '../controllers/ingress-controller';
import { invalidInput } from '../validation/invalid-input';

const CHARTS = [TRAEFIK_CHART, HAPROXY_CHART, HAPROXY_INGRESS_CHART, INGRESS_NGINX_CHART, F5_NGINX_CHART];

/** The chart that installs a controller; throws for those that are installed otherwise. */
export function chartOf({ _helmChart, _installation, displayName }: IngressController): ControllerChart {
  const chart = CHARTS.find(({ name }) => name === _helmChart);
  if (!chart) {
    const { reason, remedy } = _installation ?? {
      reason: 'is not known here',
      remedy: 'Install it by its own instructions, with helmValues() of the controller, or use traefik, haproxy, haproxy-ingress, ingress-nginx, f5-nginx',
    };
    throw invalidInput('controller', displayName, reason, remedy);
  }
  return chart;
}
