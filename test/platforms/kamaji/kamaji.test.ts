import { ControlPlanePlatform, IngressController, KamajiProps, OperatorRoutes } from '../../../src';
import { GATEWAY, Tenant } from '../harness';

const TENANT = { name: 'tenant-00', namespace: 'team-a', domain: 'clastix.cloud', controller: IngressController.haproxy() };
const kamaji = (props?: KamajiProps) => ControlPlanePlatform.kamaji(props);
const gatewayApi = IngressController.gatewayApi({ gateway: GATEWAY });

describe('a Kamaji control plane behind HAProxy', () => {
  test('is the example of Kamaji\'s ingress addon', () => {
    const tenant = new Tenant(kamaji(), { ...TENANT, konnectivity: {}, network: { dnsServiceIps: ['10.96.0.10'] } })
      .attachTcpProxy({ endpointsOwnedByTcpProxy: true });

    expect(tenant.resource()).toEqual({
      apiVersion: 'kamaji.clastix.io/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: {
        name: 'tenant-00',
        namespace: 'team-a',
        labels: { 'app.kubernetes.io/name': 'hosted-control-plane', 'app.kubernetes.io/instance': 'tenant-00' },
      },
      spec: {
        kubernetes: { version: 'v1.31.0', kubelet: {} },
        networkProfile: {
          certSANs: [
            'team-a-tenant-00.k8s.clastix.cloud',
            'team-a-tenant-00.konnectivity.clastix.cloud',
            'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
          ],
          clusterDomain: 'cluster.local',
          dnsServiceIPs: ['10.96.0.10'],
          podCidr: '10.244.0.0/16',
          port: 6443,
          serviceCidr: '10.96.0.0/16',
        },
        controlPlane: {
          deployment: { extraArgs: { apiServer: ['--endpoint-reconciler-type=none'] } },
          service: { serviceType: 'ClusterIP' },
          ingress: { hostname: 'team-a-tenant-00.k8s.clastix.cloud:443', ingressClassName: 'unhandled' },
        },
        addons: {
          konnectivity: {
            agent: { extraArgs: ['--proxy-server-host=team-a-tenant-00.konnectivity.clastix.cloud', '--proxy-server-port=443'] },
          },
        },
      },
    });
    expect(tenant.ownRoutes()).toEqual(['tenant-00-kube-apiserver', 'tenant-00-konnectivity-server']);
  });

  test('carries the public port in the ingress hostname alone', () => {
    const spec = new Tenant(kamaji(), { ...TENANT, konnectivity: {}, port: 8443, controller: IngressController.haproxy({ port: 8443 }) }).spec();

    expect(spec.controlPlane.ingress.hostname).toBe('team-a-tenant-00.k8s.clastix.cloud:8443');
    expect(spec.networkProfile.port).toBe(6443);
    expect(spec.networkProfile.certSANs.join()).not.toContain(':');
    expect(spec.addons.konnectivity.agent.extraArgs).toContain('--proxy-server-port=8443');
  });

  test('has its Ingress made by Kamaji when asked for, and the konnectivity route by this library', () => {
    const tenant = new Tenant(kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), { ...TENANT, konnectivity: {} });

    expect(tenant.spec().controlPlane.ingress).toEqual({
      hostname: 'team-a-tenant-00.k8s.clastix.cloud:443',
      ingressClassName: 'haproxy',
      additionalMetadata: { annotations: { 'haproxy.org/ssl-passthrough': 'true' } },
    });
    expect(tenant.ownRoutes()).toEqual(['tenant-00-konnectivity-server']);
  });

  test.each([
    ['traefik', IngressController.traefik({ ingressClassName: 'traefik' })],
    ['contour', IngressController.contour()],
    ['gateway-api', gatewayApi],
  ])('cannot have an Ingress of Kamaji with %s, which would not pass TLS through', (type, controller) => {
    expect(() => new Tenant(kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), { ...TENANT, controller }))
      .toThrow(new RegExp(`operatorRoutes: "ingress" needs a controller that passes TLS through by an Ingress, which ${type} does not\\. Leave it out`));
  });

  test('cannot have routes of Kamaji and of this library at once', () => {
    expect(() => new Tenant(kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), { ...TENANT, ownRoutes: true }))
      .toThrow(/operatorRoutes: "ingress" has Kamaji create routes, while "ownRoutes" or "allowedCidrs" .* Leave out one of them/);
  });

  test('cannot name the class of its controller as the unhandled one', () => {
    expect(() => new Tenant(kamaji({ unhandledIngressClassName: 'haproxy' }), TENANT))
      .toThrow(/unhandledIngressClassName: "haproxy" is the IngressClass of the haproxy controller/);
  });

  test.each([
    ['nginx', IngressController.f5Nginx()],
    ['edge', IngressController.f5Nginx({ ingressClassName: 'edge' })],
    ['edge', IngressController.traefik({ ingressClassName: 'edge' })],
    ['edge', IngressController.contour({ ingressClassName: 'edge' })],
    ['traefik', IngressController.traefik()],
    ['contour', IngressController.contour()],
    ['istio', IngressController.istio()],
    ['openshift-default', IngressController.openshift()],
  ])('cannot name %s as the unhandled class, to which its controller answers beside routes of its own kind', (unhandledIngressClassName, controller) => {
    expect(() => new Tenant(kamaji({ unhandledIngressClassName }), { ...TENANT, controller }))
      .toThrow(`unhandledIngressClassName: "${unhandledIngressClassName}" is the IngressClass of the ${controller.type} controller`);
  });
});

