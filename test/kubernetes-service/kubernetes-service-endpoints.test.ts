import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServiceEndpoints, KubernetesServicePath,
  SharedIngressGateway, TcpProxyAddon, TenantCharts, TenantDelivery, TenantPortProps, Warnings,
} from '../../src';
import { kubernetesEndpoints } from '../../src/agent/contract/kubernetes-endpoints';
import { expectValid } from '../support/schemas';

class Tenant {
  public readonly app = new App({ outdir: 'unwritten' });
  public readonly management = new Chart(this.app, 'management');
  public readonly chart = new Chart(this.app, 'tenant');
  public readonly controlPlane: IngressExposedControlPlane;

  public constructor(port: Partial<TenantPortProps> = {}, props: Partial<IngressExposedControlPlaneProps> = {}) {
    const gateway = new SharedIngressGateway(this.management, 'edge', { namespace: 'edge', portRange: { first: 20000, last: 20999 } });
    this.controlPlane = new IngressExposedControlPlane(this.management, 'tenant-01', {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.steward(),
      controller: gateway.asController(),
      kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001, ...port }),
      ...props,
    });
  }

  public endpoints(chart = this.chart): KubernetesServiceEndpoints {
    return new KubernetesServiceEndpoints(chart, 'kubernetes', { controlPlane: this.controlPlane });
  }

  /** What stands in the way of synthesis. */
  public errors(): string[] {
    return this.app.node.findAll().flatMap(({ node }) => node.validate());
  }

  public platform(): any {
    return this.controlPlane.platformObject.toJson();
  }
}

describe('the endpoints of a tenant with a port', () => {
  test('are objects as Kubernetes writes them, and the API server leaves them alone', () => {
    const tenant = new Tenant({ addresses: ['203.0.113.11', '203.0.113.10'] });
    tenant.endpoints();
    const [endpoints, slice, ...more] = tenant.chart.toJson();
    expect(more).toEqual([]);
    [endpoints, slice].forEach(expectValid);
    expect(endpoints).toEqual({
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'kubernetes', namespace: 'default', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '203.0.113.10' }, { ip: '203.0.113.11' }], ports: [{ name: 'https', port: 20001, protocol: 'TCP' }] }],
    });
    expect(slice).toMatchObject({
      metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
      addressType: 'IPv4',
      ports: [{ name: 'https', port: 20001, protocol: 'TCP' }],
      endpoints: [{ addresses: ['203.0.113.10'] }, { addresses: ['203.0.113.11'] }],
    });
    expect(tenant.errors()).toEqual([]);
    expect(tenant.platform().spec.controlPlane.deployment.extraArgs.apiServer).toEqual(['--endpoint-reconciler-type=none']);
  });

  test('have a slice for each family, and the Endpoints that of the first', () => {
    const network = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/64'] };
    const tenant = new Tenant({ addresses: ['2001:db8::10', '203.0.113.10'] }, { network, platform: ControlPlanePlatform.kamaji() });
    tenant.endpoints();
    const [endpoints, ...slices] = tenant.chart.toJson();
    expect(endpoints.subsets[0].addresses).toEqual([{ ip: '203.0.113.10' }]);
    expect(slices.map(({ metadata, addressType }) => [metadata.name, addressType])).toEqual([['kubernetes', 'IPv4'], ['kubernetes-v6', 'IPv6']]);
    expect(new KubernetesServiceEndpoints(new Chart(new App(), 'again'), 'kubernetes', { controlPlane: new Tenant({ addresses: ['203.0.113.10'] }).controlPlane })
      .sliceObjects).toHaveLength(1);
  });

  test('must be in the chart of the tenant', () => {
    const tenant = new Tenant();
    expect(tenant.errors()).toEqual([
      'kubernetesService: "203.0.113.10 port 20001" is written to default/kubernetes by nobody, so that pods would not find it. ' +
      'Put it into the chart of the tenant: new KubernetesServiceEndpoints(tenants.of(controlPlane), "kubernetes", { controlPlane }).',
    ]);
  });

  test('are refused where the tenant has no port', () => {
    const tenant = new Tenant({}, { kubernetesService: KubernetesServicePath.tcpProxy() });
    expect(() => tenant.endpoints()).toThrow('tenant/kubernetes: controlPlane: "tenants/tenant-01" has neither a port nor an address of its own at the shared edge.');
  });

  test('are refused a second time', () => {
    const tenant = new Tenant();
    tenant.endpoints();
    expect(() => tenant.endpoints(new Chart(tenant.app, 'other'))).toThrow('already has tenant/kubernetes; two writers would fight over default/kubernetes');
  });

  test('keep a TcpProxyAddon out, in whatever order, and the error names the better way', () => {
    const tenant = new Tenant();
    expect(() => new TcpProxyAddon(tenant.chart, 'tcp-proxy', { controlPlane: tenant.controlPlane })).toThrow(
      'tenant/tcp-proxy: controlPlane: "tenants/tenant-01" leads pods to port 20001 of 203.0.113.10, where client certificates work and no TLS is opened');
    expect(() => new TcpProxyAddon(tenant.chart, 'by-hand', { exposure: tenant.controlPlane.exposure })).toThrow('put KubernetesServiceEndpoints into the chart');
  });

  test('and those who said that there is no way need no proxy', () => {
    const none = new Tenant({}, { kubernetesService: KubernetesServicePath.none({ reason: 'batch jobs alone' }) });
    expect(() => new TcpProxyAddon(none.chart, 'tcp-proxy', { controlPlane: none.controlPlane })).toThrow('says in kubernetesService that no pod uses the API (batch jobs alone)');
    const injected = new Tenant({}, { kubernetesService: KubernetesServicePath.hostInjection() });
    expect(() => new TcpProxyAddon(injected.chart, 'tcp-proxy', { controlPlane: injected.controlPlane })).toThrow('that KubernetesServiceHostInjection leads pods to the API');
  });
});

