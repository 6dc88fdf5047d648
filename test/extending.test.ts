import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, ControllerService, HaproxyController, HelmDelivery, HostnamePattern, HypershiftApiPublishing, HypershiftPlatform,
  IngressAnnotationControllerProps, IngressController, IngressControllerBindOptions, IngressControllerInstall, IngressExposedControlPlane,
  IngressExposedControlPlaneProps, KamajiPlatform, KamajiProps, OpenShiftController, OperatorRoutes, PlatformBindOptions, PlatformDefaults,
  StewardPlatform, TraefikController, K0smotronPlatform, K0smotronJoinToken, TcpProxyAddon,
} from '../src';

/*
 * Built-in controllers and platforms are extended as a user's own are: the rest of the library treats a subclass by what it can
 * do, whatever it calls itself.
 */

/** HAProxy as a company runs it: another class, and an annotation on every Ingress. */
class CompanyHaproxy extends HaproxyController {
  public override readonly type: string = 'company-haproxy';
  protected override readonly usualAnnotations = { 'haproxy.org/timeout-tunnel': '4h' };

  public constructor(props: IngressAnnotationControllerProps = {}) {
    super({ ingressClassName: 'edge', ...props });
  }

  public override get displayName(): string {
    return 'HAProxy of the company';
  }
}

/** Traefik whose routes have an annotation for other tools. */
class AnnotatedTraefik extends TraefikController {
  public override readonly type: string = 'annotated-traefik';

  public override bind(scope: Construct, options: IngressControllerBindOptions): ApiObject[] {
    const objects = super.bind(scope, options);
    objects.forEach(object => object.addJsonPatch(JsonPatch.add('/metadata/annotations', { owner: 'platform' })));
    return objects;
  }
}

class CompanyRouter extends OpenShiftController {
  public override readonly type: string = 'company-router';
}

/** Kamaji with hosts and settings of the company. */
class CompanyKamaji extends KamajiPlatform {
  public override readonly type: string = 'company-kamaji';

  public constructor(props: KamajiProps = {}) {
    super({ replicas: 3, ...props });
  }

  public override defaults(name: string, namespace: string): PlatformDefaults {
    return { ...super.defaults(name, namespace), hostnamePattern: HostnamePattern.of('{name}-{service}.{domain}') };
  }

  public override bind(scope: Construct, options: PlatformBindOptions): ApiObject {
    const object = super.bind(scope, options);
    object.addJsonPatch(JsonPatch.add('/metadata/annotations', { 'cost-center': '4711' }));
    return object;
  }
}

class CompanyK0smotron extends K0smotronPlatform {
  public override readonly type: string = 'company-k0smotron';
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function expose(platform: ControlPlanePlatform, controller: IngressController, props: Partial<IngressExposedControlPlaneProps> = {}) {
  const app = new App();
  const management = new Chart(app, 'management');
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, platform, controller, ...props,
  });
  return {
    app,
    management,
    controlPlane,
    resource: () => controlPlane.platformObject.toJson(),
    routes: () => controlPlane.routeObjects.map(route => route.toJson()),
  };
}

