import { readFileSync } from 'fs';
import { join } from 'path';
import { Chart, Testing } from 'cdk8s';
import { stable } from './worked-example/stable';
import { Tenant } from './worked-example/tenant';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, TcpProxyAddon } from '../../src';
import { DEFAULT_TCP_PROXY_IMAGE } from '../../src/agent/image';

const guide = readFileSync(join(__dirname, '..', '..', 'docs', 'testing.md'), 'utf8');

describe('the worked example of docs/testing.md', () => {
  // The folder's tests compile and run it.
  test.each(['tenant.ts', 'tenant.test.ts', 'stable.ts'])('is %s of this folder', file => {
    const source = readFileSync(join(__dirname, 'worked-example', file), 'utf8').replace("'../../../src'", "'cdk8s-hosted-control-plane'");

    expect(guide).toContain(`\`\`\`typescript\n${source}\`\`\``);
  });
});

describe('a snapshot of the recipe', () => {
  function manifests(controlPlaneFirst: boolean, maxConnections?: number): any[] {
    const app = Testing.app();
    const [management, cluster] = [new Chart(app, 'management'), new Chart(app, 'tenant-01')];
    const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.haproxy(),
    });
    new TcpProxyAddon(cluster, 'tcp-proxy', { controlPlane, maxConnections, image: 'registry.example.com/tcp-proxy:1.4.2' });
    const charts = [management.toJson(), cluster.toJson()];
    return (controlPlaneFirst ? charts : charts.reverse()).flat();
  }

  test('does not change with the order of objects, nor with a generated configuration and its checksum', () => {
    expect(manifests(true)).not.toEqual(manifests(false));
    expect(manifests(true)).not.toEqual(manifests(true, 500));
    expect(stable(manifests(false))).toEqual(stable(manifests(true)));
    expect(stable(manifests(true, 500))).toEqual(stable(manifests(true)));
  });

  test('does not have the default image, which follows the version of the library', () => {
    const { management, cluster } = new Tenant(Testing.app(), 'tenant-01');

    expect(JSON.stringify(stable([management, cluster].flatMap(chart => chart.toJson())))).not.toContain(DEFAULT_TCP_PROXY_IMAGE);
  });
});