describe('a delivery', () => {
  function delivered(delivery: TenantDelivery): Tenant & { readonly made: KubernetesServiceEndpoints } {
    const tenant = new Tenant();
    const made = tenant.endpoints(new TenantCharts(tenant.management, 'tenants', { delivery }).of(tenant.controlPlane));
    return Object.assign(tenant, { made });
  }

  test('by sync keeps the endpoints, and is told so beside the objects', () => {
    const tenant = delivered(TenantDelivery.sync());
    const [bundle] = tenant.management.toJson().filter(({ data }) => data?.['tenant.json'] !== undefined);
    expect(JSON.parse(bundle.data['tenant.json']).kubernetesEndpoints).toBe('kept');
    expect(bundle.data['objects.yaml']).toContain('kind: EndpointSlice');
    expect(Warnings.of(tenant.made)).toEqual([]);
  });

  test('by Argo CD warns that it leaves these kinds out', () => {
    expect(Warnings.of(delivered(TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/a.git' })).made)).toEqual([expect.stringContaining('resource.exclusions')]);
  });

  test('by Flux or as manifests needs nothing more', () => {
    expect(Warnings.of(delivered(TenantDelivery.manifests()).made)).toEqual([]);
    expect(Warnings.of(delivered(TenantDelivery.flux({ source: { name: 'tenants' } })).made)).toEqual([]);
  });
});

describe('a change between the ways', () => {
  /** All manifests of a tenant, with one way or another. */
  function manifests(way: 'port' | 'owned'): any[] {
    const tenant = new Tenant({}, way === 'port' ? {} : { kubernetesService: undefined });
    const chart = new TenantCharts(tenant.management, 'tenants', { delivery: TenantDelivery.sync() }).of(tenant.controlPlane);
    if (way === 'port') {
      tenant.endpoints(chart);
    } else {
      new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane: tenant.controlPlane });
    }
    return tenant.management.toJson();
  }

  test('leaves the control plane as it is, so that no API server restarts', () => {
    const controlPlaneOf = (all: any[]) => all.find(({ kind }) => kind === 'TenantControlPlane');
    expect(controlPlaneOf(manifests('port'))).toEqual(controlPlaneOf(manifests('owned')));
  });

  test('leaves nothing of the other way', () => {
    expect(JSON.stringify(manifests('port'))).not.toContain('tcp-proxy-endpoints');
    expect(JSON.stringify(manifests('owned'))).not.toContain('20001');
  });
});

describe('the platforms', () => {
  const at20001 = { apiPort: 20001 };

  test.each([
    ['steward', ControlPlanePlatform.steward(at20001), (spec: any) => [spec.networkProfile.address, spec.networkProfile.port]],
    ['kamaji', ControlPlanePlatform.kamaji(at20001), (spec: any) => [spec.networkProfile.advertiseAddress, spec.networkProfile.port]],
  ])('of %s have the API server write the endpoints, where that is asked for, and say what is wrong with it', (_, platform, fields) => {
    const tenant = new Tenant({ writtenByApiServer: true }, { platform });
    const { spec } = tenant.platform();
    expect(fields(spec)).toEqual(['203.0.113.10', 20001]);
    expect(JSON.stringify(spec)).not.toContain('endpoint-reconciler-type');
    expect(JSON.stringify(spec)).not.toContain('allowAddressAsExternalIP');
    expect(tenant.errors()).toEqual([]);
    expect(Warnings.of(tenant.controlPlane)).toContainEqual(expect.stringContaining('kubernetesService.writtenByApiServer: default/kubernetes is empty for up to ten seconds'));
    expect(() => tenant.endpoints()).toThrow('has its endpoints written by its API server (writtenByApiServer)');
  });

  test('of Kamaji by Cluster API likewise', () => {
    const { spec } = new Tenant({ writtenByApiServer: true }, { platform: ControlPlanePlatform.kamajiControlPlane(at20001) }).platform();
    expect(spec.network).toMatchObject({ advertiseAddress: '203.0.113.10', ingress: { hostname: expect.stringMatching(/:443$/) } });
  });

  test('refuse it while the API server listens at another port', () => {
    expect(() => new Tenant({ writtenByApiServer: true })).toThrow(
      'management/tenant-01: kubernetesService.port: 20001 differs from 6443, at which the API server listens and which it writes into default/kubernetes.');
  });

  test.each([
    ['k0smotron', ControlPlanePlatform.k0smotron()],
    ['k0smotron by Cluster API', ControlPlanePlatform.k0smotronControlPlane()],
  ])('of %s never have the API server write them, and their own proxy makes room for the objects', (_, platform) => {
    const network = { serviceCidrs: ['10.96.0.0/12'] };
    expect(() => new Tenant({ writtenByApiServer: true }, { platform, network })).toThrow(
      'kubernetesService.writtenByApiServer: "203.0.113.10" would have to be published by the API server, whose endpoint reconciler k0smotron turns off. Leave it out, and add KubernetesServiceEndpoints.');
    const tenant = new Tenant({}, { platform, network });
    tenant.endpoints();
    const { spec } = tenant.platform();
    const [{ patch }] = spec.patches;
    const { data } = JSON.parse(patch.content);
    expect(Object.keys(data)).toEqual(['0_temp-kubernetes-ep.yaml', '1_haproxy-configmap.yaml', '2_haproxy-ds.yaml', '3_kube-service.yaml']);
    expect(data['1_haproxy-configmap.yaml']).toBeNull();
    expect(data['0_temp-kubernetes-ep.yaml']).toContain('ip: 203.0.113.10');
    expect(data['0_temp-kubernetes-ep.yaml']).toContain('port: 20001');
    // No proxy asks the API server for its health.
    expect(JSON.stringify(spec)).not.toContain('anonymous-auth');
  });

  test('that bring proxies of their own refuse a port', () => {
    expect(() => new Tenant({}, { platform: ControlPlanePlatform.steward({ tcpProxy: {} }) })).toThrow(
      'kubernetesService: "203.0.113.10 port 20001" is not where pods are led: steward brings tcp-proxies of its own. Leave it out, or the tcpProxy property of the platform.');
  });
});

test('library and agent make the same objects', () => {
  const tenant = new Tenant();
  tenant.endpoints();
  const { endpoints, slices } = kubernetesEndpoints(['203.0.113.10'], 20001, 'IPv4');
  expect(tenant.chart.toJson()).toEqual([endpoints, ...slices]);
});
