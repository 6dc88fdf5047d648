// A platform with 20 tenants: Kamaji and Steward, three ingress controllers, two kinds of tcp-proxy.
import { App, Chart, YamlOutputType } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TenantCharts,
  TenantDelivery,
} from 'cdk8s-hosted-control-plane';

export const app = new App({
  // The one output type whose time grows linearly with the number of charts.
  yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
});
const management = new Chart(app, 'management');
// Flux takes each tenant's folder from the repository that `dist` is committed to, and applies it with the tenant's kubeconfig.
const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.flux({ source: { name: 'platform', namespace: 'flux-system' } }) });

// Platforms and controllers have no state: one of each serves all tenants.
const kamaji = ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} });
const steward = ControlPlanePlatform.steward({ coreDns: {}, kubeProxy: {} });
const controllers = [IngressController.traefik(), IngressController.haproxy(), IngressController.contour()];

for (let i = 1; i <= 20; i++) {
  const name = `tenant-${String(i).padStart(2, '0')}`;
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    domain: 'example.com',
    konnectivity: {},
    platform: i % 2 === 0 ? kamaji : steward,
    controller: controllers[i % controllers.length],
  });

  const tenant = tenants.of(controlPlane);
  if (i <= 10) {
    new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });
  } else {
    // Large tenants: a proxy on every node, at an address that every node has for itself.
    new TcpProxyAddon(tenant, 'tcp-proxy', {
      controlPlane,
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }),
    });
  }
}

app.synth();
