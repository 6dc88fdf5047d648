// Two tenants on Kamaji, behind one Gateway of the Gateway API.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressExposedControlPlane, PassthroughGateway, TcpProxyAddon, TenantCharts } from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');
const tenants = new TenantCharts(management, 'tenants');

// One wildcard for each kind of host serves every tenant, so the Gateway does not change when tenants come and go.
const gateway = new PassthroughGateway(management, 'control-planes', {
  namespace: 'gateways',
  gatewayClassName: 'cilium',
  listeners: [
    { name: 'k8s', hostname: '*.k8s.example.com' },
    { name: 'konnectivity', hostname: '*.konnectivity.example.com' },
  ],
  // Only namespaces of control planes may attach routes: a route takes any host of a wildcard that is still free.
  routeNamespaceLabels: { 'example.com/control-planes': 'true' },
});

for (const name of ['tenant-01', 'tenant-02']) {
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
    controller: gateway.asController(),
  });
  new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
}

app.synth();
