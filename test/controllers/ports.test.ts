import { ApiObject, App, Chart, Testing } from 'cdk8s';
import {
  ControllerService, ControlPlanePlatform, GatewayApiControllerProps, HelmDelivery, IngressController, IngressControllerInstall,
  IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServiceEndpoints, KubernetesServicePath, PassthroughGateway,
  PassthroughGatewayProps, TcpRouteVersion, TlsRouteVersion, Warnings,
} from '../../src';
import { expectValid } from '../support/schemas';

const RANGE = { first: 30000, last: 30009 };
const CIDRS = ['203.0.113.0/24', '2001:db8:113::/48'];
const GATEWAY = { name: 'public', namespace: 'gateways' };

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

interface Tenant {
  readonly controlPlane: IngressExposedControlPlane;
  /** What leads the port. */
  readonly objects: any[];
  /** Everything in the chart. */
  readonly all: any[];
}

function tenant(controller: IngressController, props: Partial<IngressExposedControlPlaneProps> = {}, port = 30001): Tenant {
  const chart = new Chart(new App(), 'management');
  const controlPlane = new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: ControlPlanePlatform.kamaji(),
    controller,
    kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port }),
    ...props,
  });
  lead(controlPlane);
  return { controlPlane, objects: controlPlane.portRouteObjects.map(object => object.toJson()), all: chart.toJson() };
}

/** Leads pods of the tenant to the port. */
function lead(controlPlane: IngressExposedControlPlane): void {
  if (controlPlane.exposure.portRoute) {
    new KubernetesServiceEndpoints(new Chart(controlPlane.node.root as App, controlPlane.exposure.name), 'kubernetes', { controlPlane });
  }
}

function gateway(props: Partial<GatewayApiControllerProps> = {}): IngressController {
  return IngressController.gatewayApi({ gateway: GATEWAY, ...props });
}

/** Those that serve ports, and how they are told which. */
const SERVING: { [name: string]: () => IngressController } = {
  'traefik': () => IngressController.traefik({ portRange: RANGE }),
  'haproxy-ingress': () => IngressController.haproxyIngress({ portRange: RANGE }),
  'f5-nginx': () => IngressController.f5Nginx({ portRange: RANGE }),
  'istio': () => IngressController.istio({ portRange: RANGE }),
  'gateway-api': () => gateway({ portRange: RANGE }),
  'kgateway': () => IngressController.kgateway({ gateway: GATEWAY, portRange: RANGE }),
  'gateway-api with listener sets': () => gateway({ portRange: RANGE, listenerSets: true }),
};
/** Those that know who connects to the port. */
const FILTERING = ['traefik', 'haproxy-ingress'];
const REFUSING: { [name: string]: () => IngressController } = {
  'haproxy': () => IngressController.haproxy(),
  'ingress-nginx': () => IngressController.ingressNginx(),
  'contour': () => IngressController.contour(),
  'openshift': () => IngressController.openshift(),
  'cilium': () => IngressController.cilium(),
  'generic': () => IngressController.generic({ annotations: { 'edge.test/passthrough': 'on' } }),
};

