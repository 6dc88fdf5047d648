import { Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, Exposure, IngressController, IngressExposedControlPlane, KubernetesServiceHostInjection, ManagementCluster, TcpProxyAddon,
} from '../../src';
import { tenantClusterOf } from '../../src/control-plane/tenant-cluster';

function tenant(app = Testing.app(), cluster = 'management') {
  const management = new Chart(app, cluster);
  ManagementCluster.assign(management, cluster);
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.36.0',
    domain: `${cluster}.example.com`,
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.haproxy(),
  });
  const chart = new Chart(app, `${cluster}-tenant-01`);
  new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane });
  new KubernetesServiceHostInjection(chart, 'service-host', { controlPlane });
  return controlPlane.exposure;
}

describe('a tenant cluster', () => {
  test('is named by its control plane, and by the management cluster where that has a name', () => {
    expect(tenantClusterOf(tenant())).toBe('tenants/tenant-01');
    expect(tenantClusterOf(tenant(Testing.app(), 'eu'))).toBe('eu/tenants/tenant-01');
    expect(tenantClusterOf(new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'a.example.com' }))).toBe('tenants/tenant-01');
  });

  test('is another than that of the same name in another management cluster', () => {
    const app = Testing.app();
    ['eu', 'us'].forEach(cluster => tenant(app, cluster));
    expect(() => app.synth()).not.toThrow();
  });
});
