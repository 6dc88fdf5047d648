import { bind } from './bind';
import { IngressAnnotationControllerProps, IngressController } from '../../src';

const FACTORIES: [string, (props: IngressAnnotationControllerProps) => IngressController, string | undefined, { [name: string]: string }][] = [
  ['haproxy', IngressController.haproxy, 'haproxy', { 'haproxy.org/ssl-passthrough': 'true' }],
  ['haproxy-ingress', IngressController.haproxyIngress, 'haproxy',
    { 'haproxy-ingress.github.io/ssl-passthrough': 'true', 'haproxy-ingress.github.io/timeout-tunnel': '1h' }],
  ['ingress-nginx', IngressController.ingressNginx, 'nginx', { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' }],
  ['cilium', IngressController.cilium, 'cilium', { 'ingress.cilium.io/loadbalancer-mode': 'shared', 'ingress.cilium.io/tls-passthrough': 'enabled' }],
  ['generic', IngressController.generic, undefined, {}],
];

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe.each(FACTORIES)('the %s controller', (type, create, className, annotations) => {
  test('emits an Ingress for the host, with its passthrough annotations and no others', () => {
    const { routes, others } = bind(create({}));
    expect(routes[0]).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'tenant-01-kube-apiserver',
        namespace: 'tenants',
        ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      },
      spec: {
        ...(className ? { ingressClassName: className } : {}),
        rules: [{
          host: 'tenant-01.k8s.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'tenant-01', port: { number: 6443 } } } }] },
        }],
      },
    });
    expect(others).toEqual([]);
  });

  test('tells platforms its class and annotations', () => {
    expect(create({}).ingressClassName).toBe(className);
    expect(create({}).ingressAnnotations).toEqual(annotations);
  });

  test('takes a class, a port and annotations, which never switch passthrough off', () => {
    const off = Object.fromEntries(Object.keys(annotations).filter(name => !/timeout/.test(name)).map(name => [name, 'off']));
    const controller = create({ ingressClassName: 'public', port: 6443, annotations: { ...off, 'example.com/a': 'b' } });
    const { routes } = bind(controller, { exposure: { port: 6443 } });
    expect(routes[0].spec.ingressClassName).toBe('public');
    expect(routes[0].metadata.annotations).toEqual({ 'example.com/a': 'b', ...annotations });
  });

  test('refuses another port than its own', () => {
    expect(() => bind(create({ port: 6443 }))).toThrow(
      `port of kube-apiserver: 443 is not served by ${type}, whose public port is 6443. ` +
      'Use port 6443 with a host of its own, or set "port" of the controller to the port that clients connect to.');
    expect(() => create({ port: 0 })).toThrow('port: 0 is not a port.');
  });

  test('refuses a Service of another namespace', () => {
    expect(() => bind(create({}), { changeRoutes: ([api]) => [{ ...api, serviceNamespace: 'clusters' }] }))
      .toThrow(`routes of ${type} lead to Services beside them`);
  });
});

describe('source networks', () => {
  test.each([
    [IngressController.haproxy(), 'haproxy.org/allow-list'],
    [IngressController.haproxyIngress(), 'haproxy-ingress.github.io/allowlist-source-range'],
  ])('are an annotation of every Ingress: %#', (controller, annotation) => {
    const { routes } = bind(controller, { allowedCidrs: ['10.0.0.0/8', '192.0.2.0/24'] });
    expect(routes.map(route => route.metadata.annotations[annotation])).toEqual(Array(3).fill('10.0.0.0/8,192.0.2.0/24'));
  });

  test('are refused by ingress-nginx', () => {
    expect(() => bind(IngressController.ingressNginx(), { allowedCidrs: ['10.0.0.0/8'] })).toThrow(
      'allowedCidrs: ["10.0.0.0/8"] cannot be enforced by ingress-nginx on connections that it does not open: ' +
      'its passthrough ignores every other annotation, whitelist-source-range too. ' +
      'Filter at the load balancer in front and leave allowedCidrs out, or use traefik, haproxy, haproxyIngress, istio or openshift.');
  });

  test('are refused by Cilium', () => {
    expect(() => bind(IngressController.cilium(), { allowedCidrs: ['10.0.0.0/8'] })).toThrow(
      'cannot be enforced by cilium on connections that it does not open: its network policies filter the shared ingress as a whole, for every tenant. Filter');
  });

  test('are refused by the generic controller', () => {
    expect(() => bind(IngressController.generic({}), { allowedCidrs: ['10.0.0.0/8'] })).toThrow(
      'allowedCidrs: ["10.0.0.0/8"] cannot be translated: the generic controller does not know the annotation of yours. ' +
      'Put the annotation into "annotations" of the controller and leave allowedCidrs out.');
  });
});

