import { bind } from './bind';
import { IngressController } from '../../src';

const METADATA = { name: 'tenant-01-kube-apiserver', namespace: 'tenants' };
const OTHER_SERVICE = { changeRoutes: ([api]: any[]) => [{ ...api, serviceNamespace: 'clusters' }] };

describe('the F5 NGINX controller', () => {
  test('emits a TransportServer on the passthrough listener, with idle time for watches', () => {
    const { routes, others } = bind(IngressController.f5Nginx());
    expect(routes[0]).toEqual({
      apiVersion: 'k8s.nginx.org/v1',
      kind: 'TransportServer',
      metadata: METADATA,
      spec: {
        ingressClassName: 'nginx',
        listener: { name: 'tls-passthrough', protocol: 'TLS_PASSTHROUGH' },
        host: 'tenant-01.k8s.example.com',
        upstreams: [{ name: 'control-plane', service: 'tenant-01', port: 6443 }],
        sessionParameters: { timeout: '1h' },
        action: { pass: 'control-plane' },
      },
    });
    expect(others).toEqual([]);
    expect(JSON.stringify(routes)).not.toContain('nginx.ingress.kubernetes.io');
  });

  test('takes a class, a port and an idle time', () => {
    const { routes } = bind(IngressController.f5Nginx({ ingressClassName: 'f5', port: 6443, idleTimeout: '4h' }), { exposure: { port: 6443 } });
    expect(routes[0].spec).toMatchObject({ ingressClassName: 'f5', sessionParameters: { timeout: '4h' } });
  });

  test('refuses source networks', () => {
    expect(() => bind(IngressController.f5Nginx(), { allowedCidrs: ['10.0.0.0/8'] }))
      .toThrow('cannot be enforced by f5-nginx on connections that it does not open: a TransportServer takes no access policy. Filter');
  });

  test('has Helm values that turn custom resources and passthrough on, and give the public server the idle time', () => {
    expect(IngressController.f5Nginx({ ingressClassName: 'f5', idleTimeout: '4h' }).helmValues()).toEqual({
      controller: {
        enableCustomResources: true,
        enableTLSPassthrough: true,
        ingressClass: { name: 'f5' },
        config: { entries: { 'stream-snippets': 'proxy_timeout 4h;' } },
      },
    });
    expect(IngressController.f5Nginx().helmValues().controller.config.entries['stream-snippets']).toBe('proxy_timeout 1h;');
  });

  test.each(['1h', '90', '1h30m', '3600s', '1d', '500ms'])('takes %p as an idle time', idleTimeout => {
    expect(() => IngressController.f5Nginx({ idleTimeout })).not.toThrow();
  });

  test.each(['', '0', '0s', 'forever', '1h;', '1h; include /etc/passwd', '1h\n', '1m1h', '-1h', '1.5h', '1H'])('refuses %p as an idle time', idleTimeout => {
    expect(() => IngressController.f5Nginx({ idleTimeout })).toThrow(`idleTimeout: ${JSON.stringify(idleTimeout)} is not a time of NGINX. ` +
      'Give numbers with units from the largest to the smallest, e.g. "4h" or "1h30m".');
  });
});

describe('the Contour controller', () => {
  test('emits an HTTPProxy that passes the host through', () => {
    const { routes, others } = bind(IngressController.contour());
    expect(routes[0]).toEqual({
      apiVersion: 'projectcontour.io/v1',
      kind: 'HTTPProxy',
      metadata: METADATA,
      spec: {
        virtualhost: { fqdn: 'tenant-01.k8s.example.com', tls: { passthrough: true } },
        tcpproxy: { services: [{ name: 'tenant-01', port: 6443 }] },
      },
    });
    expect(others).toEqual([]);
  });

  test('takes a class', () => {
    expect(bind(IngressController.contour({ ingressClassName: 'public' })).routes[0].spec.ingressClassName).toBe('public');
  });

  test('refuses source networks', () => {
    expect(() => bind(IngressController.contour(), { allowedCidrs: ['10.0.0.0/8'] })).toThrow(
      'cannot be enforced by contour on connections that it does not open: ipAllowPolicy is an HTTP filter, which tcpproxy does without. Filter');
  });

  test('needs no Helm values', () => {
    expect(IngressController.contour().helmValues()).toEqual({});
  });
});

/** How long a quiet connection lives, whatever the router's own setting. */
const IDLE = { 'haproxy.router.openshift.io/timeout-tunnel': '1h' };