describe('a subclass of a built-in controller', () => {
  test('has a class and annotations of its own on every Ingress', () => {
    const { routes } = expose(ControlPlanePlatform.kamaji(), new CompanyHaproxy());
    expect(routes().map(({ metadata, spec }) => [metadata.annotations, spec.ingressClassName])).toEqual(Array(2).fill(
      [{ 'haproxy.org/ssl-passthrough': 'true', 'haproxy.org/timeout-tunnel': '4h' }, 'edge']));
  });

  test('is left to the operators that make Ingresses, under the name that they have for the product', () => {
    const { resource, controlPlane } = expose(ControlPlanePlatform.steward(), new CompanyHaproxy());
    expect(controlPlane.operatorRoutes.map(({ name }) => name)).toEqual(['kube-apiserver']);
    expect(resource().spec.controlPlane.ingress).toMatchObject({ ingressClassName: 'edge', controllerType: 'haproxy' });
    expect(expose(ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), new CompanyHaproxy()).resource()
      .spec.controlPlane.ingress.additionalMetadata.annotations).toEqual({ 'haproxy.org/ssl-passthrough': 'true', 'haproxy.org/timeout-tunnel': '4h' });
  });

  test('has its class kept free of the Ingress that nobody is to serve', () => {
    expect(() => expose(ControlPlanePlatform.kamaji({ unhandledIngressClassName: 'edge' }), new CompanyHaproxy()))
      .toThrow('unhandledIngressClassName: "edge" is the IngressClass of the HAProxy of the company controller');
    expect(() => expose(ControlPlanePlatform.kamaji({ unhandledIngressClassName: 'traefik' }), new AnnotatedTraefik()))
      .toThrow('unhandledIngressClassName: "traefik" is the IngressClass of the annotated-traefik controller');
  });

  test('is installed by the chart of the controller', () => {
    const { management } = expose(ControlPlanePlatform.kamaji(), new AnnotatedTraefik());
    const install = new IngressControllerInstall(management, 'edge', {
      controller: new AnnotatedTraefik(), chartVersion: '41.3.0', namespace: 'traefik', delivery: HelmDelivery.flux(), service: ControllerService.clusterIp(),
    });
    expect(install.values).toMatchObject({ providers: { kubernetesCRD: { enabled: true } } });
  });

  test('can change what the controller emits', () => {
    const { routes } = expose(ControlPlanePlatform.kamaji(), new AnnotatedTraefik());
    expect(routes().map(({ kind, metadata }) => [kind, metadata.annotations])).toEqual(Array(2).fill(['IngressRouteTCP', { owner: 'platform' }]));
  });

  test('is the router of OpenShift to HyperShift', () => {
    const platform = new HypershiftPlatform({
      releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER,
    });
    const { controlPlane } = expose(platform, new CompanyRouter());
    expect(controlPlane.routeObjects).toEqual([]);
    expect(controlPlane.networkPolicyObject).toBeUndefined();
  });
});

describe('a subclass of a built-in platform', () => {
  test('has defaults, hosts and fields of its own', () => {
    const { controlPlane, resource } = expose(new CompanyKamaji(), IngressController.haproxy());
    expect(controlPlane.exposure.dnsNames).toEqual(['tenant-01-k8s.example.com', 'tenant-01-konnectivity.example.com']);
    expect(resource()).toMatchObject({ metadata: { annotations: { 'cost-center': '4711' } }, spec: { controlPlane: { deployment: { replicas: 3 } } } });
  });

  test('still follows the tcp-proxy of its tenant', () => {
    const { app, controlPlane, resource } = expose(new CompanyKamaji(), IngressController.haproxy());
    new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', { controlPlane });
    expect(resource().spec.controlPlane.deployment.extraArgs.apiServer).toContain('--endpoint-reconciler-type=none');
  });

  test('has join tokens where its control planes are k0smotron Clusters', () => {
    const { management, controlPlane } = expose(new CompanyK0smotron(), IngressController.haproxy());
    expect(new K0smotronJoinToken(management, 'token', { controlPlane }).request.toJson().spec).toMatchObject({ clusterName: 'tenant-01', role: 'worker' });
  });

  test('says which property brings a tcp-proxy, whatever the platform is called', () => {
    class CompanySteward extends StewardPlatform {
      public override readonly type: string = 'company-steward';
    }
    const { app, controlPlane } = expose(new CompanySteward({ tcpProxy: {} }), IngressController.haproxy());
    expect(() => new TcpProxyAddon(new Chart(app, 'tenant-01'), 'tcp-proxy', { controlPlane }))
      .toThrow('has tcp-proxies of its platform (company-steward), and two would fight over default/kubernetes. ' +
        'Leave out this TcpProxyAddon, or the tcpProxy property of the platform.');
  });
});