describe('haproxy-ingress', () => {
  const cidrs = ['10.0.0.0/8', '2001:db8::/32'];

  test('warns of IPv6 networks, from which nobody reaches it unless it listens there', () => {
    expect(bind(IngressController.haproxyIngress(), { allowedCidrs: cidrs }).warnings).toEqual([
      'haproxy-ingress listens on IPv4 alone before version 0.17 unless it is told, so clients of IPv6 networks in allowedCidrs do not reach it. ' +
      'Set "ipv6" of the controller: its helmValues then have the setting.',
    ]);
    expect(bind(IngressController.haproxyIngress(), { allowedCidrs: ['10.0.0.0/8'] }).warnings).toEqual([]);
    expect(bind(IngressController.haproxyIngress({ ipv6: true }), { allowedCidrs: cidrs }).warnings).toEqual([]);
  });

  test('lets users say how long a connection may be silent', () => {
    const timeout = { 'haproxy-ingress.github.io/timeout-tunnel': '24h' };
    expect(IngressController.haproxyIngress({ annotations: timeout }).ingressAnnotations).toMatchObject(timeout);
  });
});

describe('Helm values', () => {
  test('of haproxy leave the ConfigMap alone, where passthrough would apply to every Ingress', () => {
    expect(IngressController.haproxy({ ingressClassName: 'public' }).helmValues())
      .toEqual({ controller: { ingressClass: 'public', ingressClassResource: { name: 'public' } } });
  });

  test('of haproxy-ingress create the class, and leave the Gateway API alone', () => {
    expect(IngressController.haproxyIngress().helmValues())
      .toEqual({ controller: { ingressClass: 'haproxy', ingressClassResource: { enabled: true }, extraArgs: { 'watch-gateway': 'false' } } });
  });

  test('of haproxy-ingress have it listen on both families', () => {
    expect(IngressController.haproxyIngress({ ipv6: true }).helmValues().controller.config)
      .toEqual({ 'bind-http': ':80,:::80', 'bind-https': ':443,:::443' });
  });

  test('give a class of its own a controller value of its own, so that no other installation serves it too', () => {
    expect(IngressController.ingressNginx({ ingressClassName: 'edge' }).helmValues().controller.ingressClassResource)
      .toEqual({ name: 'edge', controllerValue: 'k8s.io/ingress-nginx-edge' });
    expect(IngressController.haproxyIngress({ ingressClassName: 'edge' }).helmValues().controller)
      .toMatchObject({ ingressClass: 'edge', ingressClassResource: { enabled: true, controllerClass: 'edge' } });
    // Its chart makes the controller value of the class by itself: haproxy.org/ingress-controller/edge.
    expect(IngressController.haproxy({ ingressClassName: 'edge' }).helmValues().controller.ingressClass).toBe('edge');
  });

  test('of ingress-nginx set the flag', () => {
    expect(IngressController.ingressNginx().helmValues())
      .toEqual({ controller: { extraArgs: { 'enable-ssl-passthrough': 'true' }, ingressClassResource: { name: 'nginx' } } });
  });

  test('of Cilium turn on one shared load balancer', () => {
    expect(IngressController.cilium().helmValues()).toEqual({ ingressController: { enabled: true, loadbalancerMode: 'shared' } });
  });

  test('of the generic controller are unknown', () => {
    expect(IngressController.generic({}).helmValues()).toEqual({});
  });
});

describe('ingress-nginx', () => {
  test('warns of its retirement, its flag and its reading of a ClientHello', () => {
    expect(IngressController.ingressNginx().warnings).toEqual([
      'ingress-nginx is retired: no releases and no security fixes since March 2026. Prefer another controller, e.g. haproxy, traefik or gatewayApi.',
      'ingress-nginx passes TLS through only with the controller flag --enable-ssl-passthrough (see helmValues); ' +
      'without it clients meet the "Kubernetes Ingress Controller Fake Certificate".',
      'ingress-nginx reads a ClientHello in one piece (kubernetes/ingress-nginx#11424); clients with post-quantum key shares send several ' +
      'packets and may meet the default backend.',
    ]);
  });

  test('is the only one of these that warns', () => {
    const warning = FACTORIES.filter(([, create]) => create({ ingressClassName: 'own' }).warnings.length > 0);
    expect(warning.map(([type]) => type)).toEqual(['ingress-nginx']);
  });
});

describe('the generic controller', () => {
  test.each([{}, { annotations: {} }])('warns when nothing turns passthrough on: %j', props => {
    expect(IngressController.generic(props).warnings).toEqual([
      'generic: neither annotations nor an ingressClassName are given, so nothing turns TLS passthrough on, and the cluster\'s default controller may open TLS. ' +
      'Give the annotations of your controller, e.g. { "example.com/ssl-passthrough": "true" }.',
    ]);
  });

  test.each([{ ingressClassName: 'own' }, { annotations: { 'example.com/ssl-passthrough': 'true' } }])('does not warn otherwise: %j', props => {
    expect(IngressController.generic(props).warnings).toEqual([]);
  });
});