describe.each(Object.entries(SERVING))('%s', (name, make) => {
  test('leads the port to the API server, by objects that its schemas take', () => {
    const { objects, all } = tenant(make());
    objects.forEach(expectValid);
    const text = JSON.stringify(objects);
    expect(text).toContain('30001');
    expect(text).toContain('"tenant-01"');
    expect(text).toContain('6443');
    expect(objects.every(({ metadata }) => metadata.namespace === 'tenants')).toBe(true);
    expect(new Set(all.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).size).toBe(all.length);
  });

  test('never names a host of the tenant at its port', () => {
    expect(JSON.stringify(tenant(make()).objects)).not.toContain('example.com');
  });

  test('takes a port of its range where none is given', () => {
    const { controlPlane } = tenant(make(), { kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'] }) });
    const { port } = controlPlane.exposure.portRoute!;
    expect([RANGE.first <= port, port <= RANGE.last]).toEqual([true, true]);
  });

  test('gives the objects the labels', () => {
    tenant(make(), { labels: { team: 'platform' } }).objects.forEach(({ metadata }) => expect(metadata.labels).toMatchObject({ team: 'platform' }));
  });

  test('lets in the allowed networks alone at the port too, or refuses them', () => {
    if (FILTERING.includes(name)) {
      const { objects, all } = tenant(make(), { allowedCidrs: CIDRS });
      all.filter(({ kind }) => kind !== 'NetworkPolicy').forEach(expectValid);
      const [object] = objects;
      const list = object.kind === 'IngressRouteTCP'
        ? all.find(({ kind, metadata }) => kind === 'MiddlewareTCP' && metadata.name === object.spec.routes[0].middlewares[0].name).spec.ipAllowList.sourceRange
        : object.metadata.annotations['haproxy-ingress.github.io/allowlist-source-range'].split(',');
      expect(list).toEqual(CIDRS);
    } else {
      // Istio enforces them for hosts.
      expect(() => make().bindPort(new Chart(new App(), 'other'), { ...bindOptions(make()), allowedCidrs: CIDRS })).toThrow(/^allowedCidrs: .* cannot be enforced by /);
    }
  });

  test('gives two tenants no port together, whatever their addresses are', () => {
    const chart = new Chart(new App(), 'management');
    for (const [i, id] of ['tenant-01', 'tenant-02'].entries()) {
      lead(new IngressExposedControlPlane(chart, id, {
        namespace: 'tenants',
        kubernetesVersion: '1.34.3',
        domain: 'example.com',
        platform: ControlPlanePlatform.kamaji(),
        controller: make(),
        kubernetesService: KubernetesServicePath.port({ addresses: [`203.0.113.${i + 1}`], port: 30001 }),
      }));
    }
    expect(() => Testing.synth(chart)).toThrow(/port of .*: "30001" is used by both management\/tenant-01 and management\/tenant-02/);
  });
});

/** What a control plane asks of its controller. */
function bindOptions(controller: IngressController) {
  const { controlPlane: { exposure } } = tenant(controller);
  return { exposure, route: exposure.portRoute! };
}

test.each(Object.entries(SERVING).filter(([name]) => !name.startsWith('gateway-api') && name !== 'kgateway'))('%s refuses a port that it has no listener for', (_, make) => {
  expect(() => tenant(make(), {}, 30010)).toThrow(/kubernetesService\.port: 30010 is not among the ports of \S+ for tenants, 30000 to 30009\. Give the controller a portRange/);
});

test.each(['traefik', 'haproxyIngress', 'f5Nginx', 'istio'] as const)('%s refuses a port without a portRange', name => {
  expect(() => tenant(IngressController[name]())).toThrow(/kubernetesService\.port: 30001 .*Give the controller a portRange that has the port/);
});

test.each(Object.entries(REFUSING))('%s says that it cannot serve a port, and what can', (_, make) => {
  expect(make().servesPorts).toBe(false);
  expect(() => tenant(make())).toThrow(/kubernetesService\.port: 30001 cannot be served by .+ Use a SharedIngressGateway with a portRange, or KubernetesServicePath\.tcpProxy\(\)/);
});

describe('ranges of ports', () => {
  test.each([
    ['traefik', () => IngressController.traefik({ portRange: { first: 400, last: 500 } })],
    ['f5-nginx', () => IngressController.f5Nginx({ portRange: { first: 400, last: 500 } })],
    ['haproxy-ingress', () => IngressController.haproxyIngress({ portRange: { first: 400, last: 500 } })],
    ['istio', () => IngressController.istio({ portRange: { first: 400, last: 500 } })],
  ])('of %s leave out the port of the hosts', (_, make) => {
    expect(make).toThrow(/portRange: \{"first":400,"last":500\} has the port 443/);
  });

  test.each([
    ['traefik', () => IngressController.traefik({ portRange: { first: 20000, last: 20500 } })],
    ['f5-nginx', () => IngressController.f5Nginx({ portRange: { first: 20000, last: 20500 } })],
    ['haproxy-ingress', () => IngressController.haproxyIngress({ portRange: { first: 20000, last: 20500 } })],
  ])('of %s have 500 ports at most', (_, make) => {
    expect(make).toThrow('portRange: {"first":20000,"last":20500} has 501 ports, for each of which the controller listens. Give 500 at most');
  });
});

describe('Traefik', () => {
  test('passes TLS through at the entry point of the port, whatever the host', () => {
    const [{ kind, spec }] = tenant(SERVING.traefik()).objects;
    expect([kind, spec.entryPoints, spec.routes[0].match, spec.tls]).toEqual(['IngressRouteTCP', ['port-30001'], 'HostSNI(`*`)', { passthrough: true }]);
  });

  test('has the entry points of tenants in its chart, and none of them by default for routers of others', () => {
    const { ports } = SERVING.traefik().helmValues();
    expect(Object.keys(ports).filter(name => name.startsWith('port-'))).toHaveLength(10);
    expect(ports['port-30001']).toMatchObject({ exposedPort: 30001, expose: { default: true }, protocol: 'TCP' });
    expect(Object.entries<any>(ports).filter(([, { asDefault }]) => asDefault).map(([name]) => name).sort()).toEqual(['web', 'websecure']);
  });

  test('leaves the default entry points alone without ports of tenants', () => {
    expect(JSON.stringify(IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } }).helmValues())).not.toContain('asDefault');
  });

  test('finds a server whose public port is a tenant\'s by the port alone', () => {
    const { all } = tenant(SERVING.traefik(), { port: 30002, konnectivity: { port: 443 } });
    const routes = all.filter(({ kind }) => kind === 'IngressRouteTCP').map(({ metadata, spec }) => [metadata.name, spec.entryPoints[0], spec.routes[0].match]);
    expect(routes).toEqual([
      ['tenant-01-kube-apiserver', 'port-30002', 'HostSNI(`*`)'],
      ['tenant-01-konnectivity-server', 'websecure', 'HostSNI(`tenants-tenant-01.konnectivity.example.com`)'],
      ['tenant-01-kubernetes-service', 'port-30001', 'HostSNI(`*`)'],
    ].map(row => expect.arrayContaining([row[0], row[1], expect.any(String)])));
    expect(routes.map(([, , match]) => match.includes('*'))).toEqual([true, false, true]);
  });
});

