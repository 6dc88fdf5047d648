// Two tenants on Kamaji whose objects `sync` of the tcp-proxy image takes to their clusters: after
// `kubectl apply -f dist` to the management cluster nothing else is to be done.
import { ApiObject, App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts, TenantDelivery,
} from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');
const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });

const platform = ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} });
const controller = IngressController.haproxy({ ingressClassName: 'haproxy' });

for (const name of ['tenant-01', 'tenant-02']) {
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    domain: 'clastix.cloud',
    konnectivity: {},
    platform,
    controller,
    // The pods of sync reach the control planes at their Services, as the ingress controller does.
    networkPolicy: { namespaces: ['haproxy', 'kamaji-system', 'tenant-sync'] },
  });
  const tenant = tenants.of(controlPlane);
  new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });
  // Whatever else the tenant cluster should have.
  new ApiObject(tenant, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
}

app.synth();
