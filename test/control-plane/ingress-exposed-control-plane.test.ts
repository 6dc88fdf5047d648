import { App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, IngressController, IngressControllerBindOptions, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  KubernetesServicePath, ManagementCluster, OperatorRoutes, PassthroughGateway, PassthroughGatewayProps, Warnings,
} from '../../src';
import { TenantSide } from '../../src/control-plane/tenant-side';
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

const K0SMOTRON = { platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3', konnectivity: {} };

/** A platform whose pods are known, with a Service of the given name. */
const policed = (serviceName: string) => new PlainPlatform({ defaults: { backend: { serviceName }, podLabels: { plane: serviceName } } });

describe('a control plane behind a shared address', () => {
  test('is made of the objects of its platform and its controller', () => {
    const chart = Testing.chart();
    const plane = controlPlane(chart, 'tenant-01', {
      konnectivity: {},
      allowedCidrs: ['10.0.0.0/8'],
      labels: { team: 'a' },
      annotations: { 'example.com/owner': 'b' },
      kubernetesService: KubernetesServicePath.none({ reason: 'a test' }),
    });
    const labels = { 'app.kubernetes.io/name': 'hosted-control-plane', 'app.kubernetes.io/instance': 'tenant-01', 'team': 'a' };
    expect(Testing.synth(chart)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: 'tenant-01',
          namespace: 'tenants',
          labels,
          annotations: { 'example.com/owner': 'b', 'cdk8s-hosted-control-plane/description': expect.stringContaining('"platform":"plain"') },
        },
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
    const controller = new PlainController({ separatesPorts: true });
    const plane = controlPlane(Testing.chart(), 'tenant-01', { platform, controller, konnectivity: {} });
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
    ['a version with a v and without a patch level', { kubernetesVersion: 'v1.36.x' },
      'kubernetesVersion: "v1.36.x" is not a version. Give major, minor and patch, e.g. "1.36.0".'],
    ['a version whose minor is none', { kubernetesVersion: '1.343' },
      'kubernetesVersion: "1.343" is not a version. Give major, minor and patch, e.g. "1.34.0".'],
    ['an empty list of source networks', { allowedCidrs: [] },
      'allowedCidrs: [] is empty, which would let nobody in. Leave it out to allow everyone, or list networks.'],
    ['a source network that is none', { allowedCidrs: ['10.0.0.0/8', '10.0.0.1'] },
      'allowedCidrs[1]: "10.0.0.1" is not a network in CIDR notation. Write address/prefix, e.g. "10.0.0.1/32" for this address alone.'],
    ['a label that is none', { labels: { team: 'a b' } }, 'labels["team"]: "a b" is not the value of a label. '
      + 'Use at most 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit, or put the text into an annotation.'],
    ['a namespace that is not set', { namespace: undefined }, 'namespace: is not set. '
      + 'Give a text; if it comes from the environment or a file, make sure that it is set there.'],
    ['the name of a Service that every cluster has', { namespace: 'default', platform: new PlainPlatform({ defaults: { backend: { serviceName: 'kubernetes' } } }) },
      'name: "kubernetes" would give the Service default/kubernetes of the management cluster to the control plane, so that nothing there reaches its own API server. '
      + 'Give the control plane another name or namespace.'],
    ['a port that is no number', { port: NaN }, 'port: NaN is not a port. Give a whole number from 1 to 65535.'],
    ['a host with a port', { hostname: 'api.example.com:443' }, 'hostname: "api.example.com:443" carries a port. '
      + 'Host and port are separate: give "api.example.com" here, and the port 443 where a port is asked for.'],
  ])('%s', (_, props, message) => {
    expect(() => controlPlane(Testing.chart(), 'tenant-01', props)).toThrow(new Error(`test/tenant-01: ${message}`));
  });
});

describe('the controller is asked whether it serves every route, whoever makes it, and', () => {
  const served = (name: string, port: number, controller = 'haproxy', own = 443) => `port of ${name}: ${port} is not served by ${controller}, whose public port is ${own}. `
    + `Use port ${own} with a host of its own, or set "port" of the controller to the port that clients connect to.`;
  const gateway = (props: Partial<PassthroughGatewayProps>) => new PassthroughGateway(Testing.chart(), 'public', {
    namespace: 'tenants', gatewayClassName: 'eg', listeners: [{ name: 'kube-apiserver', hostname: '*.example.com', port: 6443 }], ...props,
  }).asController();
  const kamajiGateway = ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.GATEWAY });

  test.each<[string, Partial<IngressExposedControlPlaneProps>, string]>([
    ['a port, by k0smotron', { ...K0SMOTRON, controller: IngressController.haproxy(), port: 8443 }, served('kube-apiserver', 8443)],
    ['a port, by Kamaji',
      { platform: ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), controller: IngressController.haproxy(), port: 8443 },
      served('kube-apiserver', 8443)],
    ['a port, by Steward', { platform: ControlPlanePlatform.steward(), controller: IngressController.haproxy({ port: 8443 }) },
      served('kube-apiserver', 443, 'haproxy', 8443)],
    ['a name of a listener, by Kamaji',
      { platform: kamajiGateway, controller: gateway({ listeners: [{ name: 'tls', hostname: '*.example.com', port: 6443 }] }) },
      'host of kube-apiserver: "tenants-tenant-01.k8s.example.com:6443" is not taken by a listener "kube-apiserver" of the Gateway tenants/public, '],
    ['a host of a listener, by Kamaji',
      { platform: kamajiGateway, controller: gateway({ listeners: [{ name: 'kube-apiserver', hostname: '*.example.org', port: 6443 }] }) },
      'host of kube-apiserver: "tenants-tenant-01.k8s.example.com:6443" is not taken by a listener "kube-apiserver" of the Gateway tenants/public, '],
    ['a port of a listener, by Kamaji', { platform: kamajiGateway, controller: gateway({}), konnectivity: {} },
      'host of konnectivity-server: "tenants-tenant-01.k8s.example.com:8132" is not taken by a listener "konnectivity-server" of the Gateway tenants/public, '],
    ['a namespace, by Kamaji', { platform: kamajiGateway, controller: gateway({ namespace: 'gateways' }) },
      'namespace: "tenants" is not that of the Gateway gateways/public, which takes routes of its own namespace alone. '],
  ])('refuses %s', (_, props, message) => {
    expect(() => controlPlane(Testing.chart(), 'tenant-01', props)).toThrow(message);
  });

  test('takes the listeners that the operator expects', () => {
    const listeners = [['kube-apiserver', 6443], ['konnectivity-server', 8132]].map(([name, port]) => ({ name: name as string, hostname: '*.example.com', port: port as number }));
    expect(controlPlane(Testing.chart(), 'tenant-01', { platform: kamajiGateway, controller: gateway({ listeners }), konnectivity: {} }).routeObjects).toEqual([]);
  });

  test('refuses one host on two ports unless it looks at ports', () => {
    const hostname = 'api.example.com';
    expect(() => controlPlane(Testing.chart(), 'tenant-01', { hostname, konnectivity: { hostname, port: 8132 } })).toThrow(new Error(
      'test/tenant-01: host of konnectivity-server: "api.example.com" is also that of kube-apiserver, on port 443 instead of 8132; ' +
      'the plain controller routes on the host alone. Give konnectivity-server a host of its own, or use traefik or gatewayApi.'));
    const traefik = IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } });
    expect(controlPlane(Testing.chart(), 'tenant-01', { hostname, konnectivity: { hostname, port: 8132 }, controller: traefik }).routeObjects).toHaveLength(2);
  });
});

