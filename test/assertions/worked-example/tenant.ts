import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TcpProxyCertificate } from '../../../src';

/** A tenant of our platform: what goes to the management cluster, and what goes to its own. */
export class Tenant {
  public readonly management: Chart;
  public readonly cluster: Chart;

  public constructor(app: App, name: string) {
    this.management = new Chart(app, `${name}-management`);
    this.cluster = new Chart(app, name);
    const controlPlane = new IngressExposedControlPlane(this.management, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji({ replicas: 2 }),
      controller: IngressController.haproxy(),
    });
    new TcpProxyAddon(this.cluster, 'tcp-proxy', {
      controlPlane,
      // Pinned: the default is the release that belongs to the version of the library.
      image: 'registry.example.com/tcp-proxy:1.4.2',
      // Our pipeline makes it; in a chart of TenantCharts it would be made by itself.
      certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
    });
  }
}
