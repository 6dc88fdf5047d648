// One tenant on Kamaji, behind the ingress controller of HAProxy Technologies.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts } from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');
const tenants = new TenantCharts(management, 'tenants');

const controlPlane = new IngressExposedControlPlane(management, 'tenant-00', {
  namespace: 'team-a',
  kubernetesVersion: '1.35.6',
  // Hosts follow Kamaji's pattern: team-a-tenant-00.k8s.clastix.cloud and team-a-tenant-00.konnectivity.clastix.cloud.
  domain: 'clastix.cloud',
  konnectivity: {},
  platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
  controller: IngressController.haproxy({ ingressClassName: 'haproxy' }),
  network: { dnsServiceIps: ['10.96.0.10'] },
});

new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });

app.synth();
