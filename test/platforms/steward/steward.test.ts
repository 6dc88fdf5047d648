import { JsonPatch } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { ControlPlanePlatform, IngressController, OperatorRoutes, StewardProps, TlsRouteVersion } from '../../../src';
import { GATEWAY, Tenant } from '../harness';

const HOSTS = { hostname: 'tenant-01.k8s.example.com', konnectivity: { hostname: 'tenant-01.konnectivity.example.com' } };
const steward = (props?: StewardProps) => ControlPlanePlatform.steward(props);
const gatewayApi = () => IngressController.gatewayApi({ gateway: GATEWAY });
const handled = { traefik: () => IngressController.traefik(), haproxyIngress: () => IngressController.haproxyIngress(), gatewayApi };

describe('a Steward control plane behind Traefik', () => {
  test('is the complete example of Steward\'s ingress mode, corrected', () => {
    const tenant = new Tenant(steward({ replicas: 2, tcpProxy: {} }), HOSTS);

    expect(tenant.resource()).toEqual({
      apiVersion: 'steward.butlerlabs.dev/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: {
        name: 'tenant-01',
        namespace: 'tenants',
        labels: { 'app.kubernetes.io/name': 'hosted-control-plane', 'app.kubernetes.io/instance': 'tenant-01' },
      },
      spec: {
        kubernetes: { version: 'v1.31.0', kubelet: {} },
        networkProfile: {
          port: 6443,
          certSANs: [
            'tenant-01.k8s.example.com',
            'tenant-01.konnectivity.example.com',
            'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
          ],
          clusterDomain: 'cluster.local',
          dnsServiceIPs: ['10.96.0.10'],
          podCidr: '10.244.0.0/16',
          serviceCidr: '10.96.0.0/16',
        },
        controlPlane: {
          deployment: { replicas: 2, extraArgs: { apiServer: ['--endpoint-reconciler-type=none'] } },
          service: { serviceType: 'ClusterIP' },
          ingress: { hostname: 'tenant-01.k8s.example.com', ingressClassName: 'unhandled', controllerType: 'generic' },
        },
        addons: {
          tcpProxy: {},
          konnectivity: {
            agent: { extraArgs: ['--proxy-server-host=tenant-01.konnectivity.example.com', '--proxy-server-port=443'] },
          },
        },
      },
    });
  });

  test('has its routes made by this library, so that no tenant claims kubernetes.default.svc', () => {
    const tenant = new Tenant(steward(), HOSTS);

    expect(tenant.ownRoutes()).toEqual(['tenant-01-kube-apiserver', 'tenant-01-konnectivity-server']);
    expect(JSON.stringify(tenant.controlPlane.routeObjects.map(object => object.toJson()))).not.toContain('`kubernetes');
  });

  test('refuses to have Steward make Traefik\'s routes', () => {
    expect(() => new Tenant(steward({ operatorRoutes: OperatorRoutes.INGRESS }), HOSTS))
      .toThrow(/operatorRoutes: "ingress" .*traefik.* Leave it out/);
  });
});

