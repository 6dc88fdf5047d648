// Two tenants on Steward without any pod of this library in them: each has a port of the shared gateway, and pods reach their API
// server there with client certificates and tokens.
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressExposedControlPlane, KubernetesServiceEndpoints, KubernetesServicePath, SharedIngressGateway, TenantCharts,
  TenantDelivery,
} from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');

const gateway = new SharedIngressGateway(management, 'shared-ingress', {
  namespace: 'shared-ingress',
  portRange: { first: 20000, last: 20999 },
});
const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });

for (const name of ['tenant-01', 'tenant-02']) {
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.steward({ coreDns: {}, kubeProxy: {} }),
    controller: gateway.asController(),
    // The port follows from the name: one of the gateway's range, the same whichever tenants there are.
    kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'] }),
  });
  new KubernetesServiceEndpoints(tenants.of(controlPlane), 'kubernetes', { controlPlane });
}

app.synth();
