import { App, Chart, JsonPatch, Testing } from 'cdk8s';
import { bind, TENANT } from './bind';
import { HostnamePattern, IngressController, IngressExposedControlPlane, PassthroughGateway } from '../../src';
import { CONTROLLERS as MATRIX } from '../conformance/matrix';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

/** Those of the matrix that make an object for each route, and are this library's. */
const CONTROLLERS: { [type: string]: IngressController } = Object.fromEntries(Object.entries(MATRIX)
  .filter(([name]) => !/own|of this library|v1alpha/.test(name))
  .map(([name, make]) => [name, make(new Chart(new App(), 'management'), 'example.com')]));
const HOSTS = ['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com', 'tenant-01.trustd.example.com'];
const CIDRS = ['10.0.0.0/8', '2001:db8::/32'];
/** Those that filter connections which they do not open; whether they do is for the test below. */
const FILTERING = Object.keys(CONTROLLERS).filter(type => {
  try {
    bind(CONTROLLERS[type], { allowedCidrs: CIDRS });
    return true;
  } catch {
    return false;
  }
});

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe.each(Object.entries(CONTROLLERS))('%s', (type, controller) => {
  test('says what it is', () => {
    expect(controller.type).toBe(type);
  });

  test('emits one object for each route, in their order, named after control plane and route', () => {
    const { routes } = bind(controller);
    expect(routes.map(route => route.metadata.name)).toEqual(['tenant-01-kube-apiserver', 'tenant-01-konnectivity-server', 'tenant-01-trustd']);
    expect(routes.map(route => route.metadata.namespace)).toEqual(['tenants', 'tenants', 'tenants']);
  });

  test('emits the API route alone without konnectivity', () => {
    expect(bind(controller, { exposure: { konnectivity: undefined, tlsServices: [] } }).routes.map(hostsOf)).toEqual([[HOSTS[0]]]);
  });

  test('emits only the routes that it is asked for', () => {
    expect(bind(controller, { changeRoutes: routes => routes.slice(1, 2) }).routes.map(hostsOf)).toEqual([[HOSTS[1]]]);
  });

  test('claims each host exactly once and no host that tenants share', () => {
    expect(bind(controller).routes.map(hostsOf)).toEqual(HOSTS.map(host => [host]));
  });

  test('leads each host to its own Service port, by number', () => {
    expect(bind(controller).routes.map(portsOf)).toEqual([[6443], [8132], [50001]]);
  });

  test('gives every object the labels', () => {
    const { routes, others } = bind(controller, { labels: { team: 'platform' } });
    for (const object of [...routes, ...others]) {
      expect(object.metadata.labels).toMatchObject({ team: 'platform' });
    }
  });

  test('keeps fields that users patch in, also unknown ones', () => {
    const { objects } = bind(controller);
    objects[0].addJsonPatch(JsonPatch.add('/spec/fieldOfTheFuture', { on: true }));
    expect(objects[0].toJson().spec.fieldOfTheFuture).toEqual({ on: true });
  });

  test('refuses a route on a port that it does not serve, unless it knows nothing of its ports', () => {
    if (controller.gatewayRef) {
      return;
    }
    expect(() => bind(controller, { exposure: { konnectivity: { port: 8132 } } }))
      .toThrow(/^(port|host) of konnectivity-server: .*8132.* [A-Z].*\.$/);
  });

  test('keeps its own objects apart from routes of any name', () => {
    const names = ['gateway', 'allowed-cidrs-policy', 'allowed-cidrs-middleware', 'kube-apiserver-grant', 'routes'];
    const exposure = { tlsServices: names.map(name => ({ name, servicePort: 50001 })) };
    const allowedCidrs = FILTERING.includes(type) ? CIDRS : undefined;
    expect(bind(controller, { exposure, allowedCidrs }).routes.map(route => route.metadata.name).slice(2)).toEqual(names.map(name => `tenant-01-${name}`));
  });

  test('enforces allowedCidrs, or refuses them', () => {
    if (FILTERING.includes(type)) {
      const { routes, others } = bind(controller, { allowedCidrs: CIDRS });
      expect(CIDRS.filter(cidr => !JSON.stringify([routes, others]).includes(cidr))).toEqual([]);
    } else {
      expect(() => bind(controller, { allowedCidrs: CIDRS })).toThrow(/^allowedCidrs: \["10\.0\.0\.0\/8","2001:db8::\/32"\] cannot be .+\. [A-Z].+\.$/);
    }
  });

  test('says nothing of source networks without allowedCidrs', () => {
    const { routes, others } = bind(controller);
    expect(JSON.stringify([routes, others])).not.toMatch(/allow-?list|allowed-cidrs/i);
  });

  test('has Helm values that YAML can hold', () => {
    expect(JSON.parse(JSON.stringify(controller.helmValues()))).toEqual(controller.helmValues());
  });

  test('serves a control plane, its long name unshortened', () => {
    const name = `t${'a'.repeat(62)}`;
    const chart = new Chart(new App(), 'management');
    const { routeObjects } = new IngressExposedControlPlane(chart, 'tenant', {
      ...TENANT, name, controller, kubernetesVersion: '1.31.0', platform: new PlainPlatform(),
    });
    expect(routeObjects.map(object => object.name)).toEqual([`${name}-kube-apiserver`, `${name}-konnectivity-server`, `${name}-trustd`]);
    expect(Testing.synth(chart).length).toBeGreaterThan(3);
  });
});

