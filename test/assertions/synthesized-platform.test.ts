import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, Chart, JsonPatch, Testing, Yaml } from 'cdk8s';
import {
  ControlPlanePlatform, HypershiftApiPublishing, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  K0rdentClusterDeployment, K0rdentConfig, SharedIngressGateway, SynthesizedPlatform, TcpProxyAddon, TcpProxyAddonProps, TcpProxyEndpoints,
  TcpProxyPlacement, TcpProxyUpstream,
} from '../../src';
import { PAGE_CLUSTER } from '../clusters/hetzner/harness';
import { CONTROLLERS, hasOwnPorts, PLATFORMS, refusedRoutes } from '../conformance/matrix';
import { Tenants } from '../conformance/tenants';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function controlPlaneIn(chart: Chart, props: Partial<IngressExposedControlPlaneProps> = {}): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.steward(),
    controller: IngressController.traefik(),
    ...props,
  });
}

/** A control plane and its tcp-proxy, each in a chart. */
function tenant(proxy: Partial<TcpProxyAddonProps> = {}, props: Partial<IngressExposedControlPlaneProps> = {}) {
  const app = Testing.app();
  const [management, chart] = ['management', 'tenant-01'].map(name => new Chart(app, name));
  const controlPlane = controlPlaneIn(management, props);
  new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane, ...proxy });
  return { app, management, chart, controlPlane };
}

describe('the manifests of every platform and ingress controller say what the exposure says', () => {
  // HyperShift's and k0smotron's resources are read below.
  const pairs = Object.keys(PLATFORMS).filter(name => /^(steward|kamaji)/.test(name) && !hasOwnPorts(name))
    .flatMap(platform => Object.keys(CONTROLLERS).filter(name => !name.includes('own')).map(controller => ({ platform, controller })))
    .filter(pair => !refusedRoutes({ ...pair, konnectivity: true }));

  test.each(pairs)('$platform, $controller', ({ platform, controller }) => {
    const { management, controlPlanes: [{ exposure, operatorRoutes }] } = new Tenants({ platform, controller, konnectivity: true });

    const synthesized = SynthesizedPlatform.of(management);

    expect(synthesized.certSans('tenant-01')).toEqual(exposure.certSans);
    expect(synthesized.konnectivityAgentArgs('tenant-01')).toEqual(exposure.konnectivityAgentArgs);
    expect(synthesized.apiHost('tenant-01')).toBe(exposure.api.host);
    expect(synthesized.konnectivityHost('tenants/tenant-01')).toBe(exposure.konnectivity!.host);
    expect(synthesized.routes()).toHaveLength(exposure.routes.length);
    for (const route of exposure.routes) {
      const candidates = synthesized.routesTo(route.hostname);
      expect(candidates).toContainEqual(expect.objectContaining(operatorRoutes.includes(route)
        ? { byOperator: true, passthrough: true, name: 'tenant-01', namespace: 'tenants' }
        : {
          byOperator: false,
          passthrough: true,
          serviceName: route.serviceName,
          serviceNamespace: route.serviceNamespace,
          servicePort: route.servicePort,
        }));
    }
  });
});

describe('k0smotron', () => {
  test('has its hosts and flags in its own fields', () => {
    const { management, controlPlane } = tenant({}, {
      platform: ControlPlanePlatform.k0smotron({ k0sConfig: { api: { extraArgs: { 'audit-log-maxage': 30 } } } }),
      controller: IngressController.haproxy(),
      kubernetesVersion: '1.34.3',
    });

    const synthesized = SynthesizedPlatform.of(management);

    // k0smotron adds the hosts and k0s the in-cluster names.
    expect(synthesized.certSans('tenant-01')).toEqual(controlPlane.certSans.filter(name => name !== 'kubernetes.default.svc.cluster.local'));
    expect(synthesized.apiServerFlags('tenant-01')).toEqual({ 'audit-log-maxage': '30', 'anonymous-auth': 'true' });
    expect(synthesized.apiHost('tenant-01')).toBe('tenant-01.k8s.example.com');
    expect(synthesized.konnectivityHost('tenant-01')).toBe('tenant-01.konnectivity.example.com');
    expect(synthesized.routeTo('tenant-01.konnectivity.example.com')).toEqual(
      { hostname: 'tenant-01.konnectivity.example.com', passthrough: true, kind: 'Cluster', name: 'tenant-01', namespace: 'tenants', byOperator: true });
  });

  test('makes no routes that this library makes', () => {
    const { management } = tenant({}, {
      platform: ControlPlanePlatform.k0smotron(), controller: IngressController.traefik(), kubernetesVersion: '1.34.3',
    });

    expect(SynthesizedPlatform.of(management).routes().map(({ kind }) => kind)).toEqual(['IngressRouteTCP', 'IngressRouteTCP']);
  });
});

