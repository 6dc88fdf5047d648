import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery } from '../../../src';

// Pinned: the default is the release that belongs to the version of the library.
const image = 'registry.example.com/tcp-proxy:1.4.2';

/** A tenant of our platform: what goes to the management cluster, and what goes to its own. */
export class Tenant {
  public readonly management: Chart;
  public readonly cluster: Chart;

  public constructor(app: App, name: string) {
    this.management = new Chart(app, 'management');
    const tenants = new TenantCharts(this.management, 'tenants', { delivery: TenantDelivery.sync({ image }) });
    const controlPlane = new IngressExposedControlPlane(this.management, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.35.6',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji({ replicas: 2 }),
      controller: IngressController.haproxy(),
    });
    this.cluster = tenants.of(controlPlane);
    new TcpProxyAddon(this.cluster, 'tcp-proxy', { controlPlane, image });
  }
}
