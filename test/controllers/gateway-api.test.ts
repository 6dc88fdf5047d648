import { App, Chart, Testing } from 'cdk8s';
import { bind, TENANT } from './bind';
import {
  Exposure, GatewayApiControllerProps, GatewayListener, IngressController, IngressExposedControlPlane, ManagementCluster, PassthroughGateway,
  TlsRouteVersion,
} from '../../src';
import { PlainPlatform } from '../support/plain';

const GATEWAY = { name: 'public', namespace: 'gateways' };
const LISTENERS: GatewayListener[] = [
  { name: 'any' },
  { name: 'wildcard', hostname: '*.example.com' },
  { name: 'k8s', hostname: '*.k8s.example.com' },
  { name: 'other-port', hostname: '*.k8s.example.com', port: 6443 },
];

const gatewayApi = (props: Partial<GatewayApiControllerProps> = {}) => IngressController.gatewayApi({ gateway: GATEWAY, ...props });
const sectionsOf = (controller: IngressController, exposure = {}) =>
  bind(controller, { exposure }).routes.map(route => route.spec.parentRefs[0].sectionName);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a TLSRoute', () => {
  test('attaches the host to a listener of the Gateway', () => {
    const { routes, others } = bind(gatewayApi());
    expect(routes[0]).toEqual({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'TLSRoute',
      metadata: { name: 'tenant-01-kube-apiserver', namespace: 'tenants' },
      spec: {
        parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'public', namespace: 'gateways', sectionName: 'kube-apiserver' }],
        hostnames: ['tenant-01.k8s.example.com'],
        rules: [{ backendRefs: [{ name: 'tenant-01', port: 6443 }] }],
      },
    });
    expect(others).toEqual([]);
  });

  test.each(Object.values(TlsRouteVersion))('has the version %s when asked for', tlsRouteVersion => {
    expect(bind(gatewayApi({ tlsRouteVersion })).routes[0].apiVersion).toBe(`gateway.networking.k8s.io/${tlsRouteVersion}`);
  });

  test('has no other version', () => {
    expect(() => gatewayApi({ tlsRouteVersion: 'v1beta1' as TlsRouteVersion }))
      .toThrow('tlsRouteVersion: "v1beta1" is not one that there is. Choose among v1, v1alpha3, v1alpha2.');
  });

  test('to a Service of another namespace comes with the grant', () => {
    const { routes, others } = bind(gatewayApi(), { changeRoutes: ([api]) => [{ ...api, serviceNamespace: 'clusters' }], labels: { a: 'b' } });
    expect(routes[0].spec.rules).toEqual([{ backendRefs: [{ name: 'tenant-01', namespace: 'clusters', port: 6443 }] }]);
    expect(others).toEqual([{
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'ReferenceGrant',
      metadata: { name: 'tenants.tenant-01.kube-apiserver', namespace: 'clusters', labels: { a: 'b' } },
      spec: {
        from: [{ group: 'gateway.networking.k8s.io', kind: 'TLSRoute', namespace: 'tenants' }],
        to: [{ group: '', kind: 'Service', name: 'tenant-01' }],
      },
    }]);
  });

  test('comes with a grant also when another route has the name of the grant', () => {
    const { routes, others } = bind(gatewayApi(), {
      exposure: { tlsServices: [{ name: 'kube-apiserver-grant', servicePort: 443 }] },
      changeRoutes: all => all.map(route => ({ ...route, serviceNamespace: 'clusters' })),
    });
    expect([routes.length, others.length]).toEqual([3, 3]);
  });

  test('of an alpha version comes with a grant that its Gateway API serves', () => {
    const { others } = bind(gatewayApi({ tlsRouteVersion: TlsRouteVersion.V1ALPHA2 }), {
      changeRoutes: ([api]) => [{ ...api, serviceNamespace: 'clusters' }],
    });
    expect(others[0].apiVersion).toBe('gateway.networking.k8s.io/v1beta1');
  });
});