test('HyperShift publishes hosts, and knows its certificate names itself', () => {
  const chart = Testing.chart();
  const { exposure } = controlPlaneIn(chart, {
    platform: ControlPlanePlatform.hypershift({
      releaseImage: 'quay.io/ocp-release:4.20.0',
      pullSecretName: 'pull-secret',
      advertiseAddress: '172.20.0.1',
      apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER,
    }),
    controller: IngressController.openshift(),
  });

  const synthesized = SynthesizedPlatform.of(chart);

  expect(synthesized.certSans('tenant-01')).toEqual([]);
  expect(synthesized.apiServerFlags('tenant-01')).toEqual({ 'advertise-address': '172.20.0.1' });
  expect(synthesized.apiHost('tenant-01')).toBe(exposure.api.host);
  expect(synthesized.routes().map(({ hostname, byOperator }) => [hostname, byOperator]))
    .toEqual([...exposure.dnsNames].sort().map(host => [host, true]));
});

test('HyperShift makes no route where this library makes one', () => {
  const chart = Testing.chart();
  const gateway = new SharedIngressGateway(chart, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 } });
  const { exposure } = controlPlaneIn(chart, {
    platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' }),
    controller: gateway.asController(),
    port: 30001,
  });

  const synthesized = SynthesizedPlatform.of(chart);
  expect(synthesized.apiHost('tenant-01')).toBe(exposure.api.host);
  expect(synthesized.konnectivityHost('tenant-01')).toBe(exposure.konnectivity!.host);
  expect(synthesized.routes().map(({ byOperator }) => byOperator)).toEqual([false, false, false]);
});

test('the chart of a template of k0rdent has its hosts', () => {
  const chart = Testing.chart();
  new K0rdentClusterDeployment(chart, 'cluster01', {
    template: 'hetzner-hosted-cp-1-2-0', credential: 'hcloud', config: K0rdentConfig.hostedHetzner(PAGE_CLUSTER),
  });

  expect(SynthesizedPlatform.of(chart).routeTo('api.cluster01.k0s.example.com')).toMatchObject({ kind: 'ClusterDeployment', byOperator: true, passthrough: true });
});

describe('flags of the API server', () => {
  test('are the user\'s and those that the tcp-proxy asks for', () => {
    const { management } = tenant({}, { platform: ControlPlanePlatform.kamaji({ extraArgs: { apiServer: ['--profiling=false', '--v=2'] } }) });

    expect(SynthesizedPlatform.of(management).apiServerFlags('tenant-01')).toEqual({ 'profiling': 'false', 'v': '2', 'endpoint-reconciler-type': 'none' });
  });

  test.each([ControlPlanePlatform.kamaji(), ControlPlanePlatform.steward(), ControlPlanePlatform.kamajiControlPlane()])(
    'hold the advertise address, whatever field it has: $type', platform => {
      const { management } = tenant({
        placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }),
      }, { platform });

      expect(SynthesizedPlatform.of(management).apiServerFlags('tenant-01')).toEqual({ 'advertise-address': '172.20.0.1' });
    });
});

