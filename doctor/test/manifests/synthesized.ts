// eslint-disable-next-line import/no-extraneous-dependencies -- the library's own, which is the subject here
import { App, Chart } from 'cdk8s';
import { load, loadAll } from 'js-yaml';
import { HYPERSHIFT } from './good';
import {
  ControlPlanePlatform, FleetRoutes, HetznerAccess, HetznerHostedCluster, HetznerRegion, IngressController, IngressExposedControlPlane,
  IngressExposedControlPlaneProps, K0rdentClusterDeployment, K0rdentConfig,
  K0smotronServiceType, KubernetesServiceEndpoints, KubernetesServicePath, ManagementCluster, OperatorRoutes, SharedIngressGateway, TcpProxyAddon,
  TcpProxyCertificate, TcpProxyEndpoints,
  TcpProxyUpstream, TenantCharts, TenantDelivery,
} from '../../../src';
import { Tenants } from '../../../test/conformance/tenants';

/*
 * Platforms of several tenants as this library writes them, for tests that break one thing. HyperShift's is written by
 * hand: which of its strategies the library refuses is not the doctor's affair.
 */

/** Two tenants behind one controller, each with a tcp-proxy. */
const tenants = (platform: string, controller: string, tcpProxy = 'sni, replicas, owned') =>
  () => new Tenants({ platform, controller, konnectivity: true, tcpProxy, tenants: 2 }).manifests();

export const SYNTHESIZED: { [name: string]: () => any[] } = {
  'traefik': tenants('kamaji', 'traefik'),
  'haproxy': tenants('kamaji', 'haproxy'),
  'f5': tenants('steward', 'f5-nginx'),
  'istio': tenants('kamaji', 'istio'),
  'steward': tenants('steward', 'traefik'),
  'gateway-api': tenants('kamaji', 'gateway-api'),
  'kamaji-control-plane': tenants('kamaji-control-plane', 'haproxy'),
  'k0smotron': k0smotron,
  'own-class': ownClass,
  'sidecar': sidecar,
  'shared-gateway': sharedGateway,
  'fleet': fleet,
  'tunnel': tunnel,
  'hetzner': hetzner,
  'k0rdent': k0rdent,
  // From a template that does not say what it is by its name.
  'k0rdent-node-ports': () => clusterDeployment('edge-1-2-0', HetznerAccess.nodePort({ host: '203.0.113.20' })),
  'k0rdent-load-balancer': () => clusterDeployment('edge-1-2-0', HetznerAccess.loadBalancer()),
  'entry-points': () => besideEachOther(IngressController.traefik({ entryPointsByPort: { 6443: 'kube', 8132: 'konnectivity' } }), [
    { platform: ControlPlanePlatform.kamaji(), port: 6443, konnectivity: { port: 8132 } },
    { platform: ControlPlanePlatform.kamajiControlPlane(), konnectivity: { port: 8132 } },
  ]),
  'one-host': () => besideEachOther(IngressController.traefik({ entryPointsByPort: { 6443: 'kube', 8132: 'konnectivity', 8133: 'konnectivity-2' } }), [
    { platform: ControlPlanePlatform.kamaji(), hostname: ONE_HOST, konnectivity: { hostname: ONE_HOST, port: 8132 } },
    { platform: ControlPlanePlatform.kamajiControlPlane(), hostname: ONE_HOST, port: 6443, konnectivity: { hostname: ONE_HOST, port: 8133 } },
  ]),
  'one-host-ports': oneHostPorts,
  'kamaji-ports': kamajiPorts,
  'addresses': addresses,
  'hypershift-ports': hypershiftPorts,
  ...Object.fromEntries(['traefik', 'haproxy-ingress', 'f5-nginx', 'istio', 'gateway-api', 'a gateway of this library', 'the shared gateway of this library'].map(controller => [
    `pods by a port: ${controller}`,
    () => new Tenants({ platform: 'kamaji, pods by a port', controller, konnectivity: true, tenants: 2 }).manifests(),
  ])),
  'hypershift': () => loadAll(HYPERSHIFT).filter(Boolean),
};

/** Tenants whose proxies go through a tunnel, in Traefik's way, to a gateway without an address of its own. */
function tunnel(): any[] {
  const app = new App();
  const management = new Chart(app, 'management');
  const controller = IngressController.traefik();
  const issuer = { name: 'tunnel', kind: 'ClusterIssuer' };
  const gateway = new SharedIngressGateway(management, 'edge', {
    namespace: 'edge', loadBalancer: false, clusterIdRouting: false, tunnel: { host: 'tunnel.example.com', controller, issuer },
  });
  const charts = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  const tenantCharts = ['tenant-01', 'tenant-02'].map(name => {
    const controlPlane = new IngressExposedControlPlane(management, name, {
      namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, platform: ControlPlanePlatform.kamaji(), controller,
    });
    gateway.register(controlPlane.exposure);
    const tenant = charts.of(controlPlane);
    new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane, upstream: TcpProxyUpstream.tunnel({ gateway }) });
    return tenant;
  });
  app.synth();
  // The bundles hold the objects of the tenants once more.
  const isBundle = ({ data }: any) => data?.['objects.yaml'] !== undefined;
  return [...management.toJson().filter(object => !isBundle(object)), ...tenantCharts.flatMap(tenant => tenant.toJson())];
}

