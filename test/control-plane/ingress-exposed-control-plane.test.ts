import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { ControlPlanePlatform, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, Warnings } from '../../src';
import { PlainController, PlainPlatform } from '../support/plain';

function controlPlane(scope: Construct, id: string, props: Partial<IngressExposedControlPlaneProps> = {}): IngressExposedControlPlane {
  return new IngressExposedControlPlane(scope, id, {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    platform: new PlainPlatform(),
    controller: new PlainController(),
    domain: 'example.com',
    ...props,
  });
}

describe('a control plane behind a shared address', () => {
  test('is made of the objects of its platform and its controller', () => {
    const chart = Testing.chart();
    const plane = controlPlane(chart, 'tenant-01', {
      konnectivity: {}, allowedCidrs: ['10.0.0.0/8'], labels: { team: 'a' }, annotations: { 'example.com/owner': 'b' },
    });
    const labels = { 'app.kubernetes.io/name': 'hosted-control-plane', 'app.kubernetes.io/instance': 'tenant-01', 'team': 'a' };
    expect(Testing.synth(chart)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'tenant-01', namespace: 'tenants', labels, annotations: { 'example.com/owner': 'b' } },
        data: { version: '1.31.0', operatorRoutes: '', endpointsOwned: 'false' },
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'tenant-01-kube-apiserver', namespace: 'tenants', labels },
        data: { host: 'tenant-01.k8s.example.com', allowed: '10.0.0.0/8' },
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'tenant-01-konnectivity-server', namespace: 'tenants', labels },
        data: { host: 'tenant-01.konnectivity.example.com', allowed: '10.0.0.0/8' },
      },
    ]);
    expect(plane.platformObject.name).toBe('tenant-01');
    expect(plane.routeObjects.map(object => object.name)).toEqual(['tenant-01-kube-apiserver', 'tenant-01-konnectivity-server']);
  });

  test('tells what its exposure tells', () => {
    const plane = controlPlane(Testing.chart(), 'tenant-01', { konnectivity: {} });
    expect(plane.apiEndpoint).toBe(plane.exposure.api);
    expect(plane.konnectivityEndpoint).toBe(plane.exposure.konnectivity);
    expect(plane.certSans).toEqual(plane.exposure.certSans);
    expect(plane.dnsNames).toEqual(plane.exposure.dnsNames);
    expect(plane.routes).toEqual(plane.exposure.routes);
  });

  test('has the name of its construct unless it has another', () => {
    expect(controlPlane(Testing.chart(), 'tenant-01').exposure.name).toBe('tenant-01');
    expect(controlPlane(Testing.chart(), 'Some ID', { name: 'tenant-02' }).exposure.name).toBe('tenant-02');
  });

  test('takes what the user leaves out from the platform', () => {
    const platform = new PlainPlatform({
      defaults: { backend: { serviceName: 'api', apiPort: 30443 }, port: 6443, konnectivityPort: 8132, konnectivitySharesHostname: true },
    });
    const plane = controlPlane(Testing.chart(), 'tenant-01', { platform, konnectivity: {} });
    expect(plane.routes.map(({ hostname, port, serviceName, servicePort }) => [hostname, port, serviceName, servicePort])).toEqual([
      ['tenant-01.k8s.example.com', 6443, 'api', 30443],
      ['tenant-01.k8s.example.com', 8132, 'api', 8132],
    ]);
  });

  test('writes the version without its "v"', () => {
    for (const kubernetesVersion of ['1.31.0', 'v1.31.0']) {
      const chart = Testing.chart();
      controlPlane(chart, 'tenant-01', { kubernetesVersion });
      expect(Testing.synth(chart)[0].data.version).toBe('1.31.0');
    }
  });
});