describe('the tcp-proxy', () => {
  test('starts TLS with the API server\'s name, verified', () => {
    const synthesized = SynthesizedPlatform.of(tenant().chart);

    expect(synthesized.proxyUpstream()).toEqual(
      { host: 'tenant-01.k8s.example.com', port: 443, serverName: 'tenant-01.k8s.example.com', verified: true, clusterId: undefined });
    expect(synthesized.proxyFlags()).toMatchObject({ 'endpoints': 'owned', 'endpoint-port': '6443', 'api-server': 'https://tenant-01.k8s.example.com:443' });
  });

  test.each(['10.40.0.201', '2001:db8::1', 'nodes.internal'])('passes TLS on to an address: %s', host => {
    expect(SynthesizedPlatform.of(tenant({ upstream: TcpProxyUpstream.direct({ host, port: 30443 }) }).chart).proxyUpstream()).toEqual(
      { host, port: 30443, serverName: undefined, verified: true, clusterId: undefined });
  });

  test('names its tenant to a shared gateway', () => {
    const { chart } = tenant(
      { upstream: TcpProxyUpstream.sharedGateway({ host: 'edge.internal', clusterIdPort: 6443, tlvType: 0xe1, expect: () => undefined }) },
      { clusterId: 'c0ffee-01' });

    expect(SynthesizedPlatform.of(chart).proxyUpstream()).toMatchObject({ host: 'edge.internal', port: 6443, clusterId: 'c0ffee-01' });
  });

  test('of a static pod has no flags in a manifest', () => {
    const { chart } = tenant({ placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) });

    expect(SynthesizedPlatform.of(chart).proxyFlags()).toEqual({});
    expect(SynthesizedPlatform.of(chart).proxyUpstream().port).toBe(443);
  });
});

describe('what is read are the manifests', () => {
  test('also after patches', () => {
    const { management, controlPlane } = tenant();
    controlPlane.platformObject.addJsonPatch(JsonPatch.add('/spec/networkProfile/certSANs/-', 'patched.example.com'));
    controlPlane.routeObjects[0].addJsonPatch(JsonPatch.replace('/spec/tls/passthrough', false));

    const synthesized = SynthesizedPlatform.of(management);

    expect(synthesized.certSans('tenant-01')).toContain('patched.example.com');
    expect(synthesized.routeTo('tenant-01.k8s.example.com').passthrough).toBe(false);
  });

  test('of several charts, of an app, and of files', () => {
    const outdir = mkdtempSync(join(tmpdir(), 'manifests-'));
    try {
      const app = new App({ outdir });
      controlPlaneIn(new Chart(app, 'management'));
      new ApiObject(new Chart(app, 'other'), 'settings', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
      app.synth();

      expect(SynthesizedPlatform.ofApp(app).manifests).toHaveLength(4);
      expect(SynthesizedPlatform.ofManifests(Yaml.load(join(outdir, 'management.k8s.yaml'))).routeTo('tenant-01.k8s.example.com').servicePort).toBe(6443);
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });

  test('of any origin: objects that say little, or have the kind of something else', () => {
    const metadata = { name: 'x', namespace: 'y' };
    const manifests = [
      { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', metadata, spec: {} },
      { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata, spec: {} },
      { apiVersion: 'kamaji.clastix.io/v1alpha1', kind: 'TenantControlPlane', metadata, spec: {} },
      { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata, spec: { rules: [{ host: 'a.example.com' }] } },
      { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', metadata, spec: { http: [] } },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata },
    ];

    const synthesized = SynthesizedPlatform.ofManifests(manifests);

    expect(synthesized.routes()).toEqual([]);
    expect(synthesized.certSans('x')).toEqual([]);
    expect(synthesized.object('ConfigMap', 'y/x')).toBe(manifests[5]);
  });

  test('of kinds that have the name of a route in another group, such as Knative\'s, there is none', () => {
    const backend = { name: 'web', port: 443 };
    const spec = {
      host: 'a.example.com',
      to: { name: 'web' },
      tls: { termination: 'passthrough' },
      hostnames: ['a.example.com'],
      rules: [{
        host: 'a.example.com', backendRefs: [backend], http: { paths: [{ backend: { service: { name: 'web', port: { number: 443 } } } }] },
      }],
      routes: [{ match: 'HostSNI(`a.example.com`)', services: [backend] }],
      virtualhost: { fqdn: 'a.example.com' },
      tcpproxy: { services: [backend] },
    };
    const routesIn = (group: string, kind: string) =>
      SynthesizedPlatform.ofManifests([{ apiVersion: `${group}/v1`, kind, metadata: { name: 'x', namespace: 'y' }, spec }]).routes().length;

    const kinds = [
      ['networking.k8s.io', 'Ingress'], ['route.openshift.io', 'Route'], ['gateway.networking.k8s.io', 'TLSRoute'], ['traefik.io', 'IngressRouteTCP'],
      ['projectcontour.io', 'HTTPProxy'],
    ];
    expect(kinds.map(([group, kind]) => routesIn(group, kind))).toEqual([1, 1, 1, 1, 1]);
    expect(kinds.map(([, kind]) => routesIn('serving.knative.dev', kind))).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([
    ['server upstream a.example.com:443 ssl sni str(a.example.com)', false],
    ['server upstream a.example.com:443 ssl verify none sni str(a.example.com)', false],
    ['server upstream a.example.com:443 ssl verify required ca-file ca.crt sni str(a.example.com)', true],
  ])('of a tcp-proxy that may not verify: %s', (server, verified) => {
    const proxy = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'proxy', namespace: 'kube-system' }, data: { 'haproxy.cfg': `backend a\n  ${server}\n` } };

    expect(SynthesizedPlatform.ofManifests([proxy]).proxyUpstream()).toMatchObject({ serverName: 'a.example.com', verified });
  });

  test.each([['haproxy', true], ['generic', false]])('of a TenantControlPlane whose routes Steward makes for a controller of the type %s', (controllerType, passthrough) => {
    const controlPlane = {
      apiVersion: 'steward.butlerlabs.dev/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: { name: 'x', namespace: 'y' },
      spec: { controlPlane: { ingress: { hostname: 'a.example.com', controllerType } } },
    };

    expect(SynthesizedPlatform.ofManifests([controlPlane]).routeTo('a.example.com')).toMatchObject({ byOperator: true, passthrough });
  });

  test('an Ingress without an annotation for it does not pass TLS through', () => {
    const { management } = tenant({}, { controller: IngressController.generic({ ingressClassName: 'edge' }), ownRoutes: true });

    expect(SynthesizedPlatform.of(management).routeTo('tenant-01.k8s.example.com').passthrough).toBe(false);
  });

  test('of an Ingress for any host there is no route, as it is for none', () => {
    const paths = [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'default', port: { number: 443 } } } }];
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'any', namespace: 'edge' },
      spec: { rules: [{ http: { paths } }, { host: 'a.example.com', http: { paths } }] },
    };
    expect(SynthesizedPlatform.ofManifests([ingress]).routes().map(({ hostname }) => hostname)).toEqual(['a.example.com']);
  });
});

