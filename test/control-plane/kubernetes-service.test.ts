import { App, Chart } from 'cdk8s';
import * as fc from 'fast-check';
import {
  ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServiceEndpoints,
  KubernetesServicePath, ManagementCluster, SharedIngressGateway, TenantPortProps,
} from '../../src';

const ADDRESSES = ['203.0.113.10'];
const RANGE = { first: 20000, last: 20999 };

function aChart(app = new App({ outdir: 'unwritten' }), id = 'management'): Chart {
  return new Chart(app, id);
}

function gatewayOf(chart: Chart, portRange: { first: number; last: number } | undefined = RANGE): SharedIngressGateway {
  return new SharedIngressGateway(chart, 'edge', { namespace: 'edge', portRange });
}

function tenant(
  chart: Chart, controller: IngressController, port: Partial<TenantPortProps> = {}, props: Partial<IngressExposedControlPlaneProps> = {}, id = 'tenant-01',
): IngressExposedControlPlane {
  const controlPlane = new IngressExposedControlPlane(chart, id, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: ControlPlanePlatform.steward(),
    controller,
    kubernetesService: KubernetesServicePath.port({ addresses: ADDRESSES, ...port }),
    ...props,
  });
  new KubernetesServiceEndpoints(new Chart(new App(), id), 'kubernetes', { controlPlane });
  return controlPlane;
}

function portsMap(chart: Chart): string[] {
  return chart.toJson().filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => data['ports.map']?.split('\n').filter(Boolean) ?? []);
}

function errorsOf(chart: Chart): string[] {
  return chart.node.root.node.findAll().flatMap(({ node }) => node.validate());
}

describe('the port of a tenant at a shared gateway', () => {
  test('is an entry of its map, and a port of its Service', () => {
    const chart = aChart();
    tenant(chart, gatewayOf(chart).asController(), { port: 20001 });
    expect(portsMap(chart)).toEqual(['20001 tenant-01.tenants.svc.cluster.local:6443']);
    const [service] = chart.toJson().filter(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer');
    expect(service.spec.ports.map(({ port }: any) => port)).toContain(20001);
  });

  test('is limited to the sources of the other routes', () => {
    const chart = aChart();
    tenant(chart, gatewayOf(chart).asController(), { port: 20001 }, { allowedCidrs: ['198.51.100.0/24'] });
    expect(portsMap(chart)).toEqual(['20001 tenant-01.tenants.svc.cluster.local:6443:tenants/tenant-01']);
  });

  test('is taken from the range of the gateway where nothing else is said', () => {
    const chart = aChart();
    const { portRoute } = tenant(chart, gatewayOf(chart).asController()).exposure;
    expect(portRoute!.port).toBeGreaterThanOrEqual(RANGE.first);
    expect(portRoute!.port).toBeLessThanOrEqual(RANGE.last);
    expect(portsMap(chart)).toEqual([expect.stringMatching(`^${portRoute!.port} `)]);
  });

  test('never changes because another tenant comes or goes', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/), { minLength: 1, maxLength: 8 });
    const portsOf = (ids: string[]) => {
      const chart = aChart();
      const controller = gatewayOf(chart).asController();
      return Object.fromEntries(ids.map(id => [id, tenant(chart, controller, {}, {}, id).exposure.portRoute!.port]));
    };
    fc.assert(fc.property(names, ids => {
      const all = portsOf(ids);
      const some = ids.filter((_, i) => i % 2 === 0).reverse();
      expect(portsOf(some)).toEqual(Object.fromEntries(some.map(id => [id, all[id]])));
    }), { numRuns: 15 });
  });

  test('is another one in a management cluster of another name', () => {
    const portIn = (cluster?: string) => {
      const chart = aChart();
      if (cluster !== undefined) {
        ManagementCluster.assign(chart, cluster);
      }
      return tenant(chart, gatewayOf(chart).asController()).exposure.portRoute!.port;
    };
    expect(new Set([portIn(), portIn('eu-1'), portIn('eu-2')]).size).toBe(3);
  });

  test('can be that of one tenant alone, and the one error names both', () => {
    const chart = aChart();
    const controller = gatewayOf(chart).asController();
    tenant(chart, controller, { port: 20001 });
    tenant(chart, controller, { port: 20001 }, {}, 'tenant-02');
    expect(errorsOf(chart)).toEqual([
      expect.stringMatching(/^port of the shared address: "203.0.113.10:20001" is used by both management\/tenant-01 and management\/tenant-02\. .*give one of them a port/),
    ]);
  });

  test('can be that of one tenant alone, also where they name other addresses of the gateway', () => {
    const chart = aChart();
    const controller = gatewayOf(chart).asController();
    tenant(chart, controller, { port: 20001 });
    tenant(chart, controller, { port: 20001, addresses: ['203.0.113.11'] }, {}, 'tenant-02');
    expect(errorsOf(chart)).toEqual([expect.stringContaining('port: "20001" is registered at management/edge by both tenants/tenant-01 and tenants/tenant-02')]);
  });

  test('is refused outside of the range', () => {
    const chart = aChart();
    expect(() => tenant(chart, gatewayOf(chart).asController(), { port: 19999 })).toThrow(
      'management/tenant-01: kubernetesService.port: 19999 is not among the ports of the gateway for tenants, 20000 to 20999.');
  });

  test('is taken from a part of the range, and of nothing beside it, whatever the name', () => {
    const chart = aChart();
    const controller = gatewayOf(chart).asController();
    const { portRoute } = tenant(chart, controller, { portRange: { first: 20500, last: 20509 } }).exposure;
    expect(portRoute!.port).toBeGreaterThanOrEqual(20500);
    expect(portRoute!.port).toBeLessThanOrEqual(20509);
    for (const id of ['a', 'b', 'c', 'd']) {
      expect(() => tenant(chart, controller, { portRange: { first: 20900, last: 21099 } }, {}, id)).toThrow(
        `management/${id}: kubernetesService.portRange: {"first":20900,"last":21099} is not within the ports of the gateway for tenants, 20000 to 20999.`);
    }
  });

  test('is refused where the gateway has no ports for tenants', () => {
    const chart = aChart();
    const controller = new SharedIngressGateway(chart, 'edge', { namespace: 'edge' }).asController();
    expect(() => tenant(chart, controller, { port: 20001 })).toThrow('Give the SharedIngressGateway a portRange.');
  });

  test('is registered with an exposure of another app', () => {
    const [chart, elsewhere] = [aChart(), aChart()];
    const { exposure } = tenant(elsewhere, gatewayOf(elsewhere).asController(), { port: 20001 });
    expect(() => new SharedIngressGateway(chart, 'other', { namespace: 'edge', portRange: { first: 30000, last: 30001 } }).register(exposure)).toThrow(
      'management/other: kubernetesService.port: 20001 is not among the ports of the gateway for tenants, 30000 to 30001.');
    gatewayOf(chart).register(exposure);
    expect(portsMap(chart)).toEqual(['20001 tenant-01.tenants.svc.cluster.local:6443']);
  });
});

test('a controller that finds tenants by their hosts alone refuses a port', () => {
  expect(() => tenant(aChart(), IngressController.contour(), { port: 20001 })).toThrow(
    'kubernetesService.port: 20001 cannot be served by the contour controller, which finds tenants by their SNI host alone.');
});