describe('routes that the operator of the platform creates', () => {
  const platform = new PlainPlatform({ operatorRoutes: ['kube-apiserver'] });

  test('are asked of it, and only the others are emitted', () => {
    const chart = Testing.chart();
    const plane = controlPlane(chart, 'tenant-01', { platform, konnectivity: {} });
    expect(plane.routeObjects.map(object => object.name)).toEqual(['tenant-01-konnectivity-server']);
    expect(Testing.synth(chart)[0].data.operatorRoutes).toBe('kube-apiserver');
  });

  test('leave the controller out altogether when they are all', () => {
    const plane = controlPlane(Testing.chart(), 'tenant-01', { platform });
    expect(plane.routeObjects).toEqual([]);
    expect(plane.node.tryFindChild('routes')).toBeUndefined();
  });

  test.each<[string, Partial<IngressExposedControlPlaneProps>]>([
    ['the library is to own all routes', { ownRoutes: true }],
    ['source networks are given, of which an operator knows nothing', { allowedCidrs: ['10.0.0.0/8'] }],
  ])('are emitted all the same when %s', (_, props) => {
    const chart = Testing.chart();
    const plane = controlPlane(chart, 'tenant-01', { platform, konnectivity: {}, ...props });
    expect(plane.routeObjects).toHaveLength(2);
    expect(Testing.synth(chart)[0].data.operatorRoutes).toBe('');
  });
});

describe('a control plane refuses', () => {
  test.each<[string, Partial<IngressExposedControlPlaneProps>, string]>([
    ['a version without a patch level', { kubernetesVersion: '1.31' },
      'kubernetesVersion: "1.31" is not a version. Give major, minor and patch, e.g. "1.31.0".'],
    ['an empty list of source networks', { allowedCidrs: [] },
      'allowedCidrs: [] is empty, which would let nobody in. Leave it out to allow everyone, or list networks.'],
    ['a source network that is none', { allowedCidrs: ['10.0.0.0/8', '10.0.0.1'] },
      'allowedCidrs[1]: "10.0.0.1" is not a network in CIDR notation. Write address/prefix, e.g. "10.96.0.0/16" or "fd00:10:96::/112".'],
    ['a host with a port', { hostname: 'api.example.com:443' }, 'hostname: "api.example.com:443" carries a port. '
      + 'Host and port are separate: give "api.example.com" here and the port 443 in the port property.'],
  ])('%s', (_, props, message) => {
    expect(() => controlPlane(Testing.chart(), 'tenant-01', props)).toThrow(new Error(message));
  });
});

describe('across all charts of an app', () => {
  /** The messages of a synthesis that must fail. */
  function errorsOf(app: App): string[] {
    try {
      app.synth();
    } catch (error: any) {
      return error.message.split('\n  [] ').slice(1);
    }
    return [];
  }

  test('a host, a cluster ID and object names may be used once, and every conflict is told at once', () => {
    const app = Testing.app();
    const hostname = 'api.example.com';
    controlPlane(new Chart(app, 'one'), 'tenant-01', { hostname, clusterId: 'c1' });
    controlPlane(new Chart(app, 'two'), 'tenant-02', { hostname, clusterId: 'c2' });
    controlPlane(new Chart(app, 'three'), 'tenant-03', { clusterId: 'c1' });
    controlPlane(new Chart(app, 'four'), 'tenant-03', { hostname: 'other.example.com' });
    expect(errorsOf(app)).toEqual([
      'SNI host: "api.example.com:443" is used by both one/tenant-01 and two/tenant-02. '
        + 'A shared address routes on the host alone: give each control plane hosts of its own.',
      'cluster ID: "c1" is used by both one/tenant-01 and three/tenant-03. Give each control plane a cluster ID of its own.',
      ...['tenant-03', 'tenant-03-kube-apiserver'].map(name =>
        `ConfigMap in cluster "management": "tenants/${name}" is used by both four/tenant-03 and three/tenant-03. `
        + 'Rename one of them, or say with managementCluster that they go to different clusters.'),
    ]);
  });

  test('a konnectivity host is not the API host of another control plane', () => {
    const app = Testing.app();
    controlPlane(new Chart(app, 'one'), 'tenant-01', { konnectivity: { hostname: 'x.example.com' } });
    controlPlane(new Chart(app, 'two'), 'tenant-02', { hostname: 'x.example.com' });
    expect(errorsOf(app)).toEqual([expect.stringMatching(/^SNI host: "x\.example\.com:443" is used by both one\/tenant-01 and two\/tenant-02\./)]);
  });

  test('one host on two ports, and one name in two namespaces or clusters, are no conflict', () => {
    const app = Testing.app();
    controlPlane(new Chart(app, 'one'), 'tenant-01', { hostname: 'api.example.com', port: 443 });
    controlPlane(new Chart(app, 'two'), 'tenant-02', { hostname: 'api.example.com', port: 6443 });
    controlPlane(new Chart(app, 'three'), 'tenant-01', { namespace: 'others', hostname: 'a.example.com' });
    controlPlane(new Chart(app, 'four'), 'tenant-01', { managementCluster: 'berlin', hostname: 'b.example.com' });
    expect(errorsOf(app)).toEqual([]);
  });

  test('nothing is written when something is wrong', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'one');
    controlPlane(chart, 'tenant-01', { hostname: 'api.example.com' });
    controlPlane(chart, 'tenant-02', { hostname: 'api.example.com' });
    expect(() => Testing.synth(chart)).toThrow('SNI host');
  });
});

