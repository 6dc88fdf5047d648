// One tenant on Steward, behind Traefik.
import { App, Chart } from 'cdk8s';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon } from 'cdk8s-hosted-control-plane';

export const app = new App();

// Two charts, because the objects go to two clusters.
const management = new Chart(app, 'management');
const tenant = new Chart(app, 'tenant-01');

const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
  namespace: 'tenants',
  kubernetesVersion: '1.31.0',
  hostname: 'tenant-01.k8s.example.com',
  konnectivity: { hostname: 'tenant-01.konnectivity.example.com' },
  platform: ControlPlanePlatform.steward({ replicas: 2, coreDns: {}, kubeProxy: {} }),
  controller: IngressController.traefik({ entryPoint: 'websecure' }),
  network: { podCidrs: ['10.244.0.0/16'], serviceCidrs: ['10.96.0.0/16'] },
});

// Makes kubernetes.default.svc work in the tenant cluster. Steward's own tcp-proxy is left out: it does not verify
// the API server's certificate and needs its private key.
new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });

app.synth();
