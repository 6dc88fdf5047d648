import { bind } from './bind';
import { IngressController } from '../../src';

describe('the Traefik controller', () => {
  test('emits an IngressRouteTCP that passes the host through on websecure', () => {
    expect(bind(IngressController.traefik()).routes[0]).toEqual({
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'IngressRouteTCP',
      metadata: { name: 'tenant-01-kube-apiserver', namespace: 'tenants' },
      spec: {
        entryPoints: ['websecure'],
        routes: [{
          match: 'HostSNI(`tenant-01.k8s.example.com`)',
          priority: 1000,
          services: [{ name: 'tenant-01', port: 6443 }],
        }],
        tls: { passthrough: true },
      },
    });
  });

  test('emits nothing else without source networks', () => {
    expect(bind(IngressController.traefik()).others).toEqual([]);
  });

  test('takes entry points, a priority and an ingress class', () => {
    const controller = IngressController.traefik({
      entryPoint: 'public', entryPointsByPort: { 8132: 'konnectivity' }, priority: 7, ingressClassName: 'traefik-public',
    });
    const { routes } = bind(controller, { exposure: { konnectivity: { port: 8132 } } });
    expect(routes.map(route => route.spec.entryPoints)).toEqual([['public'], ['konnectivity'], ['public']]);
    expect(routes.map(route => route.spec.routes[0].priority)).toEqual([7, 7, 7]);
    expect(routes[0].metadata.annotations).toEqual({ 'kubernetes.io/ingress.class': 'traefik-public' });
  });

  test('is no class for Ingresses, which Traefik cannot pass through', () => {
    const controller = IngressController.traefik({ ingressClassName: 'traefik' });
    expect(controller.ingressClassName).toBeUndefined();
    expect(controller.ingressAnnotations).toEqual({});
  });

  test('lets source networks in by one middleware of the control plane', () => {
    const { routes, others } = bind(IngressController.traefik({ ingressClassName: 'public' }), { allowedCidrs: ['10.0.0.0/8'], labels: { a: 'b' } });
    expect(others).toEqual([{
      apiVersion: 'traefik.io/v1alpha1',
      kind: 'MiddlewareTCP',
      metadata: {
        name: 'tenant-01-allowed-cidrs', namespace: 'tenants', labels: { a: 'b' }, annotations: { 'kubernetes.io/ingress.class': 'public' },
      },
      spec: { ipAllowList: { sourceRange: ['10.0.0.0/8'] } },
    }]);
    expect(routes.map(route => route.spec.routes[0].middlewares)).toEqual(Array(3).fill([{ name: 'tenant-01-allowed-cidrs' }]));
  });

  test('names the middleware apart from that of any other namespace, to which Traefik joins it with "-"', () => {
    const { routes, others: [middleware] } = bind(IngressController.traefik(), { exposure: { namespace: 'tenants-b', name: 'c' }, allowedCidrs: ['10.0.0.0/8'] });
    expect(middleware.metadata).toEqual({ name: 'c-allowed-cidrs-ca251ac6', namespace: 'tenants-b' });
    expect(routes.map(route => route.spec.routes[0].middlewares)).toEqual(Array(3).fill([{ name: middleware.metadata.name }]));
  });

  test('refuses a port without an entry point', () => {
    const controller = IngressController.traefik({ entryPointsByPort: { 6443: 'api' } });
    expect(() => bind(controller, { exposure: { konnectivity: { port: 8132 } } })).toThrow(
      'port of konnectivity-server: 8132 has no entry point of traefik; those known are 443 (websecure), 6443 (api). ' +
      "Use one of these ports, or add the entry point: entryPointsByPort: { 8132: '<entry point>' }.");
  });

  test('refuses a Service of another namespace', () => {
    expect(() => bind(IngressController.traefik(), { changeRoutes: ([api]) => [{ ...api, serviceNamespace: 'clusters' }] })).toThrow(
      'serviceNamespace of kube-apiserver: "clusters" is not the namespace "tenants" of the control plane; ' +
      'routes of traefik lead to Services beside them. Move the Service, or use gatewayApi, which grants the reference.');
  });

  test('refuses contradicting entry points', () => {
    expect(() => IngressController.traefik({ entryPoint: 'a', entryPointsByPort: { 443: 'b' } }))
      .toThrow('entryPoint: "a" serves the public port 443, as does "b" in entryPointsByPort. Leave one of them out.');
    expect(() => IngressController.traefik({ entryPointsByPort: { 6443: 'websecure' } })).toThrow(
      'entryPointsByPort.6443: "websecure" is already the entry point of the public port 443. ' +
      'An entry point listens on one port: give each port one of its own.');
    expect(() => IngressController.traefik({ entryPointsByPort: { api: 'a' } })).toThrow('entryPointsByPort: NaN is not a port.');
  });

  test.each([0, 1.5, -1])('refuses the priority %p', priority => {
    expect(() => IngressController.traefik({ priority }))
      .toThrow(`priority: ${priority} is not a priority. Give a whole number above 0; 0 means "the length of the rule" to Traefik.`);
  });

  test('has Helm values that expose every entry point', () => {
    expect(IngressController.traefik().helmValues()).toEqual({
      ports: { websecure: { port: 8443, exposedPort: 443, expose: { default: true }, protocol: 'TCP' } },
      providers: { kubernetesCRD: { enabled: true } },
    });
    expect(IngressController.traefik({ entryPointsByPort: { 8443: 'b', 6443: 'a' }, ingressClassName: 'public' }).helmValues()).toEqual({
      ports: {
        websecure: { port: 8443, exposedPort: 443, expose: { default: true }, protocol: 'TCP' },
        a: { port: 8444, exposedPort: 6443, expose: { default: true }, protocol: 'TCP' },
        b: { port: 8445, exposedPort: 8443, expose: { default: true }, protocol: 'TCP' },
      },
      providers: { kubernetesCRD: { enabled: true, ingressClass: 'public' } },
    });
  });
});