describe('what the tenant side asks of the API server', () => {
  test('is what nothing was asked for, without a tcp-proxy', () => {
    const chart = Testing.chart();
    controlPlane(chart, 'tenant-01');
    expect(Testing.synth(chart)[0].data).toEqual({ version: '1.31.0', operatorRoutes: '', endpointsOwned: 'false' });
  });

  test('reaches the platform although it is said after the control plane was made', () => {
    const chart = Testing.chart();
    const plane = controlPlane(chart, 'tenant-01');
    plane._tenantSide.attach(new Chart(chart.node.root, 'tenant'), { endpointsOwnedByTcpProxy: true, advertiseAddress: '172.20.0.1' });
    expect(Testing.synth(chart)[0].data).toMatchObject({ advertiseAddress: '172.20.0.1', endpointsOwned: 'true' });
  });

  test('is asked by one tcp-proxy alone', () => {
    const app = Testing.app();
    const plane = controlPlane(new Chart(app, 'management'), 'tenant-01');
    const attachment = { endpointsOwnedByTcpProxy: true };
    plane._tenantSide.attach(new Chart(app, 'one'), attachment);
    expect(() => plane._tenantSide.attach(new Chart(app, 'two'), attachment)).toThrow(new Error(
      'controlPlane: management/tenant-01 already has the tcp-proxy one; two proxies would fight over default/kubernetes. Remove one of them.'));
  });

  test('is not asked when the platform brings a tcp-proxy of its own', () => {
    const app = Testing.app();
    const plane = controlPlane(new Chart(app, 'management'), 'tenant-01', { platform: new PlainPlatform({ bringsTcpProxy: true }) });
    expect(() => plane._tenantSide.attach(new Chart(app, 'tenant'), { endpointsOwnedByTcpProxy: true })).toThrow(new Error(
      'controlPlane: management/tenant-01 already has the tcp-proxy of its platform (plain); two proxies would fight over default/kubernetes. '
      + 'Leave out the tcpProxy property of the platform, or this TcpProxyAddon.'));
  });
});

describe('what an operator should know of a controller', () => {
  test('is said also when the operator of the platform makes every route', () => {
    const chart = new Chart(new App(), 'management');
    controlPlane(chart, 'tenant-01', { platform: ControlPlanePlatform.steward(), controller: IngressController.ingressNginx() });
    expect(Warnings.of(chart)).toEqual(IngressController.ingressNginx().warnings);
  });
});
