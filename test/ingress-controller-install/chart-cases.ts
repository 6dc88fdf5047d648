import { App, Chart } from 'cdk8s';
import { install } from './install';
import {
  ControllerService, ExternalTrafficPolicy, HetznerAccess, HetznerRegion, IngressController, IngressControllerInstallProps, K0rdentClusterDeployment,
  K0rdentConfig, K0rdentHostedHetznerProps, TlsRouteVersion,
} from '../../src';
import { HelmValues } from '../../src/ingress-controller-install/helm-values';

/** One way to configure a chart. */
export interface ChartCase {
  readonly title: string;
  /** The values that the library writes for a version of the chart; throws where it refuses to. */
  readonly valuesFor: (chartVersion: string) => HelmValues;
}

const PORTS = { first: 20_000, last: 20_001 };

const INSTALLABLE: { readonly [chart: string]: { readonly [title: string]: () => IngressController } } = {
  'traefik': {
    'as it is': () => IngressController.traefik(),
    'with a class and entry points': () => IngressController.traefik({ ingressClassName: 'edge', entryPoint: 'tls', entryPointsByPort: { 80: 'plain', 6443: 'api' } }),
    'with ports of tenants': () => IngressController.traefik({ portRange: PORTS }),
  },
  'kubernetes-ingress': {
    'as it is': () => IngressController.haproxy(),
    'with a class and a port': () => IngressController.haproxy({ ingressClassName: 'edge', port: 6443 }),
  },
  'haproxy-ingress': {
    'as it is': () => IngressController.haproxyIngress(),
    'with a class, a port and IPv6': () => IngressController.haproxyIngress({ ingressClassName: 'edge', port: 6443, ipv6: true }),
    'with ports of tenants': () => IngressController.haproxyIngress({ portRange: PORTS }),
  },
  'ingress-nginx': {
    'as it is': () => IngressController.ingressNginx(),
    'with a class and a port': () => IngressController.ingressNginx({ ingressClassName: 'edge', port: 6443 }),
  },
  'nginx-ingress': {
    'as it is': () => IngressController.f5Nginx(),
    'with a class, a port and an idle time': () => IngressController.f5Nginx({ ingressClassName: 'edge', port: 6443, idleTimeout: '4h' }),
    'with ports of tenants': () => IngressController.f5Nginx({ portRange: PORTS }),
  },
};

const SERVICES: { readonly [title: string]: () => Partial<IngressControllerInstallProps> } = {
  'a load balancer': () => ({}),
  'a load balancer with everything': () => ({
    replicas: 3,
    proxyProtocolTrustedCidrs: ['10.0.0.0/24'],
    service: ControllerService.loadBalancer({
      annotations: { a: 'b' },
      loadBalancerIp: '192.0.2.1',
      sourceRanges: ['198.51.100.0/24'],
      externalTrafficPolicy: ExternalTrafficPolicy.CLUSTER,
    }),
  }),
  'a load balancer of a class': () => ({ service: ControllerService.loadBalancer({ loadBalancerClass: 'example.com/shared' }) }),
  'a Service inside of the cluster': () => ({ service: ControllerService.clusterIp({ annotations: { a: 'b' } }) }),
};

/** Charts that something else installs, with what helmValues() says. */
const BY_OTHERS: { readonly [chart: string]: { readonly [title: string]: () => IngressController } } = {
  cilium: { 'as it is': () => IngressController.cilium() },
  kgateway: {
    'with an older TLSRoute': () => IngressController.kgateway({ gateway: { name: 'edge', namespace: 'edge' }, tlsRouteVersion: TlsRouteVersion.V1ALPHA3 }),
  },
};

/** What k0rdent gives to the chart of its template for Hetzner. */
const K0RDENT: { readonly [title: string]: Partial<K0rdentHostedHetznerProps> } = {
  'as it is, by host names': {},
  'with networks, by host names': { network: { serviceCidrs: ['10.100.0.0/16'] }, privateNetwork: { cidr: '10.1.0.0/16', subnetCidr: '10.1.1.0/24' } },
  'with a load balancer': { access: HetznerAccess.loadBalancer(), controlPlaneReplicas: 3 },
  'with node ports': { access: HetznerAccess.nodePort({ host: '203.0.113.20' }) },
};

function k0rdentValues(props: Partial<K0rdentHostedHetznerProps>, chartVersion: string): HelmValues {
  const { clusterDeployment } = new K0rdentClusterDeployment(new Chart(new App(), 'management'), 'cluster01', {
    template: `hetzner-hosted-cp-${chartVersion.replaceAll('.', '-')}`,
    credential: 'hcloud',
    config: K0rdentConfig.hostedHetzner({
      k0sVersion: 'v1.34.3+k0s.0',
      region: HetznerRegion.NBG1,
      workers: { replicas: 2, type: 'cpx22', image: 'ubuntu-24.04' },
      sshKeyNames: ['ops@example'],
      access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
      ...props,
    }),
  });
  return clusterDeployment.toJson().spec.config;
}

/** Everything that the library writes into a chart, by the name of the chart. */
export const CHART_CASES: { readonly [chart: string]: readonly ChartCase[] } = Object.fromEntries([
  ...Object.entries(INSTALLABLE).map(([chart, controllers]): [string, ChartCase[]] => [chart, casesOf(controllers)]),
  ...Object.entries(BY_OTHERS).map(([chart, controllers]): [string, ChartCase[]] =>
    [chart, Object.entries(controllers).map(([title, controller]) => ({ title, valuesFor: () => controller().helmValues() }))]),
  ['hetzner-hosted-cp', Object.entries(K0RDENT).map(([title, props]) => ({ title, valuesFor: (chartVersion: string) => k0rdentValues(props, chartVersion) }))],
]);

function casesOf(controllers: { readonly [title: string]: () => IngressController }): ChartCase[] {
  return Object.entries(controllers).flatMap(([variant, controller]) => Object.entries(SERVICES).map(([service, props]): ChartCase =>
    ({ title: `${variant}, for ${service}`, valuesFor: chartVersion => install(controller(), { ...props(), chartVersion }).values })));
}

/** An example of each value that the library knows to have moved (src/versions/charts.ts), whether it writes it or not. */
export const MOVED_VALUES: { readonly [path: string]: unknown } = {
  'service.type': 'NodePort',
  'service.loadBalancerClass': 'example.com/shared',
  'service.loadBalancerSourceRanges': ['198.51.100.0/24'],
  'service.externalIPs': ['192.0.2.9'],
  'service.ipFamilyPolicy': 'PreferDualStack',
  'service.ipFamilies': ['IPv6'],
  'service.spec.type': 'NodePort',
  'logs.general.level': 'DEBUG',
  'logs.access.enabled': true,
  'log.level': 'DEBUG',
  'accessLog.enabled': true,
  'ports.websecure.asDefault': false,
  'controller.service.loadBalancerClass': 'example.com/shared',
  'controller.service.enablePorts.quic': false,
  'controller.service.enablePorts.prometheus': false,
  'controller.service.enablePorts.admin': false,
};