describe('a Gateway', () => {
  test('gets a TCPRoute at the listener that is called after the port', () => {
    const [route] = tenant(gateway()).objects;
    expect(route).toMatchObject({ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'TCPRoute' });
    expect(route.spec).toEqual({
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', ...GATEWAY, sectionName: 'port-30001' }],
      rules: [{ backendRefs: [{ name: 'tenant-01', port: 6443 }] }],
    });
  });

  test.each(Object.values(TcpRouteVersion))('gets it in version %s where that is asked for', tcpRouteVersion => {
    const [route] = tenant(gateway({ tcpRouteVersion })).objects;
    expect(route.apiVersion).toBe(`gateway.networking.k8s.io/${tcpRouteVersion}`);
    expectValid(route);
  });

  const listeners = [{ name: 'k8s', hostname: '*.k8s.example.com' }, { name: 'acme', port: 40001, publicPort: 30001, tcp: true }];

  test('gets it at the listener of TCP for the public port, where the listeners are known', () => {
    expect(tenant(gateway({ listeners })).objects[0].spec.parentRefs[0].sectionName).toBe('acme');
  });

  test('is an error without such a listener', () => {
    expect(() => tenant(gateway({ listeners }), {}, 30002)).toThrow(
      'kubernetesService.port: 30002 is that of no listener of TCP of the Gateway gateways/public, which has "k8s" (*.k8s.example.com:443), "acme" (TCP:30001, port 40001 of the Gateway).');
  });

  test('never leads a host to a listener of TCP', () => {
    expect(() => tenant(gateway({ listeners: [listeners[1]] }))).toThrow(/host of kube-apiserver: .* is taken by no listener/);
  });

  test.each([
    [{ name: 'b', port: 443, tcp: true }, 'listeners[1].port: 443 is also that of the listener "a"'],
    [{ name: 'b', port: 8443, tcp: true, hostname: 'b.example.com' }, 'listeners[1].tcp: true is set for a listener with a host'],
    [{ name: 'b', port: 8443, tcp: true, terminatesTls: true }, 'listeners[1].tcp: true is set for a listener with a host, or one that opens TLS'],
  ])('has no listener of TCP like %j', (listener, message) => {
    expect(() => gateway({ listeners: [{ name: 'a', hostname: '*.example.com' }, listener] })).toThrow(message);
  });

  test('gets a listener from the tenant itself by a ListenerSet, which takes the tenant\'s route alone', () => {
    const { all, objects: [route] } = tenant(gateway({ listenerSets: true }));
    const set = all.find(({ kind }) => kind === 'ListenerSet');
    expectValid(set);
    expect(set.spec).toEqual({
      parentRef: { group: 'gateway.networking.k8s.io', kind: 'Gateway', ...GATEWAY },
      listeners: [{
        name: 'kubernetes-service',
        port: 30001,
        protocol: 'TCP',
        allowedRoutes: { kinds: [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute' }], namespaces: { from: 'Same' } },
      }],
    });
    expect(route.spec.parentRefs).toEqual([
      { group: 'gateway.networking.k8s.io', kind: 'ListenerSet', name: set.metadata.name, namespace: 'tenants', sectionName: 'kubernetes-service' },
    ]);
  });

  test('may lead to the Services of HyperShift, which are in another namespace', () => {
    const { all } = tenant(gateway({ portRange: RANGE, tlsRouteVersion: TlsRouteVersion.V1 }), {
      platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' }),
      port: 30001,
      konnectivity: {},
      kubernetesService: undefined,
      networkPolicy: { namespaces: ['envoy-gateway-system'] },
    });
    const [api] = all.filter(({ kind }) => kind === 'TCPRoute');
    expect(api.spec.rules[0].backendRefs).toEqual([{ name: 'kube-apiserver', namespace: 'tenants-tenant-01', port: 6443 }]);
    expect(all.find(({ kind, spec }) => kind === 'ReferenceGrant' && spec.from[0].kind === 'TCPRoute').spec.to).toEqual([{ group: '', kind: 'Service', name: 'kube-apiserver' }]);
  });
});

describe('PassthroughGateway', () => {
  const props: PassthroughGatewayProps = {
    namespace: 'gateways', gatewayClassName: 'eg', listeners: [{ name: 'k8s', hostname: '*.k8s.example.com' }], routeNamespaceLabels: { 'control-planes': 'yes' },
  };
  const made = (further: Partial<PassthroughGatewayProps>) => {
    const edge = new PassthroughGateway(new Chart(new App(), 'management'), 'public', { ...props, ...further });
    const manifest = edge.gatewayObject.toJson();
    expectValid(manifest);
    return { edge, spec: manifest.spec };
  };

  test('has a listener of TCP for each port of a range, for TCPRoutes alone', () => {
    const { edge, spec } = made({ portRange: RANGE });
    expect(spec.listeners).toHaveLength(11);
    expect(spec.listeners[2]).toEqual({
      name: 'port-30001',
      port: 30001,
      protocol: 'TCP',
      allowedRoutes: {
        kinds: [{ group: 'gateway.networking.k8s.io', kind: 'TCPRoute' }], namespaces: { from: 'Selector', selector: { matchLabels: { 'control-planes': 'yes' } } },
      },
    });
    expect(edge.asController().tenantPortRange).toEqual(RANGE);
  });

  test('has room for 64 listeners in all', () => {
    expect(made({ portRange: { first: 30000, last: 30062 } }).spec.listeners).toHaveLength(64);
    expect(() => made({ portRange: { first: 30000, last: 30063 } })).toThrow('has more ports than the 63 listeners that a Gateway can have beside these. Set listenerSets');
  });

  test('lets tenants bring any number of listeners where it allows ListenerSets', () => {
    const { edge, spec } = made({ portRange: { first: 20000, last: 29999 }, listenerSets: true });
    expect(spec.listeners).toHaveLength(1);
    expect(spec.allowedListeners).toEqual({ namespaces: { from: 'Selector', selector: { matchLabels: { 'control-planes': 'yes' } } } });
    expect(edge.controllerProps()).toMatchObject({ listenerSets: true });
  });

  test('allows no ListenerSets unless it is told', () => {
    expect(made({}).spec.allowedListeners).toBeUndefined();
  });
});

test('the chart of F5 NGINX has a listener, a port of the pods and one of the Service for each port', () => {
  const { controller } = IngressController.f5Nginx({ portRange: { first: 30000, last: 30000 } }).helmValues();
  expect(controller).toMatchObject({
    globalConfiguration: { create: true, spec: { listeners: [{ name: 'port-30000', port: 30000, protocol: 'TCP' }] } },
    customPorts: [{ name: 'port-30000', containerPort: 30000, protocol: 'TCP' }],
    service: { customPorts: [{ name: 'port-30000', port: 30000, targetPort: 30000, protocol: 'TCP' }] },
  });
});

describe.each(['traefik', 'gateway-api', 'kgateway', 'gateway-api with listener sets'])('at the ports of %s, which finds servers there by the port alone,', name => {
  const none = KubernetesServicePath.none({ reason: 'pods are of no interest here' });
  const entry = { name: 'partner', hostname: 'partner.example.net', port: 30003 };
  const service = { name: 'oauth', serviceName: 'oauth', servicePort: 9443, port: 30003 };

  test.each<[string, Partial<IngressExposedControlPlaneProps>, string]>([
    ['konnectivity, which has the port of the API server by default', { port: 30003, konnectivity: {} }, 'konnectivity-server: 30003 is also that of kube-apiserver'],
    ['another entry', { port: 30003, furtherEntries: [entry] }, 'kube-apiserver-partner: 30003 is also that of kube-apiserver'],
    ['konnectivity of another entry', { konnectivity: {}, furtherEntries: [{ ...entry, konnectivityHostname: 'agents.example.net' }] },
      'konnectivity-server-partner: 30003 is also that of kube-apiserver-partner'],
    ['a TLS service', { port: 30003, tlsServices: [service] }, 'oauth: 30003 is also that of kube-apiserver'],
  ])('two servers of one control plane cannot share one: %s', (_, props, message) => {
    expect(() => tenant(SERVING[name](), { kubernetesService: none, ...props })).toThrow(`port of ${message}`);
  });

  test('servers have one each', () => {
    const { all } = tenant(SERVING[name](), { kubernetesService: none, port: 30004, konnectivity: { port: 30005 }, tlsServices: [service] });
    expect(all.filter(({ kind }) => kind === 'TCPRoute' || kind === 'IngressRouteTCP')).toHaveLength(3);
  });

  test('an entry behind another edge may have the same', () => {
    const other = IngressController.gatewayApi({ gateway: { name: 'private', namespace: 'gateways' }, portRange: RANGE });
    expect(() => tenant(SERVING[name](), { kubernetesService: none, port: 30003, furtherEntries: [{ ...entry, controller: other }] })).not.toThrow();
  });
});

describe('HAProxy Ingress', () => {
  test('does not take the Ingress of a port for one of a host', () => {
    const [{ metadata, spec }] = tenant(SERVING['haproxy-ingress']()).objects;
    expect(metadata.annotations).toMatchObject({ 'haproxy-ingress.github.io/tcp-service-port': '30001', 'haproxy-ingress.github.io/timeout-tunnel': '1h' });
    expect(metadata.annotations).not.toHaveProperty(['haproxy-ingress.github.io/ssl-passthrough']);
    expect(spec.rules).toBeUndefined();
  });

  test('warns of IPv6 addresses, on which it does not listen', () => {
    const { controlPlane } = tenant(SERVING['haproxy-ingress'](), {
      network: { serviceCidrs: ['fd00:96::/112'], podCidrs: ['fd00:244::/56'] },
      nodesReachable: true,
      kubernetesService: KubernetesServicePath.port({ addresses: ['2001:db8::10'], port: 30001 }),
    });
    expect(Warnings.of(controlPlane)).toEqual([expect.stringContaining('haproxy-ingress listens on IPv4 alone at ports of tenants')]);
  });
});

describe('synthesis finds what takes the port of a tenant away', () => {
  const named = (apiVersion: string, kind: string, spec: object, annotations?: { [name: string]: string }) =>
    ({ apiVersion, kind, metadata: { name: 'web', namespace: 'apps', annotations }, spec });
  const errorsWith = (controller: IngressController, manifest: ReturnType<typeof named>) => {
    const { controlPlane } = tenant(controller);
    new ApiObject(new Chart(controlPlane.node.root as App, 'apps'), 'web', manifest);
    return controlPlane.node.root.node.findAll().flatMap(({ node }) => node.validate()).filter(text => text.startsWith('port of '));
  };
  const GROUP = 'gateway.networking.k8s.io/v1';
  const atGateway = (further: object) => ({ parentRefs: [{ ...GATEWAY, ...further }] });

  test.each<[string, string, ReturnType<typeof named>]>([
    ['an IngressRouteTCP', 'traefik', named('traefik.io/v1alpha1', 'IngressRouteTCP', { entryPoints: ['web', 'port-30001'], routes: [] })],
    ['an IngressRoute', 'traefik', named('traefik.io/v1alpha1', 'IngressRoute', { entryPoints: ['port-30001'], routes: [] })],
    ['an Ingress of Traefik', 'traefik', named('networking.k8s.io/v1', 'Ingress', {}, { 'traefik.ingress.kubernetes.io/router.entrypoints': 'web, port-30001' })],
    ['a TCPRoute', 'gateway-api', named(GROUP, 'TCPRoute', atGateway({ sectionName: 'port-30001' }))],
    ['a TCPRoute by its port', 'kgateway', named(GROUP, 'TCPRoute', atGateway({ port: 30001 }))],
    ['a ListenerSet', 'gateway-api with listener sets', named(GROUP, 'ListenerSet', { parentRef: GATEWAY, listeners: [{ name: 'web', port: 30001, protocol: 'HTTP' }] })],
  ])('%s', (_, name, manifest) => {
    expect(errorsWith(SERVING[name](), manifest)).toEqual([expect.stringMatching(
      new RegExp(`^port of .*: 30001 of management/tenant-01 \\(kubernetes-service\\) is also taken by the ${manifest.kind} of apps/web, .* Give the object a port of its own\\.$`))]);
  });

  test.each<[string, string, ReturnType<typeof named>]>([
    ['an IngressRoute at another port', 'traefik', named('traefik.io/v1alpha1', 'IngressRoute', { entryPoints: ['port-30002'], routes: [] })],
    ['an IngressRoute at every entry point, of which the chart leaves ports out', 'traefik', named('traefik.io/v1alpha1', 'IngressRoute', { routes: [] })],
    ['a TCPRoute at another listener', 'gateway-api', named(GROUP, 'TCPRoute', atGateway({ sectionName: 'port-30002' }))],
    ['a TCPRoute at another Gateway', 'gateway-api', named(GROUP, 'TCPRoute', atGateway({ name: 'private', sectionName: 'port-30001' }))],
    ['a ListenerSet of another Gateway', 'gateway-api', named(GROUP, 'ListenerSet', { parentRef: { name: 'public' }, listeners: [{ name: 'web', port: 30001 }] })],
    ['an object of another controller', 'f5-nginx', named('traefik.io/v1alpha1', 'IngressRoute', { entryPoints: ['port-30001'], routes: [] })],
  ])('but not %s', (_, name, manifest) => {
    expect(errorsWith(SERVING[name](), manifest)).toEqual([]);
  });
});

test.each<[string, IngressController, string]>([
  ['traefik', IngressController.traefik({ portRange: RANGE }), '41.3.0'],
  ['haproxy-ingress', IngressController.haproxyIngress({ portRange: RANGE }), '0.16.1'],
  ['f5-nginx', IngressController.f5Nginx({ portRange: RANGE }), '2.4.4'],
])('the installation of %s has the ports of tenants, beside what it has anyway', (_, controller, chartVersion) => {
  const { values } = new IngressControllerInstall(new Chart(new App(), 'management'), 'edge', {
    controller, chartVersion, namespace: 'edge', delivery: HelmDelivery.flux(), service: ControllerService.loadBalancer({ sourceRanges: ['203.0.113.0/24'] }),
  });
  const text = JSON.stringify(values);
  for (let port = RANGE.first; port <= RANGE.last; port++) {
    expect(text).toContain(String(port));
  }
  expect(text).toContain('203.0.113.0/24');
});
