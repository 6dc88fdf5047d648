import { ApiObject, App, Chart, JsonPatch, Lazy, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, HostnamePattern, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps,
  KubernetesServicePath, PlatformBindOptions, PlatformDefaults, ResourcePaths, SynthesizedPlatform, TcpProxyAddon, TcpProxyCertificate,
} from '../../src';
import { PlainPlatform } from '../support/plain';

/** What a user may write for a system of the company's. */
class AcmePlatform extends ControlPlanePlatform {
  public readonly type: string = 'acme';

  public constructor(private readonly paths: ResourcePaths = ACME_PATHS) {
    super();
  }

  public override get resourcePaths(): ResourcePaths {
    return this.paths;
  }

  public defaults(name: string): PlatformDefaults {
    return {
      backend: { serviceName: `${name}-api`, apiPort: 6443, konnectivityServiceName: `${name}-konnectivity`, konnectivityPort: 8132 },
      hostnamePattern: HostnamePattern.steward(),
    };
  }

  public bind(scope: Construct, { exposure, apiServer, labels }: PlatformBindOptions): ApiObject {
    return new ApiObject(scope, 'Resource', {
      apiVersion: 'cloud.example.org/v1',
      kind: 'HostedApi',
      metadata: { name: exposure.name, namespace: exposure.namespace, labels },
      spec: {
        endpoint: { host: exposure.api.host },
        konnectivity: { host: exposure.konnectivity?.host, args: exposure.konnectivityAgentArgs },
        sans: exposure.certSans,
        flags: Lazy.any({ produce: () => apiServer.endpointsOwnedByTcpProxy ? { 'endpoint-reconciler-type': 'none' } : {} }),
      },
    });
  }
}

const ACME_PATHS: ResourcePaths = {
  apiHost: 'spec.endpoint.host',
  konnectivityHost: 'spec.konnectivity.host',
  certSans: 'spec.sans',
  apiServerArgs: 'spec.flags',
  konnectivityAgentArgs: 'spec.konnectivity.args',
};

function tenant(platform: ControlPlanePlatform, props: Partial<IngressExposedControlPlaneProps> = {}) {
  const app = Testing.app();
  const [management, chart] = ['management', 'tenant-01'].map(name => new Chart(app, name));
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, controller: IngressController.haproxy(), platform, ...props,
  });
  return { management, chart, controlPlane, addProxy: () => new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') }) };
}

const codes = (...charts: Chart[]) => SynthesizedPlatform.of(...charts).findings().map(({ code }) => code);

describe('a platform of a user\'s own', () => {
  test('is read as the built-in ones are, from its own resource', () => {
    const { management, chart, controlPlane, addProxy } = tenant(new AcmePlatform());
    addProxy();

    const synthesized = SynthesizedPlatform.of(management, chart);

    expect(synthesized.findings()).toEqual([]);
    expect(synthesized.apiHost('tenant-01')).toBe('tenant-01.k8s.example.com');
    expect(synthesized.konnectivityHost('tenants/tenant-01')).toBe('tenant-01.konnectivity.example.com');
    expect(synthesized.certSans('tenant-01')).toEqual(controlPlane.certSans);
    expect(synthesized.apiServerFlags('tenant-01')).toEqual({ 'endpoint-reconciler-type': 'none' });
    expect(synthesized.konnectivityAgentArgs('tenant-01')).toEqual(controlPlane.exposure.konnectivityAgentArgs);
    expect(synthesized.routeTo('tenant-01.konnectivity.example.com')).toMatchObject({ serviceName: 'tenant-01-konnectivity', servicePort: 8132 });
  });

  test.each<[string, string, JsonPatch]>([
    ['HCP201', 'another host', JsonPatch.replace('/spec/endpoint/host', 'new.k8s.example.com')],
    ['HCP003', 'no host', JsonPatch.remove('/spec/endpoint/host')],
    ['HCP502', 'a certificate without the konnectivity host', JsonPatch.replace('/spec/sans', ['tenant-01.k8s.example.com'])],
    ['HCP601', 'an API server that writes endpoints beside the tcp-proxy', JsonPatch.replace('/spec/flags', {})],
  ])('has the finding %s after a patch for %s', (code, _what, patch) => {
    const { management, chart, controlPlane, addProxy } = tenant(new AcmePlatform());
    addProxy();
    controlPlane.platformObject.addJsonPatch(patch);

    expect(codes(management, chart)).toContain(code);
  });

  test('that says nothing of itself is compared by its exposure', () => {
    const { management, chart, controlPlane, addProxy } = tenant(new PlainPlatform());
    addProxy();

    expect(codes(management, chart)).toEqual([]);
    expect(SynthesizedPlatform.of(management).apiHost('tenant-01')).toBe('tenant-01.k8s.example.com');
    expect(SynthesizedPlatform.of(management).certSans('tenant-01')).toEqual([]);

    controlPlane.routeObjects[1].addJsonPatch(JsonPatch.replace('/spec/rules/0/http/paths/0/backend/service/port/number', 6443));
    expect(codes(management, chart)).toEqual(['HCP204']);
  });

  test('tells of routes that its operator makes, and of its own tcp-proxy', () => {
    const { management } = tenant(new PlainPlatform({ operatorRoutes: ['kube-apiserver'], bringsTcpProxy: true }));

    expect(codes(management)).toEqual([]);
    expect(SynthesizedPlatform.of(management).routeTo('tenant-01.k8s.example.com')).toMatchObject({ byOperator: true, kind: 'ConfigMap', name: 'tenant-01' });
  });

  test('whose resource says no more what it is leaves routes that lead to nobody', () => {
    const { management, controlPlane } = tenant(new AcmePlatform());
    controlPlane.platformObject.addJsonPatch(JsonPatch.remove('/metadata/annotations'));

    expect(codes(management)).toEqual(['HCP002', 'HCP004']);
  });

  test('is not hidden by a control plane beside it', () => {
    const app = new App();
    const management = new Chart(app, 'management');
    const [, own] = [ControlPlanePlatform.kamaji(), new AcmePlatform()].map((platform, i) =>
      new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
        namespace: 'tenants',
        kubernetesVersion: '1.34.3',
        domain: 'example.com',
        controller: IngressController.traefik(),
        platform,
        nodesReachable: true,
        kubernetesService: KubernetesServicePath.none({ reason: 'a test' }),
      }));
    expect(codes(management)).toEqual([]);

    own.platformObject.addJsonPatch(JsonPatch.remove('/metadata/annotations'));
    expect(codes(management)).toEqual(['HCP004']);
  });

  test.each<[ResourcePaths, string]>([
    [{ apiHost: '' }, 'apiHost'],
    [{ certSans: 'spec..sans' }, 'certSans'],
    [{ apiServerArgs: '/spec/args', certSans: 'spec. sans' }, 'certSans'],
    [{ advertiseAddress: 7 as unknown as string }, 'advertiseAddress'],
  ])('refuses what is no path: %j', (paths, key) => {
    expect(() => tenant(new AcmePlatform(paths))).toThrow(expect.objectContaining({
      constructPath: 'management/tenant-01', field: `resourcePaths.${key} of the platform acme`, reason: 'is not a path',
    }));
  });
});

test.each([
  ControlPlanePlatform.kamaji(), ControlPlanePlatform.steward(), ControlPlanePlatform.k0smotron(), ControlPlanePlatform.kamajiControlPlane(),
])(
  'a platform that is known needs no description: $type', platform => {
    const { controlPlane, addProxy } = tenant(platform);
    addProxy();

    expect(controlPlane.platformObject.toJson().metadata.annotations).toBeUndefined();
  });