describe('the listener of a route', () => {
  test('is named like the route when listeners are not known', () => {
    expect(sectionsOf(gatewayApi())).toEqual(['kube-apiserver', 'konnectivity-server', 'trustd']);
  });

  test('is the one named for it', () => {
    expect(sectionsOf(gatewayApi({ sectionNames: { 'kube-apiserver': 'tls' } }))).toEqual(['tls', 'konnectivity-server', 'trustd']);
    expect(sectionsOf(gatewayApi({ listeners: LISTENERS, sectionNames: { 'kube-apiserver': 'any' } }))).toEqual(['any', 'wildcard', 'wildcard']);
  });

  test('is the most specific one for its host and port', () => {
    expect(sectionsOf(gatewayApi({ listeners: LISTENERS }))).toEqual(['k8s', 'wildcard', 'wildcard']);
    expect(sectionsOf(gatewayApi({ listeners: [...LISTENERS, { name: 'exact', hostname: 'tenant-01.k8s.example.com' }] }))[0]).toBe('exact');
    expect(sectionsOf(gatewayApi({ listeners: LISTENERS }), { hostname: 'api.example.org', tlsServices: [] })[0]).toBe('any');
    expect(sectionsOf(gatewayApi({ listeners: LISTENERS }), { port: 6443, konnectivity: { port: 443 }, tlsServices: [] })).toEqual(['other-port', 'wildcard']);
  });

  test('is found by its public port where that differs', () => {
    const listeners = [{ name: 'websecure', hostname: '*.example.com', port: 8443, publicPort: 443 }];
    expect(sectionsOf(gatewayApi({ listeners }))).toEqual(Array(3).fill('websecure'));
  });

  test('must be one of the Gateway', () => {
    expect(() => bind(gatewayApi({ listeners: LISTENERS.slice(1, 3), sectionNames: { 'kube-apiserver': 'tls' } }))).toThrow(
      'sectionNames.kube-apiserver: "tls" is not a listener of the Gateway gateways/public, which has ' +
      '"wildcard" (*.example.com:443), "k8s" (*.k8s.example.com:443). Add a passthrough listener for the host, or name one of these.');
  });

  test('is the one named like the route where the operator of the platform attaches it', () => {
    const exposure = new Exposure({ ...TENANT, port: 6443, konnectivity: { port: 8132 }, tlsServices: [] });
    const validate = (props: Partial<GatewayApiControllerProps>) =>
      gatewayApi(props).validateRoutes({ exposure, routes: exposure.routes, operatorRoutes: exposure.routes });
    const konnectivity = { name: 'konnectivity-server', hostname: '*.konnectivity.example.com', port: 8132 };
    const remedy = 'Call the listener for tenant-01.k8s.example.com:6443 "kube-apiserver", or have this library create the routes ' +
      '(operatorRoutes of the platform, or ownRoutes).';

    validate({});
    validate({ listeners: [{ name: 'kube-apiserver', port: 6443 }, konnectivity] });
    for (const [listener, description] of [
      [{ name: 'tls', port: 6443 }, '"tls" (any host:6443)'],
      [{ name: 'kube-apiserver' }, '"kube-apiserver" (any host:443)'],
      [{ name: 'kube-apiserver', port: 6443, hostname: '*.example.org' }, '"kube-apiserver" (*.example.org:6443)'],
      [{ name: 'kube-apiserver', port: 8443, publicPort: 6443 }, '"kube-apiserver" (any host:6443, port 8443 of the Gateway)'],
      [{ name: 'kube-apiserver', port: 6443, terminatesTls: true }, '"kube-apiserver" (any host:6443, opens TLS)'],
    ] as [GatewayListener, string][]) {
      expect(() => validate({ listeners: [listener, konnectivity] })).toThrow(new Error(
        'host of kube-apiserver: "tenant-01.k8s.example.com:6443" is not taken by a listener "kube-apiserver" of the Gateway gateways/public, ' +
        'to which the operator of the platform attaches its TLSRoute; the Gateway has ' +
        `${description}, "konnectivity-server" (*.konnectivity.example.com:8132). ${remedy}`));
    }
    expect(() => validate({ sectionNames: { 'kube-apiserver': 'tls' } })).toThrow(new Error(
      'sectionNames.kube-apiserver: "tls" is not known to the operator of the platform, whose TLSRoute attaches to the listener "kube-apiserver". ' + remedy));
  });

  test('must take the host and the port', () => {
    const listeners = [...LISTENERS.slice(2), { name: 'https', port: 444, terminatesTls: true }];
    const has = '"k8s" (*.k8s.example.com:443), "other-port" (*.k8s.example.com:6443), "https" (any host:444, opens TLS)';
    expect(() => bind(gatewayApi({ listeners, sectionNames: { 'kube-apiserver': 'other-port' } }))).toThrow(
      'sectionNames.kube-apiserver: "other-port" does not take tenant-01.k8s.example.com:443 as a listener ' +
      `of the Gateway gateways/public, which has ${has}. Add`);
    expect(() => bind(gatewayApi({ listeners }))).toThrow(
      'host of konnectivity-server: "tenant-01.konnectivity.example.com:443" is taken by no listener ' +
      `of the Gateway gateways/public, which has ${has}. Add`);
  });

  test('does not take the parent of its wildcard', () => {
    const listeners = [{ name: 'k8s', hostname: '*.tenant-01.k8s.example.com' }];
    expect(() => bind(gatewayApi({ listeners }))).toThrow('host of kube-apiserver: "tenant-01.k8s.example.com:443" is taken by no listener');
  });

  test('is never one that opens TLS; one on the same port is a warning', () => {
    const controller = gatewayApi({ listeners: [{ name: 'https', hostname: '*.k8s.example.com', terminatesTls: true }, { name: 'tls', hostname: '*.example.com' }] });
    const { routes, warnings } = bind(controller);
    expect(routes.map(route => route.spec.parentRefs[0].sectionName)).toEqual(['tls', 'tls', 'tls']);
    expect(warnings).toEqual([
      'Gateway gateways/public: the listener "https" opens TLS on port 443, where "tls" passes it through. ' +
      'Implementations may refuse both (ProtocolConflict). Give passthrough a port or a Gateway of its own.',
    ]);
  });

  test('may share the Gateway with one that opens TLS on another port', () => {
    expect(bind(gatewayApi({ listeners: [{ name: 'https', port: 8443, terminatesTls: true }, { name: 'tls' }] })).warnings).toEqual([]);
  });
});

