import { ApiObject, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import { install, NEWEST } from './install';
import {
  ControllerService, Exposure, HelmChartRelease, HelmDelivery, IngressController, IngressControllerInstall, SharedIngressGateway, TcpProxyAddon,
} from '../../src';
import { PlainController } from '../support/plain';
import { expectValid } from '../support/schemas';

const INSTALLABLE: [string, IngressController, string, string][] = [
  ['traefik', IngressController.traefik(), 'traefik', 'https://traefik.github.io/charts'],
  ['haproxy', IngressController.haproxy(), 'kubernetes-ingress', 'https://haproxytech.github.io/helm-charts'],
  ['haproxyIngress', IngressController.haproxyIngress(), 'haproxy-ingress', 'https://haproxy-ingress.github.io/charts'],
  ['ingressNginx', IngressController.ingressNginx(), 'ingress-nginx', 'https://kubernetes.github.io/ingress-nginx'],
];

describe('the installation by Flux', () => {
  test.each(INSTALLABLE)('of %s is a HelmRelease and the index of its chart', (_, controller, chart, url) => {
    const { construct, manifests: [source, release, ...others] } = install(controller, { labels: { team: 'edge' } });
    expect(others).toEqual([]);
    expect(construct.objects.map(object => object.toJson())).toEqual([source, release]);
    expect(source).toEqual({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'HelmRepository',
      metadata: { name: 'edge', namespace: 'flux-system', labels: { team: 'edge' } },
      spec: { url, interval: '10m' },
    });
    expect(release).toEqual({
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: 'edge', namespace: 'flux-system', labels: { team: 'edge' } },
      spec: {
        interval: '10m',
        releaseName: 'edge',
        targetNamespace: 'ingress',
        storageNamespace: 'ingress',
        chart: { spec: { chart, version: NEWEST[controller.type], sourceRef: { kind: 'HelmRepository', name: 'edge' } } },
        install: { createNamespace: true, crds: 'Create', remediation: { retries: 3 } },
        upgrade: { crds: 'CreateReplace', remediation: { retries: 3 } },
        values: construct.values,
      },
    });
  });

  test('of F5 NGINX takes the chart from a registry', () => {
    const { manifests: [source, release] } = install(IngressController.f5Nginx(), { chartVersion: '2.4.4' });
    expect(source).toEqual({
      apiVersion: 'source.toolkit.fluxcd.io/v1',
      kind: 'OCIRepository',
      metadata: { name: 'edge', namespace: 'flux-system' },
      spec: {
        url: 'oci://ghcr.io/nginx/charts/nginx-ingress',
        interval: '10m',
        layerSelector: { mediaType: 'application/vnd.cncf.helm.chart.content.v1.tar+gzip', operation: 'copy' },
        ref: { tag: '2.4.4' },
      },
    });
    expect(release.spec.chartRef).toEqual({ kind: 'OCIRepository', name: 'edge' });
    expect(release.spec.chart).toBeUndefined();
  });

  test('writes the version as the tag that Helm pushes', () => {
    const { manifests: [source] } = install(IngressController.f5Nginx(), { chartVersion: '2.4.4+build.1' });
    expect(source.spec.ref.tag).toBe('2.4.4_build.1');
  });

  test('takes a namespace, an interval, tries, a name and a mirror', () => {
    const { manifests: [source, release] } = install(IngressController.traefik(), {
      name: 'traefik-edge',
      chartRepository: 'oci://charts.example.com/mirror/',
      delivery: HelmDelivery.flux({ namespace: 'gitops', interval: '1h30m', retries: -1 }),
    });
    expect(source).toMatchObject({
      kind: 'OCIRepository', metadata: { name: 'traefik-edge', namespace: 'gitops' }, spec: { url: 'oci://charts.example.com/mirror/traefik', interval: '1h30m' },
    });
    expect(release).toMatchObject({
      metadata: { name: 'traefik-edge', namespace: 'gitops' },
      spec: { releaseName: 'traefik-edge', install: { remediation: { retries: -1 } }, upgrade: { remediation: { retries: -1 } } },
    });
  });
});