describe('a Kamaji control plane behind its Gateway', () => {
  const gateway = (props?: KamajiProps) => kamaji({ operatorRoutes: OperatorRoutes.GATEWAY, ...props });
  const behindGateway = { ...TENANT, controller: gatewayApi, konnectivity: {} };

  test('names its listener, and has konnectivity on the same host', () => {
    const tenant = new Tenant(gateway(), behindGateway);
    const spec = tenant.spec();

    expect(spec.controlPlane.gateway).toEqual({
      hostname: 'team-a-tenant-00.k8s.clastix.cloud',
      // With what the definition adds where it is missing: the resource is what was applied.
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'shared', namespace: 'ingress', sectionName: 'kube-apiserver' }],
    });
    expect(spec.controlPlane.ingress).toBeUndefined();
    expect(spec.addons.konnectivity.agent.extraArgs).toEqual(['--proxy-server-host=team-a-tenant-00.k8s.clastix.cloud', '--proxy-server-port=8132']);
    expect(tenant.ownRoutes()).toEqual([]);
  });

  test('tells its public endpoint, not the one of Kamaji\'s status', () => {
    expect(new Tenant(gateway(), { controller: gatewayApi, hostname: 'c11.cluster.dev' }).controlPlane.apiEndpoint.toString()).toBe('c11.cluster.dev:6443');
  });

  test('may have another API port, on both sides', () => {
    const tenant = new Tenant(gateway({ apiPort: 443 }), behindGateway);
    expect(tenant.controlPlane.apiEndpoint.port).toBe(443);
    expect(tenant.spec().networkProfile.port).toBe(443);
  });

  test.each([
    ['port', { port: 443 }, /port: 443 differs from "apiPort" \(6443\).* Give both the same value, e\.g\. port 6443/],
    ['konnectivity host', { konnectivity: { hostname: 'agents.clastix.cloud' } }, /konnectivity\.hostname: "agents\.clastix\.cloud" differs .* Give that host/],
    ['konnectivity port', { konnectivity: { port: 443 } }, /konnectivity\.port: 443 differs from "konnectivityServer\.port" \(8132\)/],
  ])('refuses a %s that Kamaji does not write', (_what, props, message) => {
    expect(() => new Tenant(gateway(), { ...behindGateway, hostname: 'team-a-tenant-00.k8s.clastix.cloud', ...props })).toThrow(message);
  });

  test('dials the public port when this library makes the routes to the Gateway', () => {
    const spec = new Tenant(kamaji(), { ...behindGateway, konnectivity: { port: 443 } }).spec();
    expect(spec.addons.konnectivity.agent.extraArgs).toContain('--proxy-server-port=443');
    expect(spec.addons.konnectivity.server).toBeUndefined();
  });
});

