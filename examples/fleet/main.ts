// Two management clusters behind one address: each has an app of its own, which tells the app of the edge who its tenants are. A host
// under eu.example.com is of the cluster eu, whatever the file of another says.
import { join, resolve } from 'path';
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, FleetExport, FleetRoutes, IngressExposedControlPlane, SharedIngressGateway, TcpProxyAddon, TcpProxyUpstream, TenantCharts,
  TenantDelivery,
} from 'cdk8s-hosted-control-plane';

const output = process.env.CDK8S_OUTDIR ?? 'dist';
const files = resolve(output, 'fleet');

/** What the apps have to agree on: how the edge reaches each cluster, and what it may have. */
const CLUSTERS = [
  { name: 'eu', address: '192.0.2.10', tenants: [{ name: 'tenant-01', clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a01', allowedCidrs: ['203.0.113.0/24'] }] },
  { name: 'us', address: 'gateway.us.example.net', tenants: [{ name: 'tenant-02', clusterId: '0f6c1fd0-6f0b-4f0e-9d25-6f2f0d8a3a02' }] },
];
/** From where the pods of the edge connect. */
const EDGE_NETWORKS = ['198.51.100.0/28'];

/** The app of a management cluster. */
function cluster({ name, address, tenants }: typeof CLUSTERS[number]): App {
  const app = new App({ outdir: join(output, name) });
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'shared-ingress', { namespace: 'shared-ingress', edge: { trustedCidrs: EDGE_NETWORKS } });
  new FleetExport(management, 'fleet', { gateway, cluster: name, address, folder: files });
  const charts = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  for (const tenant of tenants) {
    const controlPlane = new IngressExposedControlPlane(management, tenant.name, {
      ...tenant,
      namespace: 'tenants',
      kubernetesVersion: '1.35.6',
      domain: `${name}.example.com`,
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
      // The sources that it admits are those of its clients, at the edge.
      controller: gateway.asController(),
    });
    new TcpProxyAddon(charts.of(controlPlane), 'tcp-proxy', { controlPlane, upstream: TcpProxyUpstream.sharedGateway(gateway) });
  }
  app.synth();
  return app;
}

/** The app of the edge, which has no tenant of its own. */
function edge(): App {
  const app = new App({ outdir: join(output, 'edge') });
  new SharedIngressGateway(new Chart(app, 'edge'), 'edge', {
    namespace: 'shared-ingress',
    clusters: CLUSTERS.map(({ name, address }) => ({
      name, address, domains: [`${name}.example.com`], routes: FleetRoutes.fromFile(join(files, `${name}.json`)),
    })),
  });
  app.synth();
  return app;
}

const [eu, us] = CLUSTERS.map(cluster);
export const apps: { [environment: string]: App } = { edge: edge(), eu, us };