describe('the installation by Argo CD', () => {
  test.each(INSTALLABLE)('of %s is an Application with a Helm source', (_, controller, chart, repoURL) => {
    const { construct, manifests } = install(controller, { delivery: HelmDelivery.argoCd(), labels: { team: 'edge' } });
    expect(construct.objects.map(object => object.toJson())).toEqual(manifests);
    expect(manifests).toEqual([{
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'edge', namespace: 'argocd', labels: { team: 'edge' } },
      spec: {
        project: 'default',
        destination: { name: 'in-cluster', namespace: 'ingress' },
        source: { repoURL, chart, targetRevision: NEWEST[controller.type], helm: { releaseName: 'edge', valuesObject: construct.values } },
        syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
      },
    }]);
  });

  test('names a registry without its scheme', () => {
    const { manifests: [application] } = install(IngressController.f5Nginx(), { delivery: HelmDelivery.argoCd() });
    expect(application.spec.source).toMatchObject({ repoURL: 'ghcr.io/nginx/charts', chart: 'nginx-ingress' });
  });

  test('takes a namespace, a project, a cluster and someone who syncs by hand', () => {
    const delivery = HelmDelivery.argoCd({ namespace: 'gitops', project: 'edge', clusterName: 'frankfurt', automated: false });
    const { manifests: [application] } = install(IngressController.traefik(), { delivery });
    expect(application.metadata.namespace).toBe('gitops');
    expect(application.spec).toMatchObject({ project: 'edge', destination: { name: 'frankfurt' } });
    expect(application.spec.syncPolicy.automated).toBeUndefined();
  });
});

describe('the objects of an installation', () => {
  const controllers: [string, IngressController][] = [
    ...INSTALLABLE.map(([name, controller]): [string, IngressController] => [name, controller]), ['f5Nginx', IngressController.f5Nginx()],
  ];
  test.each(controllers)('are valid for %s, by either engine', (_, controller) => {
    const [, release] = install(controller, { labels: { a: 'b' } }).manifests;
    expectValid(release);
    const [application] = install(controller, { delivery: HelmDelivery.argoCd(), labels: { a: 'b' } }).manifests;
    expectValid(application);
  });
});

describe('the installation by cdk8s itself', () => {
  // What it renders is shown with the real program, in test/e2e/helm-delivery.test.ts.
  test('needs the program helm on the machine that synthesizes', () => {
    const delivery = HelmDelivery.cdk8sHelm({ helmExecutable: '/nonexistent/helm' });
    expect(() => install(IngressController.traefik(), { delivery })).toThrow(
      'delivery.helmExecutable: "/nonexistent/helm" is not a program on this machine. ' +
      'Install Helm 3 or give its path, or use HelmDelivery.flux() or HelmDelivery.argoCd(), which render in the cluster.');
  });

  test('refuses a program that is no text', () => {
    expect(() => HelmDelivery.cdk8sHelm({ helmExecutable: 3 as any })).toThrow('delivery.helmExecutable: 3 is not a text. ');
  });
});

test('an engine of a user\'s own gets the chart with its values', () => {
  const seen: HelmChartRelease[] = [];
  class Recorder extends HelmDelivery {
    public bind(scope: Construct, release: HelmChartRelease): ApiObject[] {
      seen.push(release);
      return [new ApiObject(scope, 'record', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: release.name, namespace: release.namespace } })];
    }
  }
  const { construct } = install(IngressController.traefik(), { delivery: new Recorder() });
  expect(seen).toEqual([{
    name: 'edge', namespace: 'ingress', chart: 'traefik', repository: 'https://traefik.github.io/charts', version: '41.3.0', values: construct.values,
  }]);
});

test('the controller of an installation is the one to give to control planes', () => {
  const controller = IngressController.traefik();
  expect(install(controller).construct.controller).toBe(controller);
});

