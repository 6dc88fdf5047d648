import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, IHostedControlPlane, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServicePath,
  ManagementCluster,
  SharedIngressGateway, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../src';

const SHARED = KubernetesServicePath.port({ addresses: ['192.0.2.1'], port: 20001 });

function chartOf(app: App, cluster: string): Chart {
  const chart = new Chart(app, cluster);
  ManagementCluster.assign(chart, cluster);
  return chart;
}

function controlPlane(chart: Chart, props: Partial<IngressExposedControlPlaneProps> = {}): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.35.6',
    hostname: 'tenant-01.k8s.example.com',
    konnectivity: { hostname: 'tenant-01.konnectivity.example.com' },
    clusterId: '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10',
    platform: ControlPlanePlatform.kamaji({ coreDns: {}, kubeProxy: {} }),
    controller: IngressController.traefik(),
    ...props,
  });
}

const errorsOf = (app: App) => app.node.findAll().flatMap(({ node }) => node.validate());

describe('a tenant that is in two management clusters of an app', () => {
  test('is two tenants with the same names, unless it moves from one to the other', () => {
    const app = Testing.app();
    controlPlane(chartOf(app, 'eu-1'));
    controlPlane(chartOf(app, 'eu-2'));
    const errors = errorsOf(app).join('\n');
    expect(errors).toContain('SNI host: "tenant-01.k8s.example.com:443" is used by both eu-1/tenant-01 and eu-2/tenant-01');
    expect(errors).toContain('cluster ID: "5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10"');
  });

  test('shares hosts and cluster ID while it moves, and what is delivered to it is in a bundle of each cluster', () => {
    const app = Testing.app();
    const [old, next] = [chartOf(app, 'eu-1'), chartOf(app, 'eu-2')];
    const from = controlPlane(old);
    const to = controlPlane(next, { movesFrom: from });
    for (const [chart, of] of [[old, from], [next, to]] as const) {
      const charts = new TenantCharts(chart, 'tenant-charts', { delivery: TenantDelivery.sync() });
      new TcpProxyAddon(charts.of(of), 'tcp-proxy', { controlPlane: of });
    }
    expect(errorsOf(app)).toEqual([]);
  });

  test('shares the port of a shared address', () => {
    const app = Testing.app();
    const byPort = (chart: Chart, movesFrom?: IHostedControlPlane) => {
      const gateway = new SharedIngressGateway(chart, 'gateway', { namespace: 'shared-ingress', portRange: { first: 20000, last: 20009 } });
      return controlPlane(chart, { kubernetesService: SHARED, clusterId: undefined, controller: gateway.asController(), movesFrom });
    };
    const conflicts = () => errorsOf(app).filter(text => text.includes('is used by'));
    byPort(chartOf(app, 'eu-2'), byPort(chartOf(app, 'eu-1')));
    expect(conflicts()).toEqual([]);
    byPort(chartOf(app, 'eu-3'));
    expect(conflicts().join('\n')).toContain('port of the shared address');
  });

  test('shares them with nobody else, also when it moves on', () => {
    const app = Testing.app();
    const from = controlPlane(chartOf(app, 'eu-1'));
    const to = controlPlane(chartOf(app, 'eu-2'), { movesFrom: from });
    controlPlane(chartOf(app, 'eu-3'), { movesFrom: to });
    expect(errorsOf(app)).toEqual([]);
    controlPlane(chartOf(app, 'eu-4'));
    expect(errorsOf(app).join('\n')).toContain('SNI host: "tenant-01.k8s.example.com:443" is used by');
  });

  test.each<[string, Partial<IngressExposedControlPlaneProps>, string]>([
    ['another name', { name: 'tenant-02' }, 'movesFrom: "eu-1/tenant-01" has "tenant-01" as name, and this one has "tenant-02"'],
    ['another host', { hostname: 'other.example.com' }, 'as host of the API server, and this one has "other.example.com:443"'],
    ['no cluster ID', { clusterId: undefined }, 'as clusterId, and this one has none'],
    ['another way of pods', { kubernetesService: SHARED, clusterId: undefined }, 'as clusterId'],
  ])('does not move to a control plane with %s', (_, props, message) => {
    const app = Testing.app();
    const from = controlPlane(chartOf(app, 'eu-1'));
    expect(() => controlPlane(chartOf(app, 'eu-2'), { movesFrom: from, ...props })).toThrow(message);
  });

  test('does not move within a cluster', () => {
    const chart = chartOf(Testing.app(), 'eu-1');
    const from = controlPlane(chart);
    expect(() => new IngressExposedControlPlane(chart, 'again', {
      namespace: 'tenants', kubernetesVersion: '1.35.6', domain: 'example.com', platform: ControlPlanePlatform.kamaji(), controller: IngressController.traefik(), movesFrom: from,
    })).toThrow('movesFrom: "eu-1/tenant-01" is in the same management cluster, "eu-1"');
  });
});
