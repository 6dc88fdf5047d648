import { App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import * as library from '../../src';
import {
  CloudflareTunnel, ControlPlanePlatform, DnsConfigMap, DnsOutput, DnsTarget, Exposure, ExternalDnsEndpoint, HelmDelivery, HetznerAccess,
  HetznerHostedCluster, HostnamePattern, IngressController, IngressControllerInstall, IngressExposedControlPlane, K0rdentClusterDeployment,
  K0rdentConfig, K0smotronJoinToken, K0smotronPersistence, K0smotronStorage, K0smotronWorkerBootstrap, KubernetesServiceHostInjection,
  PassthroughGateway, SharedIngressGateway, SynthesizedPlatform, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream,
  TenantCharts, TenantDelivery, TenantDns,
} from '../../src';
import { required, requiredList } from '../../src/validation/required';

const untyped = (value?: unknown): any => value;
const nothing = untyped();
const chart = () => new Chart(Testing.app(), 'management');
const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.example.com' });

describe('required', () => {
  test.each<[string, unknown, string]>([
    ['undefined', undefined, 'platform: is not given. Give one.'],
    ['null', null, 'platform: null is not of the right type. Give one.'],
    ['a function', ControlPlanePlatform.kamaji, 'platform: the function kamaji has not been called. Give one.'],
    ['a function without a name', (() => () => undefined)(), 'platform: the function without a name has not been called. Give one.'],
    ['a text', 'kamaji', 'platform: "kamaji" is not of the right type. Give one.'],
  ])('refuses %s', (_, value, message) => {
    expect(() => required('platform', value, 'Give one')).toThrow(new Error(message));
  });

  test('returns what is given', () => {
    const platform = ControlPlanePlatform.kamaji();
    expect(required('platform', platform, 'Give one')).toBe(platform);
    expect(requiredList('zones', ['example.com'], 'Give them')).toEqual(['example.com']);
  });

  test('tells a list from an object', () => {
    expect(() => requiredList('zones', untyped({}), 'Give them')).toThrow('zones: {} is not a list. Give them.');
  });
});

describe('every constructor and factory says what is missing', () => {
  const controlPlane = (props: { [name: string]: unknown }) => () => new IngressExposedControlPlane(chart(), 'tenant-01', untyped({
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.traefik(),
    ...props,
  }));
  const passthroughGateway = () => new PassthroughGateway(chart(), 'edge', {
    namespace: 'edge', gatewayClassName: 'cilium', listeners: [{ name: 'api', hostname: '*.example.com' }],
  });
  const hetzner = (props: { [name: string]: unknown }) => () => new HetznerHostedCluster(chart(), 'tenant-01', untyped({
    namespace: 'tenants',
    k0sVersion: '1.34.3+k0s.0',
    region: library.HetznerRegion.FSN1,
    workers: { replicas: 1, type: 'cx23', image: 'ubuntu' },
    access: HetznerAccess.nodePort({ host: '192.0.2.1' }),
    ...props,
  }));
  const deployment = (props: { [name: string]: unknown }) => () => new K0rdentClusterDeployment(chart(), 'tenant-01', untyped({
    template: 'other', credential: 'hetzner', config: K0rdentConfig.values({ a: 1 }), ...props,
  }));

  test.each<[string, () => unknown, string]>([
    ['a control plane without properties', () => new IngressExposedControlPlane(chart(), 'tenant-01', nothing),
      'props: is not given. Give namespace, kubernetesVersion, platform and controller.'],
    ['a control plane without a platform', controlPlane({ platform: undefined }), 'platform: is not given. Give one, e.g. ControlPlanePlatform.kamaji().'],
    ['a platform that is not called', controlPlane({ platform: ControlPlanePlatform.kamaji }), 'platform: the function kamaji has not been called. Give one, e.g.'],
    ['a platform by its name', controlPlane({ platform: 'kamaji' }), 'platform: "kamaji" is not of the right type. Give one, e.g. ControlPlanePlatform.kamaji().'],
    ['a control plane without a controller', controlPlane({ controller: undefined }), 'controller: is not given. Give one, e.g. IngressController.haproxy().'],
    ['a control plane with the gateway itself', controlPlane({ controller: new SharedIngressGateway(chart(), 'edge', { namespace: 'edge' }) }),
      'controller: the SharedIngressGateway is not of the right type. Give what its asController() returns.'],
    ['a control plane with the installation itself', controlPlane({
      controller: new IngressControllerInstall(chart(), 'edge', { controller: IngressController.traefik(), chartVersion: '41.3.0', namespace: 'edge', delivery: HelmDelivery.flux() }),
    }), 'controller: the IngressControllerInstall is not of the right type. Give its controller.'],
    ['a control plane without a namespace', controlPlane({ namespace: undefined }), 'namespace: is not set. Give a text'],
    ['a control plane with a text for a list', controlPlane({ allowedCidrs: '203.0.113.0/24' }), 'allowedCidrs: "203.0.113.0/24" is not a list. Write ["203.0.113.0/24"].'],
    ['a network policy for nobody', controlPlane({ networkPolicy: {} }),
      'networkPolicy.namespaces: is not given. Give that of the ingress controller, e.g. ["traefik"].'],
    ['a control plane without a version', controlPlane({ kubernetesVersion: undefined }),
      'kubernetesVersion: is not set. Give a text'],
    ['an exposure', () => new Exposure(nothing), 'props: is not given. Give name and namespace, and hostname or domain.'],
    ['a pattern', () => HostnamePattern.of(nothing), 'hostnamePattern: is not set. Give a text'],

    ['hypershift', () => ControlPlanePlatform.hypershift(nothing), 'props: is not given. Give releaseImage and pullSecretName.'],
    ['hypershift without an image', () => ControlPlanePlatform.hypershift(untyped({})), 'releaseImage: is not set. Give a text'],
    ['hypershift without a pull secret', () => ControlPlanePlatform.hypershift(untyped({ releaseImage: 'example.com/ocp:4' })),
      'pullSecretName: is not set. Give a text'],
    ['gatewayApi', () => IngressController.gatewayApi(nothing), 'props: is not given. Give gateway, e.g. { gateway: { name: "edge", namespace: "edge" } }.'],
    ['gatewayApi without a Gateway', () => IngressController.gatewayApi(untyped({})), 'gateway: is not given. Give one, e.g. { name: "edge", namespace: "edge" }.'],
    ['gatewayApi without its namespace', () => IngressController.gatewayApi(untyped({ gateway: { name: 'edge' } })), 'gateway.namespace: is not set.'],
    ['gatewayApi without its name', () => IngressController.gatewayApi(untyped({ gateway: { namespace: 'edge' } })), 'gateway.name: is not set.'],
    ['gatewayApi with the gateway itself', () => IngressController.gatewayApi({ gateway: untyped(passthroughGateway()) }), 'gateway: the PassthroughGateway is not of the right type. Use what its asController() returns in place of this controller.'],
    ['generic', () => IngressController.generic(nothing), 'props: is not given. Give ingressClassName and annotations.'],
    ['a Gateway', () => new PassthroughGateway(chart(), 'edge', nothing), 'props: is not given. Give namespace, gatewayClassName and listeners.'],
    ['a Gateway without a class', () => new PassthroughGateway(chart(), 'edge', untyped({ namespace: 'edge', listeners: [] })), 'gatewayClassName: is not set.'],
    ['a Gateway without listeners', () => new PassthroughGateway(chart(), 'edge', untyped({ namespace: 'edge', gatewayClassName: 'cilium' })),
      'listeners: is not given. Give one for each kind of host, e.g. { name: "api", hostname: "*.k8s.example.com" }.'],

    ['flux', () => TenantDelivery.flux(nothing), 'props: is not given. Give source, e.g. { source: { name: "tenants" } }.'],
    ['flux without a source', () => TenantDelivery.flux(untyped({ path: 'dist' })), 'source: is not given. Give one, e.g. { name: "tenants" }.'],
    ['argoCd', () => TenantDelivery.argoCd(nothing), 'props: is not given. Give repoUrl'],
    ['argoCd without a repository', () => TenantDelivery.argoCd(untyped({})), 'repoUrl: is not set. Give a text'],
    ['a delivery that is not called', () => new TenantCharts(chart(), 'tenants', { delivery: untyped(TenantDelivery.sync) }),
      'delivery: the function sync has not been called. Give one, e.g. TenantDelivery.sync().'],
    ['the chart of no tenant', () => new TenantCharts(chart(), 'tenants').of(nothing), 'controlPlane: is not given. Give the tenant\'s IngressExposedControlPlane.'],

    ['a tcp-proxy', () => new TcpProxyAddon(chart(), 'tcp-proxy', nothing), 'props: is not given. Give controlPlane, or exposure.'],
    ['a tcp-proxy with the gateway itself', () => new TcpProxyAddon(chart(), 'tcp-proxy', { exposure, upstream: untyped(new SharedIngressGateway(chart(), 'edge', { namespace: 'edge' })) }),
      'upstream: the SharedIngressGateway is not of the right type. Give TcpProxyUpstream.sharedGateway(gateway).'],
    ['records of a control plane itself', () => new TenantDns({ exposures: [untyped(controlPlane({})())], target: DnsTarget.addresses(['192.0.2.1']), zones: ['example.com'] }),
      'exposures[0]: the IngressExposedControlPlane is not of the right type. Give its exposure.'],
    ['a number of replicas by itself', () => TcpProxyPlacement.replicas(untyped(0)),
      'placement: 0 is not of the right type. Give { replicas: 2 }, or nothing.'],
    ['no replicas', () => TcpProxyPlacement.replicas({ replicas: 0 }), 'placement.replicas: 0 would leave pods without an API server'],
    ['replicas below none', () => TcpProxyPlacement.replicas({ replicas: -1 }), 'placement.replicas: -1 would leave pods without an API server'],
    ['a half replica', () => TcpProxyPlacement.replicas({ replicas: 1.5 }), 'placement.replicas: 1.5 would leave pods without an API server'],
    ['fixedAddress', () => TcpProxyEndpoints.fixedAddress(nothing), 'endpoints: is not given. Give addresses, e.g. { addresses: ["100.64.30.10"] }.'],
    ['fixedAddress without one', () => TcpProxyEndpoints.fixedAddress(untyped({})), 'endpoints.addresses: is not given. Give at least one, e.g. ["100.64.30.10"].'],
    ['ownedAdvertiseAddress', () => TcpProxyEndpoints.ownedAdvertiseAddress(untyped({})), 'endpoints.addresses: is not given.'],
    ['direct', () => TcpProxyUpstream.direct(nothing), 'upstream: is not given. Give host, e.g. { host: "10.0.0.10" }.'],
    ['direct without a host', () => TcpProxyUpstream.direct(untyped({})), 'upstream.host: is not set.'],
    ['sharedGateway', () => TcpProxyUpstream.sharedGateway(nothing), 'gateway: is not given. Give a SharedIngressGateway, or SharedIngressGateway.fromAttributes().'],
    ['host injection', () => new KubernetesServiceHostInjection(chart(), 'injection', nothing), 'props: is not given. Give controlPlane, or exposure and kubernetesVersion.'],
    ['a shared gateway', () => new SharedIngressGateway(chart(), 'edge', nothing), 'props: is not given. Give namespace.'],
    ['a shared gateway elsewhere', () => SharedIngressGateway.fromAttributes(nothing), 'attributes: is not given. Give host, e.g. { host: "192.0.2.10" }.'],
    ['a shared gateway without a host', () => SharedIngressGateway.fromAttributes(untyped({})), 'host: is not set.'],

    ['DNS', () => new TenantDns(nothing), 'props: is not given. Give exposures, target and zones.'],
    ['DNS without exposures', () => new TenantDns(untyped({ target: DnsTarget.addresses(['192.0.2.1']), zones: ['example.com'] })),
      'exposures: is not given. Give those of your control planes, e.g. [controlPlane.exposure].'],
    ['DNS without a target', () => new TenantDns(untyped({ exposures: [exposure], zones: ['example.com'] })),
      'target: is not given. Give one, e.g. DnsTarget.addresses(["192.0.2.10"]).'],
    ['DNS without zones', () => new TenantDns(untyped({ exposures: [exposure], target: DnsTarget.addresses(['192.0.2.1']) })),
      'zones: is not given. Give the DNS zones of your names, e.g. ["k8s.example.com"].'],
    ['addresses', () => DnsTarget.addresses(nothing), 'addresses: is not given. Give the addresses of the ingress controller\'s load balancer'],
    ['one address', () => DnsTarget.addresses(untyped('192.0.2.1')), 'addresses: "192.0.2.1" is not of the right type.'],
    ['port forwards', () => DnsOutput.portForwards(nothing), 'props: is not given. Give internalAddresses.'],
    ['port forwards to nowhere', () => DnsOutput.portForwards(untyped({})), 'internalAddresses: is not given. Give the addresses that the router forwards to.'],
    ['a tunnel', () => new CloudflareTunnel(chart(), 'tunnel', nothing), 'props: is not given. Give dns, namespace, ingressHost, credentialsSecretName and image.'],
    ['a tunnel without names', () => new CloudflareTunnel(chart(), 'tunnel', untyped({})), 'dns: is not given. Give a TenantDns.'],
    ['a ConfigMap', () => new DnsConfigMap(chart(), 'dns', nothing), 'props: is not given. Give dns, output and namespace.'],
    ['a ConfigMap without an output', () => new DnsConfigMap(chart(), 'dns', untyped({ dns: { target: {}, records: [], _tree: {} } })), 'output: is not given. Give one, e.g. DnsOutput.coreDns().'],
    ['DNSEndpoints', () => new ExternalDnsEndpoint(chart(), 'dns', nothing), 'props: is not given. Give dns and namespace.'],
    ['DNSEndpoints without names', () => new ExternalDnsEndpoint(chart(), 'dns', untyped({})), 'dns: is not given. Give a TenantDns.'],
    ['annotations', () => ExternalDnsEndpoint.annotations(nothing), 'dns: is not given. Give a TenantDns.'],

    ['an installation', () => new IngressControllerInstall(chart(), 'install', nothing), 'props: is not given. Give controller, chartVersion, namespace and delivery.'],
    ['an installation of nothing', () => new IngressControllerInstall(chart(), 'install', untyped({})), 'controller: is not given. Give one, e.g. IngressController.haproxy().'],
    ['an installation by nobody', () => new IngressControllerInstall(chart(), 'install', untyped({ controller: IngressController.haproxy(), chartVersion: '1.2.3', namespace: 'a' })),
      'delivery: is not given. Give one, e.g. HelmDelivery.flux().'],
    ['an installation of no version', () => new IngressControllerInstall(chart(), 'install', untyped({
      controller: IngressController.haproxy(), namespace: 'a', delivery: HelmDelivery.flux(),
    })), 'chartVersion: is not set. Give a text'],

    ['a cluster on Hetzner', () => new HetznerHostedCluster(chart(), 'tenant-01', nothing), 'props: is not given. Give namespace, k0sVersion, access, region and workers.'],
    ['a cluster without access', hetzner({ access: undefined }), 'access: is not given. Give one, e.g. HetznerAccess.loadBalancer().'],
    ['a cluster without workers', hetzner({ workers: undefined }), 'workers: is not given. Give the pool, e.g. { type: "cx23", image: "ubuntu-24.04", replicas: 2 }.'],
    ['ingress access', () => HetznerAccess.ingress(nothing), 'access: is not given. Give controller and domain.'],
    ['ingress access without a controller', () => HetznerAccess.ingress(untyped({})), 'access.controller: is not given. Give one, e.g. IngressController.haproxy().'],
    ['node port access', () => HetznerAccess.nodePort(nothing), 'access: is not given. Give host, e.g. { host: "192.0.2.10" }.'],
    ['node port access without a host', () => HetznerAccess.nodePort(untyped({})), 'access.host: is not set.'],
    ['a ClusterDeployment', () => new K0rdentClusterDeployment(chart(), 'tenant-01', nothing), 'props: is not given. Give template, credential and config.'],
    ['a ClusterDeployment without values', deployment({ config: undefined }), 'config: is not given. Give one, e.g. K0rdentConfig.values({ … }).'],
    ['a ClusterDeployment without a template', deployment({ template: undefined }), 'template: is not set.'],
    ['a ClusterDeployment without a credential', deployment({ credential: undefined }), 'credential: is not set.'],
    ['values', () => K0rdentConfig.values(nothing), 'config: is not given. Give at least one value.'],
    ['hostedHetzner', () => K0rdentConfig.hostedHetzner(nothing), 'config: is not given. Give k0sVersion, access, region and workers.'],
    ['hostedHetzner without workers', deployment({ config: K0rdentConfig.hostedHetzner(untyped({ k0sVersion: '1.34.3+k0s.0', access: HetznerAccess.loadBalancer(), region: 'fsn1' })) }),
      'workers: is not given.'],
    ['a join token', () => new K0smotronJoinToken(chart(), 'token', nothing), 'props: is not given. Give controlPlane.'],
    ['a join token for nothing', () => new K0smotronJoinToken(chart(), 'token', untyped({})),
      'controlPlane: is not given. Give the tenant\'s IngressExposedControlPlane.'],
    ['a worker', () => new K0smotronWorkerBootstrap(nothing), 'props: is not given. Give controlPlane, k0sVersion and joinTokenSecretName.'],
    ['a worker of nothing', () => new K0smotronWorkerBootstrap(untyped({ k0sVersion: '1.34.3+k0s.0' })), 'controlPlane: is not given.'],
    ['hostPath', () => K0smotronPersistence.hostPath(nothing), 'persistence.hostPath: is not set.'],
    ['persistentVolume', () => K0smotronPersistence.persistentVolume(nothing), 'persistence: is not given. Give size, e.g. { size: "1Gi" }.'],
    ['persistentVolume without a size', () => K0smotronPersistence.persistentVolume(untyped({})), 'persistence.size: is not set.'],
    ['kine', () => K0smotronStorage.kine(nothing), 'storage.dataSourceSecretName: is not set.'],

    ['the manifests of no app', () => SynthesizedPlatform.ofApp(nothing), 'app: is not given. Give the App of cdk8s.'],
    ['no manifests', () => SynthesizedPlatform.ofManifests(nothing), 'manifests: is not given. Give a list, e.g. of Yaml.load() of cdk8s.'],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('nothing public fails with a TypeError when it gets nothing', () => {
  /** They take instances of classes, and `{}` is not nothing there. */
  const exceptions = ['Warnings.of', 'SynthesizedPlatform.of', 'ExternalDnsEndpoint.annotations'];
  const classes = Object.entries(library).filter((entry): entry is [string, any] => typeof entry[1] === 'function');
  const factories = classes.flatMap(([name, type]) => Object.getOwnPropertyNames(type)
    .filter(method => typeof type[method] === 'function' && !method.startsWith('_') && !['prototype', 'synced'].includes(method))
    .map((method): [string, (props?: object) => unknown] => [`${name}.${method}`, props => type[method](props)]))
    .filter(([name]) => !exceptions.includes(name));
  const constructs = classes.filter(([, type]) => type.prototype instanceof Construct)
    .map(([name, type]): [string, (props?: object) => unknown] => [`new ${name}`, props => new type(new Chart(new App({ outdir: 'unwritten' }), 'management'), 'id', props)]);

  test.each([...factories, ...constructs])('%s', (_, make) => {
    expect(factories.length).toBeGreaterThan(40);
    expect(constructs.length).toBeGreaterThan(10);
    for (const props of [undefined, {}]) {
      let error: unknown;
      try {
        make(props);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).not.toBeInstanceOf(TypeError);
    }
  });
});
