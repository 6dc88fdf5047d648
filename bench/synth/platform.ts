import { App, Chart } from 'cdk8s';
import { nameOf } from './measure';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TcpProxyCertificate } from '../../src';

const platform = ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} });
const controller = IngressController.haproxy();

/** One tenant as a user of the library writes it: a management chart and a tenant chart. */
export function addTenant(app: App, index: number): void {
  const name = nameOf(index);
  const controlPlane = new IngressExposedControlPlane(new Chart(app, `management-${name}`), name, {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain: 'example.com',
    konnectivity: {},
    platform,
    controller,
  });
  new TcpProxyAddon(new Chart(app, name), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') });
}