describe('the networks of a Kamaji control plane', () => {
  test('are in the plural fields with two address families', () => {
    const network = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };
    const { networkProfile } = new Tenant(kamaji(), { ...TENANT, network }).spec();
    expect(networkProfile).toMatchObject(network);
    expect(networkProfile).not.toHaveProperty('serviceCidr');
    expect(networkProfile).not.toHaveProperty('podCidr');
  });

  test('are in the plural fields with IPv6 alone', () => {
    const network = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'], dnsServiceIps: ['fd00:10:96::10'] };
    expect(new Tenant(kamaji(), { ...TENANT, network }).spec().networkProfile).toMatchObject({
      serviceCidrs: network.serviceCidrs, podCidrs: network.podCidrs, dnsServiceIPs: network.dnsServiceIps,
    });
  });

  test.each([
    [['fd00:96::/108', '10.96.0.0/16'], ['fd00:244::/56', '10.244.0.0/16'], 'network.serviceCidrs', '"10.96.0.0/16", "fd00:96::/108"'],
    [['203.0.113.0/24', '2001:db8::/108'], ['10.244.0.0/16', 'fd00:244::/56'], 'network.serviceCidrs', '"2001:db8::/108", "203.0.113.0/24"'],
    [['10.96.0.0/16', 'fd00:96::/108'], ['203.0.113.0/24', '2001:db8::/56'], 'network.podCidrs', '"2001:db8::/56", "203.0.113.0/24"'],
  ])('are refused where Kamaji would turn them round: Services %j, pods %j', (serviceCidrs, podCidrs, field, sorted) => {
    const act = () => new Tenant(kamaji(), { ...TENANT, network: { serviceCidrs, podCidrs } });
    expect(act).toThrow(new RegExp(`^\\S+: ${field}: .* are turned round by Kamaji, which sorts them as texts`));
    expect(act).toThrow(`Give ${sorted} and`);
  });

  test.each([
    [['2001:db8::/108', '203.0.113.0/24'], ['2001:db9::/56', '203.1.0.0/16']],
    [['10.96.0.0/16', 'fd00:96::/108'], ['10.244.0.0/16', 'fd00:244::/56']],
  ])('are taken in an order that Kamaji keeps: Services %j, pods %j', (serviceCidrs, podCidrs) => {
    expect(new Tenant(kamaji(), { ...TENANT, network: { serviceCidrs, podCidrs } }).spec().networkProfile).toMatchObject({ serviceCidrs, podCidrs });
  });

  test('take at most eight DNS addresses', () => {
    const dnsServiceIps = Array.from({ length: 9 }, (_, i) => `10.96.0.${10 + i}`);
    expect(() => new Tenant(kamaji(), { ...TENANT, network: { dnsServiceIps } })).toThrow(/network\.dnsServiceIps: .* are 9 addresses; Kamaji takes 8/);
  });
});

test('A fixed advertise address is Kamaji\'s networkProfile.advertiseAddress', () => {
  const { networkProfile } = new Tenant(kamaji(), TENANT).attachTcpProxy({ endpointsOwnedByTcpProxy: false, advertiseAddress: '100.64.30.10' }).spec();
  expect(networkProfile.advertiseAddress).toBe('100.64.30.10');
  expect(networkProfile).not.toHaveProperty('address');
});

test('A change of the domain leaves the old name nowhere', () => {
  const tenant = new Tenant(kamaji(), { ...TENANT, domain: 'example.net', konnectivity: {} });
  expect(JSON.stringify(tenant.synth())).not.toContain('clastix.cloud');
});
