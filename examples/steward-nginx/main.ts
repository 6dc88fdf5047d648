// One tenant on Steward, behind ingress-nginx.
//
// ingress-nginx was retired in March 2026 and gets no fixes: this shows how to serve what still runs on it. Moving to
// another controller is a change of one line here.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts } from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');
const tenants = new TenantCharts(management, 'tenants');

const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
  namespace: 'tenants',
  kubernetesVersion: '1.35.6',
  domain: 'example.com',
  konnectivity: {},
  // Steward creates the Ingress of the API server itself; this library adds the one of konnectivity, which it forgets.
  platform: ControlPlanePlatform.steward({ coreDns: {}, kubeProxy: {} }),
  controller: IngressController.ingressNginx(),
});

new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });

app.synth();
