// Two tenants on k0smotron without Cluster API, behind HAProxy: one with k0smotron's own tcp-proxy on its workers,
// one with that of this library.
import { writeFileSync } from 'fs';
import { join } from 'path';
import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, K0smotronJoinToken, K0smotronStorage, K0smotronWorkerBootstrap, TcpProxyAddon,
  TcpProxyEndpoints, TcpProxyPlacement, TenantCharts,
} from 'cdk8s-hosted-control-plane';

export const app = new App();
const management = new Chart(app, 'management');
const tenants = new TenantCharts(management, 'tenants');

const [tenant01, tenant02] = ['tenant-01', 'tenant-02'].map(name => new IngressExposedControlPlane(management, name, {
  namespace: 'tenants',
  kubernetesVersion: '1.35.6',
  domain: 'example.com',
  konnectivity: {},
  platform: ControlPlanePlatform.k0smotron({
    storage: K0smotronStorage.etcd({ size: '2Gi', autoDeletePvcs: true }),
    k0sConfig: { telemetry: { enabled: false } },
  }),
  controller: IngressController.haproxy(),
}));

// Takes k0smotron's own tcp-proxy out of the tenant: this one verifies, rotates its certificate, and runs before
// nodes are ready.
new TcpProxyAddon(tenants.of(tenant02), 'tcp-proxy', {
  controlPlane: tenant02,
  namespace: 'default',
  placement: TcpProxyPlacement.everyNode(),
  endpoints: TcpProxyEndpoints.kubernetesService(),
});

// A token for the workers of each tenant: k0smotron writes it into a Secret.
const workers = [tenant01, tenant02].map(controlPlane => {
  const { secretName } = new K0smotronJoinToken(management, `${controlPlane.exposure.name}-token`, { controlPlane });
  return { controlPlane, worker: new K0smotronWorkerBootstrap({ controlPlane, k0sVersion: 'v1.35.6+k0s.0', joinTokenSecretName: secretName }) };
});

app.synth();

// User data for workers, without secrets; `renderScript` fills them in from the management cluster.
for (const { controlPlane, worker } of workers) {
  writeFileSync(join(app.outdir, `${controlPlane.exposure.name}.user-data`), worker.cloudInit);
  writeFileSync(join(app.outdir, `${controlPlane.exposure.name}.user-data.sh`), worker.renderScript);
}
