import { join } from 'path';
import { App, Chart, YamlOutputType } from 'cdk8s';
import { addConfigMap } from './harness';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon, TcpProxyCertificate, TenantCharts, TenantDelivery } from '../../src';

/*
 * Run as a process of its own: synthesizes the same tenants by every delivery, in the order or in the opposite one.
 *
 * synth-shuffled.ts forwards|backwards OUTDIR
 */
const [direction, outdir] = process.argv.slice(2);

const deliveries: { [name: string]: TenantDelivery } = {
  manifests: TenantDelivery.manifests(),
  sync: TenantDelivery.sync(),
  flux: TenantDelivery.flux({ source: { name: 'platform' } }),
  argoCd: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' }),
  clusterResourceSet: TenantDelivery.clusterResourceSet(),
};

for (const [name, delivery] of Object.entries(deliveries)) {
  const app = new App({ outdir: join(outdir, name), yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
  const management = new Chart(app, 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery });
  for (const i of ordered([1, 2, 3, 4, 5])) {
    const controlPlane = new IngressExposedControlPlane(management, `tenant-${i}`, {
      namespace: i % 2 === 0 ? 'even' : 'odd',
      kubernetesVersion: '1.31.0',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamajiControlPlane(),
      controller: IngressController.haproxy({ ingressClassName: 'haproxy' }),
    });
    const chart = tenants.of(controlPlane);
    new TcpProxyAddon(chart, 'tcp-proxy', {
      controlPlane,
      certificate: name === 'sync' ? undefined : TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
      podAnnotations: Object.fromEntries(ordered([['a', '1'], ['b', '2'], ['c', '3']])),
    });
    addConfigMap(chart, 'large', Object.fromEntries(ordered(['a', 'b', 'c'].map(key => [key, key.repeat(70_000)]))));
  }
  app.synth();
}

function ordered<T>(items: T[]): T[] {
  return direction === 'forwards' ? items : [...items].reverse();
}