describe('the OpenShift controller', () => {
  test('emits a passthrough Route', () => {
    const { routes, others } = bind(IngressController.openshift());
    expect(routes[0]).toEqual({
      apiVersion: 'route.openshift.io/v1',
      kind: 'Route',
      metadata: { ...METADATA, annotations: IDLE },
      spec: {
        host: 'tenant-01.k8s.example.com',
        to: { kind: 'Service', name: 'tenant-01', weight: 100 },
        port: { targetPort: 6443 },
        tls: { termination: 'passthrough' },
      },
    });
    expect(others).toEqual([]);
  });

  test('names the port of the pods where that is another one', () => {
    const exposure = { tlsServices: [{ name: 'trustd', servicePort: 443, podPort: 50001 }] };
    expect(bind(IngressController.openshift(), { exposure }).routes.map(route => route.spec.port.targetPort)).toEqual([6443, 8132, 50001]);
  });

  test('refuses labels that are none', () => {
    expect(() => IngressController.openshift({ routeLabels: { 'a b': 'c' } })).toThrow('routeLabels: "a b" is not the key of a label.');
    expect(() => IngressController.istio({ selector: { istio: 'a b' } })).toThrow('selector["istio"]: "a b" is not the value of a label.');
  });

  test('selects a router by labels', () => {
    const { routes } = bind(IngressController.openshift({ routeLabels: { router: 'public' } }), { labels: { a: 'b' } });
    expect(routes[0].metadata.labels).toEqual({ a: 'b', router: 'public' });
  });

  test('writes source networks under both names, so that no version of the router lets everybody in', () => {
    expect(bind(IngressController.openshift(), { allowedCidrs: ['10.0.0.0/8', '192.0.2.0/24'] }).routes[2].metadata.annotations).toEqual({
      ...IDLE,
      'haproxy.router.openshift.io/ip_allowlist': '10.0.0.0/8 192.0.2.0/24',
      'haproxy.router.openshift.io/ip_whitelist': '10.0.0.0/8 192.0.2.0/24',
    });
  });

  test('needs no Helm values', () => {
    expect(IngressController.openshift().helmValues()).toEqual({});
  });
});

describe('the Istio controller', () => {
  test('emits a VirtualService for the host, bound to a Gateway of the control plane', () => {
    const { routes, others } = bind(IngressController.istio(), { labels: { a: 'b' } });
    expect(routes[0]).toEqual({
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      metadata: { ...METADATA, labels: { a: 'b' } },
      spec: {
        hosts: ['tenant-01.k8s.example.com'],
        gateways: ['tenant-01'],
        tls: [{
          match: [{ port: 443, sniHosts: ['tenant-01.k8s.example.com'] }],
          route: [{ destination: { host: 'tenant-01', port: { number: 6443 } } }],
        }],
      },
    });
    expect(others).toEqual([{
      apiVersion: 'networking.istio.io/v1',
      kind: 'Gateway',
      metadata: { name: 'tenant-01', namespace: 'tenants', labels: { a: 'b' } },
      spec: {
        selector: { istio: 'ingressgateway' },
        servers: [{
          port: { name: 'tls-443', number: 443, protocol: 'TLS' },
          hosts: ['./tenant-01.k8s.example.com', './tenant-01.konnectivity.example.com', './tenant-01.trustd.example.com'],
          tls: { mode: 'PASSTHROUGH' },
        }],
      },
    }]);
  });

  test('uses an existing Gateway', () => {
    const { routes, others } = bind(IngressController.istio({ gateway: 'istio-system/public' }));
    expect(routes.map(route => route.spec.gateways)).toEqual(Array(3).fill(['istio-system/public']));
    expect(others).toEqual([]);
  });

  test('denies other sources at the gateway, for the hosts of the control plane alone', () => {
    const controller = IngressController.istio({ gateway: 'edge/public', selector: { app: 'edge' }, podNamespace: 'edge' });
    expect(bind(controller, { allowedCidrs: ['10.0.0.0/8'], labels: { a: 'b' } }).others).toEqual([{
      apiVersion: 'security.istio.io/v1',
      kind: 'AuthorizationPolicy',
      metadata: { name: 'tenants.tenant-01.allowed-cidrs', namespace: 'edge', labels: { a: 'b' } },
      spec: {
        selector: { matchLabels: { app: 'edge' } },
        action: 'DENY',
        rules: [{
          from: [{ source: { notRemoteIpBlocks: ['10.0.0.0/8'] } }],
          when: [{ key: 'connection.sni', values: ['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com', 'tenant-01.trustd.example.com'] }],
        }],
      },
    }]);
  });

  test.each(['public', 'a/b/c', '/b', ''])('refuses %p as a Gateway', gateway => {
    expect(() => IngressController.istio({ gateway }))
      .toThrow(`gateway: "${gateway}" does not name a Gateway and its namespace. Write "<namespace>/<name>".`);
  });

  test('needs no Helm values', () => {
    expect(IngressController.istio().helmValues()).toEqual({});
  });
});

test.each([
  IngressController.f5Nginx(), IngressController.contour(), IngressController.openshift(), IngressController.istio(),
])('$type refuses a Service of another namespace', controller => {
  expect(() => bind(controller, OTHER_SERVICE)).toThrow(`routes of ${controller.type} lead to Services beside them`);
});

test.each([
  IngressController.f5Nginx({ port: 6443 }), IngressController.contour({ port: 6443 }),
  IngressController.openshift({ port: 6443 }), IngressController.istio({ port: 6443 }),
])('$type serves the port that it is given', controller => {
  expect(bind(controller, { exposure: { port: 6443 } }).routes).toHaveLength(3);
  expect(() => bind(controller)).toThrow(`port of kube-apiserver: 443 is not served by ${controller.type}, whose public port is 6443.`);
});