describe('who creates the routes', () => {
  test.each([
    ['haproxy', IngressController.haproxy(), { 'haproxy.org/ssl-passthrough': 'true' }, 'haproxy'],
    ['nginx', IngressController.ingressNginx(), { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' }, 'nginx'],
    ['generic', IngressController.generic({ ingressClassName: 'own', annotations: { passthrough: 'yes' } }), { passthrough: 'yes' }, 'own'],
  ])('is Steward for the API server and this library for konnectivity, with its controllerType %s', (controllerType, controller, annotations, ingressClassName) => {
    const tenant = new Tenant(steward(), { ...HOSTS, controller });

    expect(tenant.spec().controlPlane.ingress).toEqual({
      hostname: 'tenant-01.k8s.example.com', ingressClassName, controllerType, additionalMetadata: { annotations },
    });
    expect(tenant.ownRoutes()).toEqual(['tenant-01-konnectivity-server']);
  });

  test('is this library alone for a controller without an IngressClass, as Steward takes no class back', () => {
    const controller = IngressController.generic({ annotations: { passthrough: 'yes' } });
    const tenant = new Tenant(steward(), { ...HOSTS, controller });
    expect(tenant.spec().controlPlane.ingress.ingressClassName).toBe('unhandled');
    expect(tenant.ownRoutes()).toHaveLength(2);
    expect(new Tenant(steward({ operatorRoutes: OperatorRoutes.INGRESS }), { ...HOSTS, controller }).warnings())
      .toEqual([expect.stringMatching(/^operatorRoutes: the generic controller has no IngressClass, and Steward never takes one away/)]);
  });

  test.each(Object.entries(handled))('is this library alone for %s, with an IngressClass that nobody handles', (_name, controller) => {
    const tenant = new Tenant(steward({ unhandledIngressClassName: 'nobody' }), { ...HOSTS, controller: controller() });

    expect(tenant.spec().controlPlane.ingress).toEqual({
      hostname: 'tenant-01.k8s.example.com', ingressClassName: 'nobody', controllerType: 'generic',
    });
    expect(tenant.ownRoutes()).toHaveLength(2);
  });

  test('is this library alone when the control plane says ownRoutes', () => {
    const tenant = new Tenant(steward(), { ...HOSTS, controller: IngressController.haproxy(), ownRoutes: true });

    expect(tenant.spec().controlPlane.ingress).toMatchObject({ ingressClassName: 'unhandled', controllerType: 'generic' });
    expect(tenant.ownRoutes()).toHaveLength(2);
  });

  test('is Steward with the class and annotations of another controller when asked for', () => {
    const tenant = new Tenant(steward({ operatorRoutes: OperatorRoutes.INGRESS }), { ...HOSTS, controller: IngressController.haproxyIngress() });

    expect(tenant.spec().controlPlane.ingress).toEqual({
      hostname: 'tenant-01.k8s.example.com',
      ingressClassName: 'haproxy',
      controllerType: 'generic',
      additionalMetadata: { annotations: IngressController.haproxyIngress().ingressAnnotations },
    });
  });
});

describe('a Steward control plane behind its Gateway', () => {
  const gateway = (props?: StewardProps) => steward({ operatorRoutes: OperatorRoutes.GATEWAY, ...props });

  test('is warned of where the CRDs are those of the standard channel, which does not serve Steward\'s TLSRoutes', () => {
    const warnings = (tlsRouteVersion?: TlsRouteVersion) =>
      new Tenant(gateway(), { ...HOSTS, controller: IngressController.gatewayApi({ gateway: GATEWAY, tlsRouteVersion }) }).warnings();
    expect(warnings()).toEqual([expect.stringMatching(
      /^operatorRoutes: Steward 0\.4 writes TLSRoutes of v1alpha2, which the experimental channel of Gateway API serves/)]);
    expect(warnings(TlsRouteVersion.V1)).toHaveLength(1);
    expect(warnings(TlsRouteVersion.V1ALPHA2)).toEqual([]);
    expect(warnings(TlsRouteVersion.V1ALPHA3)).toEqual([]);
    expect(new Tenant(steward(), { ...HOSTS, controller: gatewayApi() }).warnings()).toEqual([]);
  });

  test('leaves sectionName and port of the parent to Steward, and takes its ports', () => {
    const tenant = new Tenant(gateway(), { ...HOSTS, controller: gatewayApi() });

    expect(tenant.spec().controlPlane.gateway).toEqual({
      hostname: 'tenant-01.k8s.example.com',
      // With what the definition adds where it is missing: the resource is what was applied.
      parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', ...GATEWAY }],
    });
    expect(tenant.spec().controlPlane.ingress).toBeUndefined();
    expect(tenant.controlPlane.apiEndpoint.toString()).toBe('tenant-01.k8s.example.com:6443');
    expect(tenant.spec().addons.konnectivity.agent.extraArgs).toEqual(
      ['--proxy-server-host=tenant-01.konnectivity.example.com', '--proxy-server-port=8132']);
    expect(tenant.ownRoutes()).toEqual([]);
  });

  test.each([
    ['port', {}, { port: 443 }, /port: 443 is not 6443, which Steward hard-codes/],
    ['konnectivity.port', {}, { konnectivity: { port: 443 } }, /konnectivity\.port: 443 is not 8132/],
    ['apiPort', { apiPort: 7443 }, {}, /apiPort: 7443 is not 6443/],
    ['konnectivityServer.port', { konnectivityServer: { port: 8133 } }, {}, /konnectivityServer\.port: 8133 is not 8132/],
  ])('refuses another %s', (_field, platform, props, message) => {
    expect(() => new Tenant(gateway(platform), { domain: 'example.com', konnectivity: {}, controller: gatewayApi(), ...props })).toThrow(message);
  });

  test('refuses a controller that is no Gateway', () => {
    expect(() => new Tenant(gateway(), HOSTS)).toThrow(/operatorRoutes: "gateway" needs a Gateway, which the traefik controller is not\. Use the Gateway API/);
  });

  test('refuses source networks, which Steward\'s routes would not have', () => {
    expect(() => new Tenant(gateway(), { ...HOSTS, controller: gatewayApi(), allowedCidrs: ['10.0.0.0/8'] }))
      .toThrow(/operatorRoutes: "gateway" has Steward create routes, while "ownRoutes" or "allowedCidrs"/);
  });
});

describe('what Steward hard-codes', () => {
  test('is port 443 behind an Ingress', () => {
    expect(() => new Tenant(steward(), { ...HOSTS, port: 6443 })).toThrow(/port: 6443 is not 443, which Steward writes into kubeconfigs.* Leave it out/);
  });

  test('is the konnectivity host, made of the API host', () => {
    expect(() => new Tenant(steward(), { ...HOSTS, konnectivity: { hostname: 'agents.example.com' } }))
      .toThrow(/konnectivity\.hostname: "agents\.example\.com" .*"tenant-01\.konnectivity\.example\.com"\. Give that host/);
    expect(() => new Tenant(steward(), { hostname: 'api.k8s.example.com', domain: 'example.com', konnectivity: {} }))
      .toThrow(/"api\.konnectivity\.example\.com"\. Give that host, or leave out both it and hostname, so that "domain" makes them\.$/);
  });

  test('is ".k8s." in the API host, when there is konnectivity', () => {
    const props = { hostname: 'api.example.com' };
    expect(() => new Tenant(steward(), { ...props, konnectivity: { hostname: 'konnectivity.example.com' } })).toThrow(/hostname: "api\.example\.com" has no "\.k8s\."/);
    expect(new Tenant(steward(), props).spec().controlPlane.ingress.hostname).toBe('api.example.com');
  });

  test('is one network of each kind', () => {
    const network = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };
    expect(() => new Tenant(steward(), { network })).toThrow(/network\.serviceCidrs: .* are two networks; Steward's custom resource holds one\. .*Kamaji/);
  });

  test('may be an IPv6 network, unless Steward brings its tcp-proxy', () => {
    const network = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };
    expect(new Tenant(steward(), { network }).spec().networkProfile).toMatchObject({ serviceCidr: 'fd00:10:96::/112', podCidr: 'fd00:10:244::/56' });
    expect(() => new Tenant(steward({ tcpProxy: {} }), { network })).toThrow(/publishes IPv4 endpoints only/);
  });
});

describe('Steward\'s own tcp-proxy', () => {
  test('has every field of its page', () => {
    const tenant = new Tenant(steward({
      tcpProxy: {
        image: 'ghcr.io/butlerdotdev/steward-tcp-proxy:latest',
        resources: {
          requests: { cpu: k8s.Quantity.fromString('10m'), memory: k8s.Quantity.fromString('32Mi') },
          limits: { cpu: k8s.Quantity.fromString('100m'), memory: k8s.Quantity.fromString('64Mi') },
        },
        hostAliases: [{ ip: '10.0.0.50', hostnames: ['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com'] }],
        internalEndpoint: '10.40.0.201',
      },
    }), HOSTS);

    expect(tenant.spec().addons.tcpProxy).toEqual({
      image: 'ghcr.io/butlerdotdev/steward-tcp-proxy:latest',
      resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '100m', memory: '64Mi' } },
      hostAliases: [{ ip: '10.0.0.50', hostnames: ['tenant-01.k8s.example.com', 'tenant-01.konnectivity.example.com'] }],
      internalEndpoint: '10.40.0.201',
    });
    expect(tenant.warnings()).toEqual([
      expect.stringMatching(/^tcpProxy: .*does not verify the API server's certificate/),
      expect.stringMatching(/^tcpProxy\.internalEndpoint: no code of Steward 0\.4 reads it/),
    ]);
  });

  test('has its flag of the API server given, as Steward takes back only what it was given', () => {
    expect(new Tenant(steward({ tcpProxy: {} }), HOSTS).spec().controlPlane.deployment).toEqual({ extraArgs: { apiServer: ['--endpoint-reconciler-type=none'] } });
    expect(new Tenant(steward(), HOSTS).spec().controlPlane.deployment).toEqual({ extraArgs: { apiServer: [] } });
  });

  test('warns when nothing but the cluster\'s DNS resolves the API server', () => {
    const aliases = [{ ip: '10.0.0.50', hostnames: ['other.example.com'] }];
    expect(new Tenant(steward({ tcpProxy: { hostAliases: aliases } }), HOSTS).warnings())
      .toContainEqual(expect.stringMatching(/^tcpProxy\.hostAliases: do not name the API server's host/));
  });

  test('excludes another tcp-proxy', () => {
    const tenant = new Tenant(steward({ tcpProxy: {} }), HOSTS);
    expect(() => tenant.attachTcpProxy({ endpointsOwnedByTcpProxy: true })).toThrow('controlPlane: management/tenant-01 has tcp-proxies of its platform (steward), ' +
      'and two would fight over default/kubernetes. Leave out this TcpProxyAddon, or the tcpProxy property of the platform.');
  });

  test('excludes an API server that writes default/kubernetes', () => {
    expect(() => steward({ tcpProxy: {}, extraArgs: { apiServer: ['--endpoint-reconciler-type=lease'] } }))
      .toThrow(/extraArgs\.apiServer: "--endpoint-reconciler-type=lease" .*Steward's tcp-proxy owns\. Leave out the flag, or tcpProxy/);
  });

  test.each([
    [{ ip: 'tenant-01.example.com', hostnames: ['a.example.com'] }, /tcpProxy\.hostAliases\[0\]\.ip: "tenant-01\.example\.com" is not an IP address/],
    [{ hostnames: ['a.example.com'] }, /tcpProxy\.hostAliases\[0\]\.ip: is not set/],
    [{ ip: '10.0.0.50', hostnames: [] }, /tcpProxy\.hostAliases\[0\]\.hostnames: \[\] is empty/],
    [{ ip: '10.0.0.50', hostnames: ['a.example.com:443'] }, /tcpProxy\.hostAliases\[0\]\.hostnames\[0\]: "a\.example\.com:443" carries a port/],
  ])('refuses the host alias %j', (alias, message) => {
    expect(() => steward({ tcpProxy: { hostAliases: [alias] } })).toThrow(message);
  });
});

test('A fixed advertise address is Steward\'s networkProfile.address', () => {
  const tenant = new Tenant(steward(), HOSTS).attachTcpProxy({ endpointsOwnedByTcpProxy: false, advertiseAddress: '100.64.30.10' });
  expect(tenant.spec().networkProfile.address).toBe('100.64.30.10');
});

test('A patch may add what Steward\'s page does not have, e.g. workerBootstrap', () => {
  const tenant = new Tenant(steward(), HOSTS);
  const workerBootstrap = { provider: 'talos', talos: {}, csrApproval: { autoApprove: true } };
  tenant.controlPlane.platformObject.addJsonPatch(JsonPatch.add('/spec/addons/workerBootstrap', workerBootstrap));
  expect(tenant.spec().addons.workerBootstrap).toEqual(workerBootstrap);
});

test('The port of trustd is warned of as one that Steward adds itself and no shared address reaches, not as one to add', () => {
  const [warning, ...others] = new Tenant(steward(), { ...HOSTS, tlsServices: [{ name: 'trustd', hostname: 'trustd.example.com', servicePort: 50001 }] }).warnings();
  expect(warning).toMatch(/^tlsServices: "trustd" leads to port 50001 .* which Steward adds there itself .* without SNI/);
  expect(warning).not.toContain('additionalPorts');
  expect(others).toEqual([]);
});