describe('an installation is refused', () => {
  test.each([
    ['gateway-api', IngressController.gatewayApi({ gateway: { name: 'g', namespace: 'n' } }),
      'leads to a Gateway, and any of many implementations serves it. ' +
      'Install the implementation of your GatewayClass by its own instructions; PassthroughGateway makes the Gateway.'],
    ['istio', IngressController.istio(), 'is a part of the mesh. Install Istio with istioctl or its own charts, with an ingress gateway.'],
    ['openshift', IngressController.openshift(), 'is the router that OpenShift brings along. Leave the installation out.'],
    ['cilium', IngressController.cilium(), 'is a part of the CNI. Put helmValues() of the controller into the values of Cilium itself.'],
    ['contour', IngressController.contour(),
      'is installed by its operator or its own manifests. Install Contour by its own instructions; it needs no setting for passthrough.'],
    ['generic', IngressController.generic({ ingressClassName: 'x' }), 'is not known here. Install it by its own instructions, ' +
      'with helmValues() of the controller, or use traefik, haproxy, haproxy-ingress, ingress-nginx, f5-nginx.'],
    ['plain', new PlainController(), 'is not known here. Install it by its own instructions, ' +
      'with helmValues() of the controller, or use traefik, haproxy, haproxy-ingress, ingress-nginx, f5-nginx.'],
  ])('for %s', (type, controller, message) => {
    expect(() => install(controller)).toThrow(`controller: "${type}" ${message}`);
  });

  test('for the shared gateway, which is a workload of its own', () => {
    const gateway = new SharedIngressGateway(new Chart(Testing.app(), 'gateway'), 'gateway', { namespace: 'edge', nameservers: ['10.96.0.10'] } as any);
    expect(() => install(gateway.asController()))
      .toThrow('controller: "shared-gateway" is a workload that SharedIngressGateway emits itself. Leave the installation out.');
  });

  test.each(['37', '37.x', '^37.1.0', 'latest', '>=37.0.0', ''])('at %p, which is not one version', chartVersion => {
    expect(() => install(IngressController.traefik(), { chartVersion })).toThrow(
      `chartVersion: "${chartVersion}" is not one exact version. Give major, minor and patch, e.g. "41.3.0".`);
  });

  test.each(['37.1.2', 'v37.1.2', '37.0.0-rc.1', '37.1.2+build.4'])('but not at %p', chartVersion => {
    expect(install(IngressController.traefik(), { chartVersion }).manifests[1].spec.chart.spec.version).toBe(chartVersion);
  });

  test('at a version of the chart whose values have other names', () => {
    expect(() => install(IngressController.traefik(), { chartVersion: '26.1.0' })).toThrow(
      'chartVersion: "26.1.0" is older than 27.0.0, the first version of the chart traefik with the values that are used; ' +
      'the newest that was read is 41 (traefik 41.3.0). Use a newer one.');
  });

  test.each([0, -1, 1.5, NaN])('with %p pods', replicas => {
    expect(() => install(IngressController.traefik(), { replicas }))
      .toThrow(`replicas: ${replicas} is not a number of pods. Give a whole number of at least 1.`);
  });

  test('with names that Kubernetes or Helm would refuse', () => {
    expect(() => install(IngressController.traefik(), { namespace: 'Edge' })).toThrow('namespace: "Edge" is not a valid name. ');
    expect(() => install(IngressController.traefik(), { name: 'my edge' })).toThrow('name: "my edge" is not a valid name. ');
    const name = 'a'.repeat(54);
    expect(() => install(IngressController.traefik(), { name })).toThrow(`name: "${name}" is 54 characters long; Helm allows 53. Shorten it.`);
    expect(() => install(IngressController.traefik(), { labels: { 'a b': '' } })).toThrow('labels: "a b" is not the key of a label. ');
  });

  test.each(['charts.example.com', 'git://example.com/charts', 'https://'])('from %p, which is no chart repository', chartRepository => {
    expect(() => install(IngressController.traefik(), { chartRepository })).toThrow(
      `chartRepository: "${chartRepository}" is not the URL of a chart repository. Write "https://…" for an index or "oci://…" for a folder of a registry.`);
  });

  test('with networks that are none', () => {
    expect(() => install(IngressController.traefik(), { proxyProtocolTrustedCidrs: [] })).toThrow(
      'proxyProtocolTrustedCidrs: [] is empty. Leave it out for connections without PROXY protocol, or list the networks of the load balancer.');
    expect(() => install(IngressController.traefik(), { proxyProtocolTrustedCidrs: ['10.0.0.0/8', '10.0.0.1'] }))
      .toThrow('proxyProtocolTrustedCidrs[1]: "10.0.0.1" is not a network in CIDR notation. ');
  });

  test('with null, which would be lost', () => {
    expect(() => install(IngressController.traefik(), { values: { deployment: { replicas: null } } })).toThrow(
      'values.deployment.replicas: null would be lost, as cdk8s leaves null out of manifests. Give the value that the chart is to have, e.g. "", [] or false.');
  });

  test('with settings that the engine would refuse', () => {
    expect(() => HelmDelivery.flux({ namespace: 'Flux' })).toThrow('delivery.namespace: "Flux" is not a valid name. ');
    expect(() => HelmDelivery.flux({ interval: '10 minutes' }))
      .toThrow('delivery.interval: "10 minutes" is not a duration. Give numbers with units, e.g. "10m" or "1h30m".');
    for (const retries of [-2, 0.5]) {
      expect(() => HelmDelivery.flux({ retries }))
        .toThrow(`delivery.retries: ${retries} is not a number of tries. Give a whole number of at least -1.`);
    }
    expect(() => HelmDelivery.argoCd({ namespace: 'Argo' })).toThrow('delivery.namespace: "Argo" is not a valid name. ');
    expect(() => HelmDelivery.argoCd({ project: 7 as any })).toThrow('delivery.project: 7 is not a text. ');
    expect(() => HelmDelivery.argoCd({ clusterName: 7 as any })).toThrow('delivery.clusterName: 7 is not a text. ');
  });

  test('twice under one name, and in a chart of a tenant', () => {
    const app = Testing.app();
    const chart = new Chart(app, 'management');
    const props = { controller: IngressController.traefik(), chartVersion: '37.1.2', namespace: 'ingress', delivery: HelmDelivery.argoCd() };
    new IngressControllerInstall(chart, 'first', { ...props, name: 'edge' });
    new IngressControllerInstall(chart, 'second', { ...props, name: 'edge' });
    expect(() => app.synth()).toThrow('Application in cluster "management": "argocd/edge" is used by both management/first and management/second.');

    const tenant = new Chart(Testing.app(), 'tenant');
    new TcpProxyAddon(tenant, 'tcp-proxy', { exposure: new Exposure({ name: 'a', namespace: 'b', hostname: 'a.example.com' }) });
    expect(() => new IngressControllerInstall(tenant, 'edge', props)).toThrow(/^tenant\/edge: chart: "tenant" holds tenant\/tcp-proxy for the cluster "b\/a"/);
  });
});

