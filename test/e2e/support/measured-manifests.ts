import { mkdtempSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import { EXPOSURE } from './cluster';
import {
  ControlPlanePlatform, GrafanaDashboard, IngressController, IngressExposedControlPlane, Monitoring, SharedIngressGateway, TcpProxyAddon,
  TenantCharts, TenantDelivery,
} from '../../../src';

/** What the library makes of all that is measured, in one list. */
export function measuredManifests(edgeNamespace: string, dashboard = GrafanaDashboard.configMap()): any[] {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'out-')) });
  const monitoring = Monitoring.prometheusOperator({ scrapeIntervalSeconds: 15, dashboard });
  const edge = new Chart(app, 'edge');
  new SharedIngressGateway(edge, 'edge', { namespace: edgeNamespace, monitoring });
  const delivering = (delivery: TenantDelivery) => {
    const chart = new Chart(new App({ outdir: mkdtempSync(join(tmpdir(), 'out-')) }), 'management');
    new TenantCharts(chart, 'tenants', { delivery }).of(new IngressExposedControlPlane(chart, EXPOSURE.name, {
      namespace: EXPOSURE.namespace,
      kubernetesVersion: '1.32.13',
      hostname: EXPOSURE.api.host,
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy(),
    }));
    return chart;
  };
  const tenant = new Chart(app, 'tenant');
  for (const name of ['tcp-proxy', 'tcp-proxy-b']) {
    new TcpProxyAddon(tenant, name, { exposure: EXPOSURE, name, monitoring });
  }
  const registration = TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/tenants.git', registration: { monitoring } });
  return [edge, delivering(TenantDelivery.sync({ monitoring })), delivering(registration), tenant].flatMap(chart => chart.toJson());
}
