// One tenant on Steward, behind Traefik.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TenantCharts } from 'cdk8s-hosted-control-plane';

export const app = new App();

const management = new Chart(app, 'management');
// The objects of tenants go to other clusters: each into a folder of its own.
const tenants = new TenantCharts(management, 'tenants');

const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
  namespace: 'tenants',
  kubernetesVersion: '1.35.6',
  hostname: 'tenant-01.k8s.example.com',
  konnectivity: { hostname: 'tenant-01.konnectivity.example.com' },
  platform: ControlPlanePlatform.steward({ replicas: 2, coreDns: {}, kubeProxy: {} }),
  controller: IngressController.traefik({ entryPoint: 'websecure' }),
  network: { podCidrs: ['10.244.0.0/16'], serviceCidrs: ['10.96.0.0/16'] },
});

// Makes kubernetes.default.svc work in the tenant cluster. Steward's own tcp-proxy is left out: it does not verify
// the API server's certificate and needs its private key. Its own is issued by a Deployment among the management objects.
new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });

app.synth();
