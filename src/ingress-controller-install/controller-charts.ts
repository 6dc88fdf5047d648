import { ControllerChart } from './controller-chart';
import { F5_NGINX_CHART } from './f5-nginx-chart';
import { HAPROXY_CHART } from './haproxy-chart';
import { HAPROXY_INGRESS_CHART } from './haproxy-ingress-chart';
import { INGRESS_NGINX_CHART } from './ingress-nginx-chart';
import { TRAEFIK_CHART } from './traefik-chart';
import { IngressController } from '../controllers/ingress-controller';
import { invalidInput } from '../validation/invalid-input';

const CHARTS = new Map<string, ControllerChart>([
  ['traefik', TRAEFIK_CHART],
  ['haproxy', HAPROXY_CHART],
  ['haproxy-ingress', HAPROXY_INGRESS_CHART],
  ['ingress-nginx', INGRESS_NGINX_CHART],
  ['f5-nginx', F5_NGINX_CHART],
]);

/** How controllers that have no chart here are installed: why not by one, and what to do instead. */
const INSTALLED_OTHERWISE = new Map<string, [string, string]>([
  ['gateway-api', [
    'leads to a Gateway, and any of many implementations serves it',
    'Install the implementation of your GatewayClass by its own instructions; PassthroughGateway makes the Gateway',
  ]],
  ['istio', ['is a part of the mesh', 'Install Istio with istioctl or its own charts, with an ingress gateway']],
  ['openshift', ['is the router that OpenShift brings along', 'Leave the installation out']],
  ['cilium', ['is a part of the CNI', 'Put helmValues() of the controller into the values of Cilium itself']],
  ['contour', ['is installed by its operator or its own manifests', 'Install Contour by its own instructions; it needs no setting for passthrough']],
  ['shared-gateway', ['is a workload that SharedIngressGateway emits itself', 'Leave the installation out']],
]);

/** The chart that installs a controller; throws for those that are installed otherwise. */
export function chartOf({ type }: IngressController): ControllerChart {
  const chart = CHARTS.get(type);
  if (!chart) {
    const [reason, remedy] = INSTALLED_OTHERWISE.get(type)
      ?? ['is not known here', `Install it by its own instructions, with helmValues() of the controller, or use ${[...CHARTS.keys()].join(', ')}`];
    throw invalidInput('controller', type, reason, remedy);
  }
  return chart;
}