// HAProxy Technologies' controller and ingress-nginx compare the server name with its case.
test.each<[string, object]>([
  ['hostname', { hostname: 'Tenant-01.example.com' }],
  ['konnectivity.hostname', { konnectivity: { hostname: 'Konnectivity.example.com' } }],
  ['tlsServices[0].hostname', { tlsServices: [{ name: 'trustd', hostname: 'trustD.example.com', servicePort: 50001 }] }],
  ['domain', { domain: 'Example.com' }],
  ['hostname', { hostnamePattern: HostnamePattern.of('{name}.{service}.API.{domain}') }],
  ['name', { name: 'Tenant-01' }],
  ['namespace', { namespace: 'Tenants' }],
])('no host gets upper-case letters, by %s neither', (field, exposure) => {
  expect(() => bind(CONTROLLERS.haproxy, { exposure })).toThrow(new RegExp(`^${field.replace(/[[\]]/g, '\\$&')}: .*(upper-case|lower-case)`));
});

describe('Ingresses', () => {
  test.each(Object.entries(CONTROLLERS))('of %s have a rule with a host, the path / by prefix and no tls section', (_type, controller) => {
    for (const { kind, spec } of bind(controller).routes) {
      if (kind === 'Ingress') {
        expect(spec.rules).toHaveLength(1);
        expect(spec.rules[0].host).toMatch(/^tenant-01\./);
        expect(spec.rules[0].http.paths).toMatchObject([{ path: '/', pathType: 'Prefix' }]);
        expect(Object.keys(spec).sort()).toEqual(expect.not.arrayContaining(['tls', 'defaultBackend']));
      }
    }
  });

  test.each(Object.entries(CONTROLLERS))('are what %s gets exactly where it passes TLS through for them', (_type, controller) => {
    expect(bind(controller).routes[0].kind === 'Ingress').toBe(controller.passesIngressesThrough);
  });
});

test('two control planes whose names and routes join to the same object name are an error', () => {
  const chart = new Chart(new App(), 'management');
  for (const [name, route] of [['a', 'b-c'], ['a-b', 'c']]) {
    new IngressExposedControlPlane(chart, name, {
      namespace: 'tenants',
      domain: 'example.com',
      kubernetesVersion: '1.31.0',
      platform: new PlainPlatform(),
      controller: CONTROLLERS.traefik,
      tlsServices: [{ name: route, servicePort: 50001 }],
    });
  }
  expect(() => Testing.synth(chart)).toThrow('"tenants/a-b-c" is used by both management/a and management/a-b');
});

describe('upstream schemas', () => {
  test.each(Object.entries(CONTROLLERS))('accept what %s emits', (_type, controller) => {
    const { routes, others } = bind(controller, { labels: { team: 'platform' } });
    [...routes, ...others].forEach(expectValid);
  });

  // There is no schema of Istio's AuthorizationPolicy.
  test.each(FILTERING.filter(type => type !== 'istio'))('accept the source networks of %s', type => {
    const { routes, others } = bind(CONTROLLERS[type], { allowedCidrs: CIDRS });
    [...routes, ...others].forEach(expectValid);
  });

  test('accept a PassthroughGateway', () => {
    const chart = new Chart(new App(), 'management');
    new PassthroughGateway(chart, 'public', {
      namespace: 'gateways',
      gatewayClassName: 'eg',
      listeners: [{ name: 'kube-apiserver', hostname: '*.k8s.example.com' }],
      routeNamespaceLabels: { 'control-planes': 'yes' },
      infrastructureAnnotations: { 'load-balancer.example.com/type': 'public' },
    });
    Testing.synth(chart).forEach(expectValid);
  });
});

/** The SNI hosts of a route object, of any kind. */
function hostsOf({ kind, spec }: any): string[] {
  switch (kind) {
    case 'Ingress': return spec.rules.map((rule: any) => rule.host);
    case 'IngressRouteTCP': return spec.routes.map((route: any) => /^HostSNI\(`(.*)`\)$/.exec(route.match)![1]);
    case 'TransportServer': return [spec.host];
    case 'TLSRoute': return spec.hostnames;
    case 'HTTPProxy': return [spec.virtualhost.fqdn];
    case 'VirtualService': return spec.tls.flatMap((tls: any) => tls.match.flatMap((match: any) => match.sniHosts));
    case 'Route': return [spec.host];
    default: throw new Error(`unknown kind ${kind}`);
  }
}

/** The Service ports of a route object, of any kind. */
function portsOf({ kind, spec }: any): number[] {
  switch (kind) {
    case 'Ingress': return spec.rules.flatMap((rule: any) => rule.http.paths.map((path: any) => path.backend.service.port.number));
    case 'IngressRouteTCP': return spec.routes.flatMap((route: any) => route.services.map((service: any) => service.port));
    case 'TransportServer': return spec.upstreams.map((upstream: any) => upstream.port);
    case 'TLSRoute': return spec.rules.flatMap((rule: any) => rule.backendRefs.map((backend: any) => backend.port));
    case 'HTTPProxy': return spec.tcpproxy.services.map((service: any) => service.port);
    case 'VirtualService': return spec.tls.flatMap((tls: any) => tls.route.map((route: any) => route.destination.port.number));
    case 'Route': return [spec.port.targetPort];
    default: throw new Error(`unknown kind ${kind}`);
  }
}