/** The built-in proxy, one in the place of the Service `kubernetes`, and one that owns its endpoints. */
function k0smotron(): any[] {
  const app = new App();
  const management = new Chart(app, 'management');
  const [, ...withProxy] = ['tenant-01', 'tenant-02', 'tenant-03'].map(name => new IngressExposedControlPlane(management, name, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    konnectivity: {},
    platform: ControlPlanePlatform.k0smotron({
      serviceType: name === 'tenant-03' ? K0smotronServiceType.NODE_PORT : undefined,
      ...name === 'tenant-03' ? { apiPort: 31443, konnectivityPort: 31132 } : {},
    }),
    controller: IngressController.haproxy(),
  }));
  const charts = withProxy.map((controlPlane, i) => {
    const chart = new Chart(app, controlPlane.exposure.name);
    new TcpProxyAddon(chart, 'tcp-proxy', {
      controlPlane,
      certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
      ...i === 0 ? {
        endpoints: TcpProxyEndpoints.kubernetesService(),
        namespace: 'default',
      } : {},
    });
    return chart;
  });
  return [management, ...charts].flatMap(chart => chart.toJson());
}

/** A class of the user's own, which no object of the manifests has: operators make the only Ingresses. */
function ownClass(): any[] {
  return besideEachOther(IngressController.haproxy({ ingressClassName: 'edge' }), [
    { platform: ControlPlanePlatform.k0smotron(), konnectivity: {} },
    { platform: ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.INGRESS }) },
    { platform: ControlPlanePlatform.steward() },
  ]);
}

/** Servers that run beside the API servers, in the same pods. */
function sidecar(): any[] {
  const tlsServices = [{ name: 'sidecar', servicePort: 9443 }];
  return besideEachOther(IngressController.traefik(), [ControlPlanePlatform.kamaji(),
    ControlPlanePlatform.steward()].map(platform => ({ platform, tlsServices })));
}

/** The manifests of tenants are elsewhere, and what they lack is none of the faults that tests make. */
const MANAGEMENT_ALONE = { kubernetesService: KubernetesServicePath.none({ reason: 'no manifests of tenants' }) };

const ONE_HOST = 'edge.example.com';

function besideEachOther(controller: IngressController, controlPlanes: Pick<IngressExposedControlPlaneProps,
  'platform' | 'hostname' | 'port' | 'konnectivity' | 'tlsServices'>[], management = new Chart(new App(), 'management')): any[] {
  controlPlanes.forEach((props, i) => new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', controller, ...MANAGEMENT_ALONE, nodesReachable: props.konnectivity === undefined, ...props,
  }));
  return management.toJson();
}

/** Two tenants of Kamaji with a limit of sources, whose proxies send cluster IDs to a gateway with a host of its own or without one. */
function sharedGateway(): any[] {
  const app = new App();
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge' });
  const charts = ['tenant-01', 'tenant-02'].map(name => {
    const controlPlane = new IngressExposedControlPlane(management, name, {
      namespace: 'tenants',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      konnectivity: {},
      platform: ControlPlanePlatform.kamaji(),
      controller: gateway.asController(),
      clusterId: `id-of-${name}`,
      allowedCidrs: ['203.0.113.0/24'],
    });
    const chart = new Chart(app, name);
    new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane, upstream: TcpProxyUpstream.sharedGateway(gateway) });
    return chart;
  });
  return [management, ...charts].flatMap(chart => chart.toJson());
}

/** Two clusters, each with a tenant, and their edge. */
function fleet(): any[] {
  const app = new App();
  const chartOf = (name: string) => {
    const chart = new Chart(app, name);
    ManagementCluster.assign(chart, name);
    return chart;
  };
  const clusters = ['eu', 'us'].map((name, i) => {
    const management = chartOf(name);
    const gateway = new SharedIngressGateway(management, 'shared-ingress', {
      namespace: name, edge: { trustedCidrs: ['198.51.100.0/28'] }, portRange: { first: 30000, last: 30085 },
    });
    const controlPlane = new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
      namespace: name,
      kubernetesVersion: '1.34.3',
      domain: `${name}.example.com`,
      konnectivity: { port: 30000 + 10 * i },
      platform: ControlPlanePlatform.kamaji(),
      controller: gateway.asController(),
      clusterId: `id-of-${name}`,
    });
    new TcpProxyAddon(new Chart(app, `tenant-0${i + 1}`), 'tcp-proxy', { controlPlane, upstream: TcpProxyUpstream.sharedGateway(gateway) });
    const portRange = { first: 30000 + 10 * i, last: 30009 + 10 * i };
    return { name, address: `192.0.2.${i + 1}`, domains: [`${name}.example.com`], portRange, routes: FleetRoutes.ofGateway(gateway) };
  });
  new SharedIngressGateway(chartOf('edge'), 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 }, clusters });
  return app.charts.flatMap(chart => chart.toJson());
}