describe('a class of the user\'s own is told when', () => {
  test('its operator makes a route that there is not', () => {
    expect(() => controlPlane(Testing.chart(), 'tenant-01', { platform: new PlainPlatform({ operatorRoutes: ['api'] }) })).toThrow(new Error(
      'test/tenant-01: operatorRoutes() of the platform plain: "api" is not a route of the control plane. Return names among "kube-apiserver", "konnectivity-server".'));
  });

  test('its controller leaves out a route', () => {
    class Forgetful extends PlainController {
      public override bind(scope: Construct, options: IngressControllerBindOptions) {
        return super.bind(scope, options).slice(1);
      }
    }
    expect(() => controlPlane(Testing.chart(), 'tenant-01', { controller: new Forgetful(), konnectivity: {} })).toThrow(new Error(
      'test/tenant-01: bind() of the controller plain: ["tenant-01-konnectivity-server"] is not one object for each of the routes "kube-apiserver", "konnectivity-server". ' +
      'Return one object for each route, in their order, or none when routes are no objects.'));
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
      'cluster: 3 names are used more than once in a cluster, by both four and three (3, e.g. ConfigMap in cluster "management": "tenants/tenant-03" ' +
        'of both four/tenant-03 and three/tenant-03). If they go to different clusters, say so before anything is made in them: ' +
        'ManagementCluster.assign(chart, "eu-1"). Else rename what has the same name.',
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
    const controller = new PlainController({ separatesPorts: true });
    controlPlane(new Chart(app, 'one'), 'tenant-01', { hostname: 'api.example.com', port: 443, controller });
    controlPlane(new Chart(app, 'two'), 'tenant-02', { hostname: 'api.example.com', port: 6443, controller });
    controlPlane(new Chart(app, 'three'), 'tenant-01', { namespace: 'others', hostname: 'a.example.com' });
    const berlin = new Chart(app, 'four');
    ManagementCluster.assign(berlin, 'berlin');
    controlPlane(berlin, 'tenant-01', { hostname: 'b.example.com' });
    expect(errorsOf(app)).toEqual([]);
  });

  test('one host on two ports is a conflict where controllers route on the host alone', () => {
    const app = Testing.app();
    for (const [id, port] of [['one', 443], ['two', 8443]] as const) {
      controlPlane(new Chart(app, id), id, { hostname: 'api.example.com', port, controller: IngressController.haproxy({ port }) });
    }
    expect(errorsOf(app)).toEqual([
      'SNI host: "api.example.com" is used by both one/one and two/two. '
      + 'Their controllers route on the host alone, whatever the port: give each control plane hosts of its own.',
    ]);
  });

  test.each<[string, Partial<IngressExposedControlPlaneProps>, Partial<IngressExposedControlPlaneProps>, string[]]>([
    ['k0smotronControlPlanes of two names make one k0smotron cluster',
      { name: 'a', ...K0SMOTRON, platform: ControlPlanePlatform.k0smotronControlPlane({ controlPlaneName: 'x' }), konnectivity: { hostname: 'k-one.example.com' } },
      { name: 'a', ...K0SMOTRON, platform: ControlPlanePlatform.k0smotronControlPlane({ controlPlaneName: 'y' }), konnectivity: { hostname: 'k-two.example.com' } },
      ['Service "tenants/kmc-a"']],
    ['two platforms give their Service one name',
      { name: 'a', platform: ControlPlanePlatform.kamaji() }, { name: 'a', platform: ControlPlanePlatform.kamajiControlPlane() },
      ['Ingress "tenants/a-kube-apiserver"', 'Service "tenants/a"', 'TenantControlPlane "tenants/a"']],
    ['the operator of one makes an Ingress that a route of the other is called',
      { name: 't', platform: ControlPlanePlatform.kamaji() }, { name: 't-kube-apiserver', platform: ControlPlanePlatform.steward() },
      ['Ingress "tenants/t-kube-apiserver"']],
    ['both have a NetworkPolicy of one name',
      { name: 'a', networkPolicy: { namespaces: ['haproxy'] }, platform: policed('x') },
      { name: 'a', networkPolicy: { namespaces: ['haproxy'] }, platform: policed('y'), ownRoutes: true },
      ['ConfigMap "tenants/a"', 'Ingress "tenants/a-kube-apiserver"', 'NetworkPolicy "tenants/a"']],
    ['operators make objects of one name',
      { platform: new PlainPlatform({ operatorObjects: [{ kind: 'Secret', group: '', name: 's' }] }) },
      { platform: new PlainPlatform({ operatorObjects: [{ kind: 'Secret', group: '', name: 's' }] }) },
      ['Secret "tenants/s"']],
  ])('it is a conflict when %s', (_, one, two, names) => {
    const app = Testing.app();
    const chart = new Chart(app, 'chart');
    controlPlane(chart, 'one', { hostname: 'one.example.com', controller: IngressController.haproxy(), ...one });
    controlPlane(chart, 'two', { hostname: 'two.example.com', controller: IngressController.haproxy(), ...two });
    expect(errorsOf(app).map(error => error.replace(/^(\w+) in cluster "management": ("\S+") is used by both chart\/one and chart\/two\. Rename one of them\.$/, '$1 $2')))
      .toEqual(names);
  });

  test('two control planes of one name have files of their own, or an error says how they get them', () => {
    for (const [charts, yamlOutputType, expected] of [
      [['one', 'two'], YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, []],
      [['one', 'one'], YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, ['ConfigMap.a.k8s.yaml', 'ConfigMap.a-kube-apiserver.k8s.yaml']],
      [['one', 'two'], YamlOutputType.FILE_PER_RESOURCE, ['ConfigMap.a.k8s.yaml', 'ConfigMap.a-kube-apiserver.k8s.yaml']],
    ] as [string[], YamlOutputType, string[]][]) {
      const app = new App({ outdir: Testing.app().outdir, yamlOutputType });
      charts.forEach((id, i) => {
        const chart = app.node.tryFindChild(id) as Chart ?? new Chart(app, id);
        controlPlane(chart, `a${i}`, { name: 'a', namespace: `tenants-${i}`, hostname: `a${i}.example.com` });
      });
      const errors = errorsOf(app);
      expect(expected.filter(file => !errors.some(error => error.startsWith(`output file: "${file}" is used by both `)))).toEqual([]);
      expect(errors).toHaveLength(expected.length);
    }
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
    TenantSide.of(plane.exposure)!.attach(new Chart(chart.node.root, 'tenant'), { endpointsOwnedByTcpProxy: true, advertiseAddress: '172.20.0.1' });
    expect(Testing.synth(chart)[0].data).toMatchObject({ advertiseAddress: '172.20.0.1', endpointsOwned: 'true' });
  });

  test('is asked by one tcp-proxy alone', () => {
    const app = Testing.app();
    const plane = controlPlane(new Chart(app, 'management'), 'tenant-01');
    const attachment = { endpointsOwnedByTcpProxy: true };
    TenantSide.of(plane.exposure)!.attach(new Chart(app, 'one'), attachment);
    expect(() => TenantSide.of(plane.exposure)!.attach(new Chart(app, 'two'), attachment)).toThrow(new Error(
      'controlPlane: management/tenant-01 already has one; two writers would fight over default/kubernetes. Remove one of them.'));
  });

  test('is not asked when the platform brings a tcp-proxy of its own', () => {
    const app = Testing.app();
    const plane = controlPlane(new Chart(app, 'management'), 'tenant-01', { platform: new PlainPlatform({ bringsTcpProxy: true }) });
    expect(() => TenantSide.of(plane.exposure)!.attach(new Chart(app, 'tenant'), { endpointsOwnedByTcpProxy: true })).toThrow(new Error(
      'controlPlane: management/tenant-01 has tcp-proxies of its platform (plain), and two would fight over default/kubernetes. Leave out this TcpProxyAddon.'));
  });
});

describe('what an operator should know of a controller', () => {
  test('is said also when the operator of the platform makes every route', () => {
    const chart = new Chart(new App(), 'management');
    controlPlane(chart, 'tenant-01', { platform: ControlPlanePlatform.steward(), controller: IngressController.ingressNginx() });
    expect(Warnings.of(chart)).toEqual(expect.arrayContaining(IngressController.ingressNginx().warnings));
  });
});