describe('a Service is refused', () => {
  test('with an address that is none', () => {
    expect(() => ControllerService.loadBalancer({ loadBalancerIp: 'lb.example.com' })).toThrow(
      'service.loadBalancerIp: "lb.example.com" is not an IP address.');
  });

  test('with an empty class', () => {
    expect(() => ControllerService.loadBalancer({ loadBalancerClass: '' }))
      .toThrow('service.loadBalancerClass: "" is not the key of a label.');
  });

  test('with source ranges that are none', () => {
    expect(() => ControllerService.loadBalancer({ sourceRanges: [] })).toThrow(
      'service.sourceRanges: [] is empty, which Kubernetes takes for everyone. Leave it out to allow everyone, or list networks.');
    expect(() => ControllerService.loadBalancer({ sourceRanges: ['10.0.0.0/8', '10.1.0.1/16'] }))
      .toThrow('service.sourceRanges[1]: "10.1.0.1/16" has host bits set. Write "10.1.0.0/16".');
  });

  test('with annotations that Kubernetes would refuse', () => {
    expect(() => ControllerService.loadBalancer({ annotations: { 'a b': '' } })).toThrow('service.annotations: "a b" is not the key of a label. ');
    expect(() => ControllerService.clusterIp({ annotations: { a: true as any } })).toThrow('service.annotations["a"]: true is not a text. ');
  });
});