/** Two tenants at ports of a gateway: one with the API alone, the other with all. */
function kamajiPorts(): any[] {
  const management = new Chart(new App(), 'management');
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 }, clusterIdRouting: false });
  [443, 30011].forEach((port, i) => new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
    namespace: 'tenants',
    kubernetesVersion: '1.34.3',
    domain: 'example.com',
    port: 30000 + i * 10,
    konnectivity: { port },
    platform: ControlPlanePlatform.kamaji(),
    controller: gateway.asController(),
    ...MANAGEMENT_ALONE,
  }));
  return management.toJson();
}

/** Tenants whose pods reach a gateway at IPv6 addresses of their own; another one has a port of it. */
function addresses(): any[] {
  const app = new App();
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'edge', {
    namespace: 'edge', host: '203.0.113.10', addressRange: { prefix: '2001:db8:1::/64' }, portRange: { first: 30000, last: 30085 }, clusterIdRouting: false,
  });
  const ipv6 = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };
  const charts = [
    { network: ipv6, kubernetesService: KubernetesServicePath.ipv6Address({ address: '2001:db8:1::10' }) },
    { network: ipv6, kubernetesService: KubernetesServicePath.ipv6Address({ address: '2001:db8:1::20' }) },
    { kubernetesService: KubernetesServicePath.port({ port: 30001, addresses: ['203.0.113.10'] }) },
  ].map((props, i) => {
    const controlPlane = new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
      namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', konnectivity: {}, platform: ControlPlanePlatform.kamaji(), controller: gateway.asController(), ...props,
    });
    const chart = new Chart(app, controlPlane.exposure.name);
    new KubernetesServiceEndpoints(chart, 'kubernetes', { controlPlane });
    return chart;
  });
  return [management, ...charts].flatMap(chart => chart.toJson());
}

/** Tenants that have nothing but ports of their own at one host. */
function oneHostPorts(): any[] {
  const management = new Chart(new App(), 'management');
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 }, clusterIdRouting: false });
  const controller = gateway.asController();
  return besideEachOther(controller, [30000, 30010].map(port => ({
    platform: ControlPlanePlatform.kamaji(), hostname: ONE_HOST, port, konnectivity: { hostname: ONE_HOST, port: port + 1 },
  })), management);
}

/** Hosted clusters with node ports at a gateway: of one the API server alone, of the other all that is published. */
function hypershiftPorts(): any[] {
  const management = new Chart(new App(), 'management');
  const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 }, clusterIdRouting: false });
  const hostname = 'edge.example.com';
  const others = {
    hostname,
    konnectivity: { hostname, port: 30011 },
    tlsServices: [{ name: 'oauth', hostname, port: 30012 }, { name: 'ignition-server', hostname, port: 30013 }],
  };
  [{ port: 30001, konnectivity: {}, domain: 'example.com' }, { port: 30010, ...others }].forEach((props, i) =>
    new IngressExposedControlPlane(management, `tenant-0${i + 1}`, {
      namespace: 'clusters',
      kubernetesVersion: '1.33.0',
      allowedCidrs: ['203.0.113.0/24'],
      platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' }),
      controller: gateway.asController(),
      ...props,
    }));
  return management.toJson();
}

/** Clusters of Cluster API by each way in. */
function hetzner(): any[] {
  const management = new Chart(new App(), 'management');
  const common = {
    namespace: 'clusters',
    k0sVersion: 'v1.34.3+k0s.0',
    region: HetznerRegion.NBG1,
    workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
    sshKeyNames: ['ops@example'],
  };
  const behind = (name: string, controller: IngressController) => new HetznerHostedCluster(management, name, {
    ...common,
    access: HetznerAccess.ingress({ controller, hostname: `api.${name}.example.com`, konnectivityHostname: `konnectivity.${name}.example.com` }),
  });
  behind('cluster01', IngressController.haproxy());
  behind('cluster02', IngressController.traefik({ entryPoint: 'websecure' }));
  new HetznerHostedCluster(management, 'cluster03', { ...common, access: HetznerAccess.loadBalancer() });
  new HetznerHostedCluster(management, 'cluster04', {
    ...common,
    access: HetznerAccess.nodePort({ host: '203.0.113.20' }),
    controlPlane: { apiPort: 31443, konnectivityPort: 31132 },
  });
  return management.toJson();
}

function k0rdent(): any[] {
  return clusterDeployment('hetzner-hosted-cp-1-2-0', HetznerAccess.ingress({
    controller: IngressController.haproxy(),
    hostname: 'api.cluster01.example.com',
    konnectivityHostname: 'konnectivity.cluster01.example.com',
  }));
}

function clusterDeployment(template: string, access: HetznerAccess): any[] {
  const management = new Chart(new App(), 'management');
  new K0rdentClusterDeployment(management, 'cluster01', {
    template,
    credential: 'hcloud',
    config: K0rdentConfig.hostedHetzner({
      k0sVersion: 'v1.34.3+k0s.0',
      region: HetznerRegion.NBG1,
      workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
      sshKeyNames: ['ops@example'],
      access,
    }),
  });
  return management.toJson();
}

/** An object of YAML in one line or more. */
export function yaml(text: string): any {
  return load(text);
}