describe('what is not there is an error that lists what is', () => {
  const synthesized = () => SynthesizedPlatform.of(tenant().management);

  test.each<[string, (platform: SynthesizedPlatform) => unknown, string]>([
    ['a route', platform => platform.routeTo('tenant-02.k8s.example.com'),
      'hostname: "tenant-02.k8s.example.com" has 0 routes; there are routes for "tenant-01.k8s.example.com", "tenant-01.konnectivity.example.com". ' +
      'Ask for one of these hosts.'],
    ['a control plane', platform => platform.certSans('tenant-02'),
      'controlPlane: "tenant-02" is not the name of one control plane; there are "tenants/tenant-01". Give one of these.'],
    ['a tcp-proxy', platform => platform.proxyUpstream(),
      'charts: [] are not the configuration of one tcp-proxy. Give the chart of one tenant, with a TcpProxyAddon.'],
    ['an object', platform => platform.object('Secret', 'ca'), 'name: "ca" is not the name of one Secret; there are none. Give charts that make one.'],
  ])('%s', (_what, ask, message) => {
    expect(() => ask(synthesized())).toThrow(new Error(message));
  });

  test('a host with several routes', () => {
    const { management } = tenant({}, {
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } }),
      hostname: 'a.example.com',
      konnectivity: { hostname: 'a.example.com', port: 8132 },
    });

    expect(() => SynthesizedPlatform.of(management).routeTo('a.example.com')).toThrow(
      'hostname: "a.example.com" has 2 routes; there are routes for "a.example.com". Use routesTo(), or make one route for it.');
    expect(SynthesizedPlatform.of(management).routesTo('a.example.com').map(({ servicePort }) => servicePort)).toEqual([6443, 8132]);
  });
});
