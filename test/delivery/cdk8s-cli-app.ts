/* An app with a tenant for each delivery, which cdk8s-cli runs in a process of its own. */
import { ApiObject, App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, TcpProxyAddon, TcpProxyCertificate, TenantCharts,
  TenantDelivery,
} from '../../src';

const DELIVERIES: { [tenant: string]: TenantDelivery } = {
  manifests: TenantDelivery.manifests(),
  flux: TenantDelivery.flux({ source: { name: 'platform' }, path: 'dist' }),
  argo: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git', path: 'dist' }),
  sync: TenantDelivery.sync(),
  set: TenantDelivery.clusterResourceSet(),
};
const { TENANTS = Object.keys(DELIVERIES).join(), OUTPUT_FOLDER: outputFolder, GREETING = 'hello', REPORT } = process.env;

const app = new App();
const management = new Chart(app, 'management');
for (const name of TENANTS.split(',')) {
  const tenants = new TenantCharts(management, name, { delivery: DELIVERIES[name], outputFolder });
  const controlPlane = new IngressExposedControlPlane(management, `${name}-control-plane`, {
    name,
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: ControlPlanePlatform.kamajiControlPlane(),
    controller: IngressController.haproxy(),
  });
  const object = (id: string) => new ApiObject(tenants.of(controlPlane), id, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: id, namespace: 'default' }, data: { GREETING } });
  object('in-each-tenant');
  new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') });
  object(`of-${name}`);
}
new ExposureReport(app, 'report', { folder: REPORT });
app.synth();
