import { install } from './install';
import { ControllerService, ExternalTrafficPolicy, IngressController } from '../../src';

const LOAD_BALANCER = {
  replicas: 3,
  proxyProtocolTrustedCidrs: ['10.0.0.0/24', 'fd00::/64'],
  service: ControllerService.loadBalancer({
    annotations: { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' },
    loadBalancerIp: '192.0.2.1',
    loadBalancerClass: 'example.com/shared',
    sourceRanges: ['198.51.100.0/24'],
    externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER,
  }),
};
const CLUSTER_IP = { service: ControllerService.clusterIp({ annotations: { a: 'b' } }) };

/** The Service in the names that all charts but Traefik's have for it. */
const SERVICE = {
  type: 'LoadBalancer',
  annotations: { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' },
  externalTrafficPolicy: 'Cluster',
  loadBalancerIP: '192.0.2.1',
  loadBalancerClass: 'example.com/shared',
  loadBalancerSourceRanges: ['198.51.100.0/24'],
};

describe('the values of Traefik', () => {
  const websecure = { port: 8443, exposedPort: 443, expose: { default: true }, protocol: 'TCP' };

  test('put a load balancer before two pods that see client addresses', () => {
    expect(install(IngressController.traefik()).values).toEqual({
      deployment: { replicas: 2 },
      service: { spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local' } },
      ports: { websecure },
      providers: { kubernetesCRD: { enabled: true } },
    });
  });

  test('have a setting for everything that can be asked of a load balancer', () => {
    const proxyProtocol = { trustedIPs: ['10.0.0.0/24', 'fd00::/64'] };
    expect(install(IngressController.traefik({ entryPointsByPort: { 6443: 'api' } }), LOAD_BALANCER).values).toEqual({
      deployment: { replicas: 3 },
      service: {
        annotations: { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' },
        spec: {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Cluster',
          loadBalancerIP: '192.0.2.1',
          loadBalancerClass: 'example.com/shared',
          loadBalancerSourceRanges: ['198.51.100.0/24'],
        },
      },
      ports: {
        web: { proxyProtocol },
        websecure: { ...websecure, proxyProtocol },
        api: { port: 8444, exposedPort: 6443, expose: { default: true }, protocol: 'TCP', proxyProtocol },
      },
      providers: { kubernetesCRD: { enabled: true } },
    });
  });

  test('keep the Service inside of the cluster behind an existing load balancer', () => {
    expect(install(IngressController.traefik(), CLUSTER_IP).values.service).toEqual({ annotations: { a: 'b' }, spec: { type: 'ClusterIP' } });
  });

  test.each(['27.0.0', '39.0.9'])('have the Service in the keys of the chart %s', chartVersion => {
    expect(install(IngressController.traefik(), { ...LOAD_BALANCER, chartVersion }).values.service).toEqual({
      type: 'LoadBalancer',
      annotations: { 'load-balancer.hetzner.cloud/uses-proxyprotocol': 'true' },
      spec: { externalTrafficPolicy: 'Cluster', loadBalancerIP: '192.0.2.1', loadBalancerClass: 'example.com/shared' },
      loadBalancerSourceRanges: ['198.51.100.0/24'],
    });
    expect(install(IngressController.traefik(), { ...CLUSTER_IP, chartVersion }).values.service).toEqual({ type: 'ClusterIP', annotations: { a: 'b' } });
  });
});

describe('the values of the controller of HAProxy Technologies', () => {
  test('have a setting for everything that can be asked of a load balancer, and show it no statistics', () => {
    expect(install(IngressController.haproxy(), LOAD_BALANCER).values).toEqual({
      controller: {
        replicaCount: 3,
        ingressClass: 'haproxy',
        ingressClassResource: { name: 'haproxy' },
        service: { ...SERVICE, ports: { https: 443 }, enablePorts: { quic: false, stat: false, admin: false } },
        config: { 'proxy-protocol': '10.0.0.0/24,fd00::/64' },
      },
    });
  });

  test('have the public port and class of the controller', () => {
    expect(install(IngressController.haproxy({ port: 6443, ingressClassName: 'edge' })).values).toEqual({
      controller: {
        replicaCount: 2,
        ingressClass: 'edge',
        ingressClassResource: { name: 'edge' },
        service: {
          type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: { https: 6443 }, enablePorts: { quic: false, stat: false, admin: false },
        },
      },
    });
  });

  test('keep the Service inside of the cluster, with its statistics', () => {
    expect(install(IngressController.haproxy(), CLUSTER_IP).values.controller.service)
      .toEqual({ type: 'ClusterIP', annotations: { a: 'b' }, ports: { https: 443 }, enablePorts: { quic: false } });
  });

  test.each([
    ['1.44.4', { quic: false, stat: false, admin: false }],
    ['1.44.3', { quic: false, stat: false, prometheus: false }],
    ['1.37.0', { stat: false, prometheus: false }],
    ['1.32.4', { stat: false }],
  ])('keep statistics, metrics and pprof from the public by the names of the chart %s', (chartVersion, enablePorts) => {
    expect(install(IngressController.haproxy(), { chartVersion }).values.controller.service.enablePorts).toEqual(enablePorts);
  });
});

describe('the values of haproxy-ingress', () => {
  test('have a setting for everything that can be asked of a load balancer', () => {
    const { values, warnings } = install(IngressController.haproxyIngress({ port: 8443 }), LOAD_BALANCER);
    expect(values).toEqual({
      controller: {
        replicaCount: 3,
        ingressClass: 'haproxy',
        ingressClassResource: { enabled: true },
        extraArgs: { 'watch-gateway': 'false' },
        service: { ...SERVICE, httpsPorts: [{ port: 8443, targetPort: 'https' }] },
        config: { 'use-proxy-protocol': 'true' },
      },
    });
    expect(warnings).toEqual(['haproxy-ingress takes a PROXY protocol header from anyone (use-proxy-protocol): ' +
      'make sure that only the load balancer reaches its pods, or clients can claim any address.']);
  });

  test('keep the Service inside of the cluster', () => {
    const { values, warnings } = install(IngressController.haproxyIngress(), CLUSTER_IP);
    expect(values.controller.service).toEqual({ type: 'ClusterIP', annotations: { a: 'b' }, httpsPorts: [{ port: 443, targetPort: 'https' }] });
    expect(values.controller.config).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});

describe('the values of ingress-nginx', () => {
  test('have a setting for everything that can be asked of a load balancer', () => {
    const { values, warnings } = install(IngressController.ingressNginx(), LOAD_BALANCER);
    expect(values).toEqual({
      controller: {
        replicaCount: 3,
        extraArgs: { 'enable-ssl-passthrough': 'true' },
        ingressClassResource: { name: 'nginx' },
        service: { ...SERVICE, ports: { https: 443 } },
        config: { 'use-proxy-protocol': 'true', 'proxy-real-ip-cidr': '10.0.0.0/24,fd00::/64' },
      },
    });
    expect(warnings).toContain('ingress-nginx takes a PROXY protocol header from anyone (use-proxy-protocol): ' +
      'make sure that only the load balancer reaches its pods, or clients can claim any address.');
  });

  test('keep the Service inside of the cluster, and the warnings of the controller', () => {
    const { values, warnings } = install(IngressController.ingressNginx(), CLUSTER_IP);
    expect(values.controller.service).toEqual({ type: 'ClusterIP', annotations: { a: 'b' }, ports: { https: 443 } });
    expect(warnings).toEqual(IngressController.ingressNginx().warnings);
  });
});

describe('the values of F5 NGINX', () => {
  test('have a setting for everything that can be asked of a load balancer', () => {
    const { values, warnings } = install(IngressController.f5Nginx({ port: 6443 }), LOAD_BALANCER);
    expect(values).toEqual({
      controller: {
        replicaCount: 3,
        enableCustomResources: true,
        enableTLSPassthrough: true,
        ingressClass: { name: 'nginx' },
        service: { ...SERVICE, httpsPort: { port: 6443 } },
        config: {
          entries: {
            'stream-snippets': 'proxy_timeout 1h;',
            'proxy-protocol': 'True',
            'real-ip-header': 'proxy_protocol',
            'set-real-ip-from': '10.0.0.0/24,fd00::/64',
          },
        },
      },
    });
    expect(warnings).toEqual([
      'F5 NGINX takes a PROXY protocol header from anyone (proxy-protocol; set-real-ip-from decides only whose it believes): ' +
      'make sure that only the load balancer reaches its pods.',
    ]);
  });

  test('keep the Service inside of the cluster', () => {
    expect(install(IngressController.f5Nginx(), CLUSTER_IP).values.controller.service)
      .toEqual({ type: 'ClusterIP', annotations: { a: 'b' }, httpsPort: { port: 443 } });
  });
});

describe('further values', () => {
  test('win over all others, key by key, and are not shared with the user', () => {
    const values = { deployment: { replicas: 5, kind: 'DaemonSet' }, ports: { websecure: { port: 9443 } }, accessLog: { enabled: true }, env: [{ name: 'A' }] };
    const { values: merged } = install(IngressController.traefik(), { values });
    expect(merged).toMatchObject({
      deployment: { replicas: 5, kind: 'DaemonSet' },
      ports: { websecure: { port: 9443, exposedPort: 443 } },
      service: { spec: { type: 'LoadBalancer' } },
      accessLog: { enabled: true },
    });
    merged.accessLog.enabled = false;
    merged.env[0].name = 'B';
    expect(values).toMatchObject({ accessLog: { enabled: true }, env: [{ name: 'A' }] });
  });

  test('replace lists as a whole, and maps by what is none', () => {
    const { values } = install(IngressController.haproxyIngress(), { values: { controller: { service: { httpsPorts: [] }, ingressClassResource: 'none' } } });
    expect(values.controller.service.httpsPorts).toEqual([]);
    expect(values.controller.ingressClassResource).toBe('none');
  });

  test('leave out what is undefined', () => {
    expect(install(IngressController.traefik(), { values: { deployment: { replicas: undefined } } }).values.deployment).toEqual({ replicas: 2 });
  });
});