describe('the Gateway API controller', () => {
  test('tells platforms its Gateway and no class', () => {
    expect(gatewayApi().gatewayRef).toEqual(GATEWAY);
    expect(gatewayApi().ingressClassName).toBeUndefined();
    expect(gatewayApi().helmValues()).toEqual({});
  });

  test('refuses source networks', () => {
    expect(() => bind(gatewayApi(), { allowedCidrs: ['10.0.0.0/8'] }))
      .toThrow('cannot be enforced by gateway-api on connections that it does not open: a TLSRoute has no filters. Filter');
  });

  test('refuses a namespace that the Gateway does not take', () => {
    expect(() => bind(gatewayApi({ sameNamespaceOnly: true }))).toThrow(
      'namespace: "tenants" is not that of the Gateway gateways/public, which takes routes of its own namespace alone. ' +
      'Let the Gateway take others (routeNamespaceLabels of PassthroughGateway, allowedRoutes of another one), or move the control plane.');
    expect(sectionsOf(gatewayApi({ sameNamespaceOnly: true, gateway: { name: 'public', namespace: 'tenants' } }))).toHaveLength(3);
  });
});

describe('a PassthroughGateway', () => {
  const create = (props: object = {}, chart = new Chart(new App(), 'management')) => new PassthroughGateway(chart, 'public', {
    namespace: 'gateways',
    gatewayClassName: 'eg',
    listeners: [
      { name: 'kube-apiserver', hostname: '*.k8s.example.com' },
      { name: 'konnectivity-server', hostname: '*.konnectivity.example.com', port: 8132 },
    ],
    ...props,
  });
  const listeners = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `l${i}`, hostname: `*.k${i}.example.com` }));

  test('passes TLS through on every listener, for TLSRoutes of its namespace', () => {
    const listener = (name: string, hostname: string, port: number) => ({
      name,
      hostname,
      port,
      protocol: 'TLS',
      tls: { mode: 'Passthrough' },
      allowedRoutes: { kinds: [{ group: 'gateway.networking.k8s.io', kind: 'TLSRoute' }], namespaces: { from: 'Same' } },
    });
    expect(create().gatewayObject.toJson()).toEqual({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'public', namespace: 'gateways' },
      spec: {
        gatewayClassName: 'eg',
        listeners: [listener('kube-apiserver', '*.k8s.example.com', 443), listener('konnectivity-server', '*.konnectivity.example.com', 8132)],
      },
    });
  });

  test.each([
    [{}, { from: 'All' }],
    [{ 'control-planes': 'yes' }, { from: 'Selector', selector: { matchLabels: { 'control-planes': 'yes' } } }],
  ])('admits the namespaces labelled %p', (routeNamespaceLabels, namespaces) => {
    const { spec } = create({ routeNamespaceLabels }).gatewayObject.toJson();
    expect(spec.listeners.map((listener: any) => listener.allowedRoutes.namespaces)).toEqual([namespaces, namespaces]);
  });

  test('takes a name, labels and annotations for its load balancer', () => {
    const { metadata, spec } = create({ name: 'edge', labels: { a: 'b' }, infrastructureAnnotations: { c: 'd' } }).gatewayObject.toJson();
    expect(metadata).toEqual({ name: 'edge', namespace: 'gateways', labels: { a: 'b' } });
    expect(spec.infrastructure).toEqual({ annotations: { c: 'd' } });
  });

  test('is shared by control planes and finds the listener for each of their routes', () => {
    const app = new App();
    const chart = new Chart(app, 'management');
    const gateway = create({ routeNamespaceLabels: {}, listeners: listeners(1).concat({ name: 'all', hostname: '*.example.com' }) }, chart);
    const controller = gateway.asController({ tlsRouteVersion: TlsRouteVersion.V1ALPHA3, sectionNames: { trustd: 'all' } });
    for (const name of ['a', 'b']) {
      new IngressExposedControlPlane(chart, name, { ...TENANT, name, hostname: `${name}.k0.example.com`, controller, kubernetesVersion: '1.31.0', platform: new PlainPlatform() });
    }
    const manifests = Testing.synth(chart);
    expect(manifests.filter(({ kind }) => kind === 'Gateway')).toHaveLength(1);
    expect(manifests.filter(({ kind }) => kind === 'TLSRoute').map(({ spec }) => spec.parentRefs[0].sectionName))
      .toEqual(['l0', 'all', 'all', 'l0', 'all', 'all']);
    expect(controller.gatewayRef).toEqual({ name: 'public', namespace: 'gateways' });
  });

  test('refuses control planes of namespaces that it does not admit', () => {
    expect(() => bind(create().asController(), { exposure: { konnectivity: { port: 8132 } } })).toThrow('namespace: "tenants" is not that of the Gateway gateways/public');
  });

  test('has its name for itself in its namespace and cluster', () => {
    const app = new App();
    create({}, new Chart(app, 'one'));
    const berlin = new Chart(app, 'two');
    ManagementCluster.assign(berlin, 'berlin');
    create({}, berlin);
    expect(app.node.validate()).toEqual([]);
    create({}, new Chart(app, 'three'));
    expect(app.node.validate()).toEqual(['Gateway in cluster "management": "gateways/public" is used by both one/public and three/public. ' +
      'Rename one of them. If they go to different clusters, say so before anything is made in them: ManagementCluster.assign(chart, "eu-1").']);
  });

  test.each(['labels', 'routeNamespaceLabels'])('refuses %s that are none', field => {
    expect(() => create({ [field]: { team: 'a b' } })).toThrow(`${field}["team"]: "a b" is not the value of a label.`);
  });

  test('can have 64 listeners', () => {
    expect(create({ listeners: listeners(64) }).gatewayObject.toJson().spec.listeners).toHaveLength(64);
    expect(() => create({ listeners: listeners(65) })).toThrow(
      'listeners: 65 is more than the 64 that a Gateway can have. Use wildcard hosts, which serve any number of control planes, or a second Gateway.');
  });

  test.each([
    [[], 'listeners: [] is empty. Give one listener for each kind of host, e.g. "*.k8s.example.com".'],
    [[{ name: 'a', hostname: 'a.example.com' }, { name: 'a', hostname: 'b.example.com' }],
      'listeners[1].name: "a" is the name of two listeners. Give each listener a name of its own.'],
    [[{ name: 'a', hostname: '*.example.com' }, { name: 'b', hostname: '*.example.com' }],
      'listeners[1].hostname: "*.example.com:443" is also the address of the listener "a". Keep one of them, or give them different hosts or ports.'],
    [[{ name: 'A', hostname: '*.example.com' }], 'listeners[0].name: "A" is not the name of an object'],
    [[{ name: 'a', hostname: '*' }], 'listeners[0].hostname: "*" is a wildcard'],
    [[{ name: 'a', hostname: '*.*.example.com' }], 'listeners[0].hostname: "*.example.com" is a wildcard'],
    [[{ name: 'a', hostname: 'a.example.com:443' }], 'listeners[0].hostname: "a.example.com:443" carries a port'],
    [[{ name: 'a', hostname: 'kubernetes.default.svc' }], 'listeners[0].hostname: "kubernetes.default.svc" is an in-cluster name'],
    [[{ name: 'a', hostname: 'a.example.com', port: 0 }], 'listeners[0].port: 0 is not a port'],
    [[{ name: 'a', hostname: 'a.example.com', publicPort: 65536 }], 'listeners[0].publicPort: 65536 is not a port'],
  ])('refuses the listeners %j', (wrong, message) => {
    expect(() => create({ listeners: wrong })).toThrow(message);
  });
});
