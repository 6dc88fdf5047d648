import { App, Chart } from 'cdk8s';
import { annotations, Base, Bases, controlPlane, labels, plain, resources, tolerations } from './base';
import {
  ControllerService, ControlPlanePlatform, DnsConfigMap, DnsOutput, DnsReplicationScope, DnsTarget, ExposureReport, HelmDelivery, HostnamePattern,
  IngressController, IngressControllerInstall, IngressExposedControlPlane, KubernetesServicePath, ManagementCluster,
  PassthroughGateway, TcpRouteVersion, TenantDns, TlsRouteVersion,
} from '../../../src';

const TUNNEL = '11111111-2222-3333-4444-555555555555';

function dns(management: Chart, target = DnsTarget.addresses(['203.0.113.10'])): TenantDns {
  return new TenantDns({ exposures: [controlPlane(management).exposure], target, zones: ['example.com'] });
}

/** An output whose files are in a ConfigMap. */
function written(...args: any[]): Base {
  return {
    args: () => args,
    use: (output, management) => void new DnsConfigMap(management, 'dns', { dns: dns(management), output, namespace: 'dns' }),
  };
}

/** A target of names. */
function leading(...args: any[]): Base {
  return {
    args: () => args,
    use: (target, management) => void new DnsConfigMap(management, 'dns', {
      dns: dns(management, target), output: target.tunnelId === undefined ? DnsOutput.bind() : DnsOutput.cloudflare(), namespace: 'dns',
    }),
  };
}

/** Who installs a controller. */
function installing(...args: any[]): Base {
  return {
    args: () => args,
    use: (delivery, management) => void new IngressControllerInstall(management, 'haproxy', {
      controller: IngressController.haproxy(), chartVersion: '1.52.1', namespace: 'haproxy', delivery,
    }),
  };
}

/** The properties of a control plane that replaces one of another cluster. */
function moving(management: Chart) {
  const chart = new Chart(management.node.root as App, 'old');
  ManagementCluster.assign(chart, 'old');
  const props = {
    namespace: 'tenants', name: 'tenant-01', kubernetesVersion: '1.34.3', hostname: 'api.example.com', platform: ControlPlanePlatform.kamaji(), controller: IngressController.traefik(),
  };
  return { ...props, movesFrom: new IngressExposedControlPlane(chart, 'tenant-01', props) };
}

export const DNS_BASES: Bases = {
  'DnsOutput.bind': [written({
    nameServers: ['ns1.example.net'],
    contact: 'hostmaster@example.com',
    serial: 1,
    refreshSeconds: 3600,
    retrySeconds: 900,
    expireSeconds: 1209600,
    negativeTtlSeconds: 60,
  })],
  'DnsOutput.cloudflareZeroTrust': [written({ dnsServers: ['10.0.0.53'] })],
  'DnsOutput.coreDns': [written({ port: 53, fileName: 'tenants.server' })],
  'DnsOutput.dnsmasq': [written({ answerWholeZones: true, fileName: 'tenants.conf' })],
  'DnsOutput.piHole': [written({ answerWholeZones: true, fileName: 'tenants.conf' })],
  'DnsOutput.infoblox': [written({ view: 'internal', comment: 'tenants', createZones: true })],
  'DnsOutput.portForwards': [written({ internalAddresses: ['10.0.0.10'] })],
  'DnsOutput.windowsServer': [written({ computerName: 'dc1.example.com', replicationScope: DnsReplicationScope.DOMAIN })],
  'DnsTarget.addresses': [leading(['203.0.113.10'])],
  'DnsTarget.canonicalName': [leading('lb.example.net')],
  'DnsTarget.cloudflareTunnel': [leading(TUNNEL)],
  'TenantDns#zoneOf': [{ args: () => ['tenant-01.k8s.example.com'], on: dns }],
  'ExternalDnsEndpoint.annotations': [{ args: management => [dns(management)] }],
  'ExposureReport#tenantMarkdown': [{ args: management => [controlPlane(management).exposure], on: management => new ExposureReport(management, 'report') }],
  'new CloudflareTunnel': [{
    args: management => [{
      dns: dns(management, DnsTarget.cloudflareTunnel(TUNNEL)),
      namespace: 'dns',
      name: 'tunnel',
      ingressHost: 'traefik.traefik.svc',
      credentialsSecretName: 'tunnel',
      credentialsKey: 'credentials.json',
      image: 'cloudflare/cloudflared:2026.1.0',
      openApiTls: { configMapName: 'tenant-cas', key: 'ca.crt' },
      replicas: 2,
      imagePullSecrets: ['registry'],
      resources: resources(),
      tolerations: tolerations(),
      nodeSelector: labels(),
      priorityClassName: 'system-cluster-critical',
      labels: labels(),
      podLabels: labels(),
      podAnnotations: annotations(),
    }],
  }],
  'new DnsConfigMap': [{
    args: management => [{ dns: dns(management), output: DnsOutput.coreDns(), namespace: 'dns', name: 'coredns-custom', labels: labels() }],
  }],
  'new ExternalDnsEndpoint': [{
    args: management => [{ dns: dns(management), namespace: 'dns', name: 'tenants', labels: labels(), annotations: annotations() }],
  }],
  'new TenantDns': [{
    args: management => [{
      exposures: [controlPlane(management).exposure],
      target: DnsTarget.addresses(['203.0.113.10']),
      zones: ['example.com'],
      wildcardDomains: ['k8s.example.com'],
      additionalNames: [{ name: 'ns1.example.com', target: DnsTarget.addresses(['203.0.113.53']) }],
      ttlSeconds: 300,
    }],
    use: (made: TenantDns, management) => void new DnsConfigMap(management, 'dns', { dns: made, output: DnsOutput.bind(), namespace: 'dns' }),
  }],
  'new ExposureReport': [{
    args: management => {
      controlPlane(management);
      return [{
        title: 'Report',
        sharedAddresses: ['203.0.113.10'],
        topologyLimit: 20,
        folder: 'report',
        fileName: 'exposure',
        prices: {
          currency: 'EUR', loadBalancer: 5, address: 1, addressesPerTenant: 1, sharedLoadBalancers: 1, sharedAddresses: 1, sharedExtras: 10, tenants: [10],
        },
      }];
    },
    use: (made: ExposureReport) => void [made.markdown(), made.toJson()],
  }],
  'HelmDelivery.argoCd': [installing({ namespace: 'argocd', project: 'default', clusterName: 'in-cluster', automated: true })],
  'HelmDelivery.cdk8sHelm': [plain({ helmExecutable: 'helm', helmFlags: ['--kube-version=1.34.0'] })],
  'HelmDelivery.flux': [installing({ namespace: 'flux-system', interval: '10m', retries: 3 })],
  'new IngressControllerInstall': [{
    args: () => [{
      controller: IngressController.haproxy(),
      chartVersion: '1.52.1',
      namespace: 'haproxy',
      delivery: HelmDelivery.flux(),
      name: 'haproxy',
      service: ControllerService.loadBalancer(),
      replicas: 2,
      proxyProtocolTrustedCidrs: ['203.0.113.0/24'],
      chartRepository: 'https://charts.example.com',
      newestChartVersion: '1.52',
      values: { controller: { kind: 'DaemonSet' } },
      labels: labels(),
    }],
  }],
  'PassthroughGateway#asController': [{
    args: () => [{ tlsRouteVersion: TlsRouteVersion.V1, tcpRouteVersion: TcpRouteVersion.V1, sectionNames: { 'kube-apiserver': 'all' } }],
    on: management => new PassthroughGateway(management, 'edge', {
      namespace: 'gateways', gatewayClassName: 'cilium', listeners: [{ name: 'all', hostname: '*.example.com' }], routeNamespaceLabels: {},
    }),
    use: (controller, management) => void controlPlane(management, { controller }),
  }],
  'new Endpoint': [plain('api.example.com', 443)],
  'new Exposure': [
    plain({
      name: 'tenant-01',
      namespace: 'tenants',
      hostname: 'api.example.com',
      domain: 'example.com',
      hostnamePattern: HostnamePattern.steward(),
      port: 443,
      konnectivity: { hostname: 'konnectivity.example.com', port: 8132 },
      konnectivitySharesHostname: false,
      apiOwnAddress: false,
      tlsServices: [{ name: 'oauth', hostname: 'oauth.example.com', port: 443, serviceName: 'oauth', servicePort: 443, podPort: 8443 }],
      backend: { serviceName: 'tenant-01', serviceNamespace: 'tenants', konnectivityServiceName: 'konnectivity', apiPort: 6443, apiPodPort: 6443, konnectivityPort: 8132 },
      network: { clusterDomain: 'cluster.local', serviceCidrs: ['10.96.0.0/16'], podCidrs: ['10.244.0.0/16'], dnsServiceIps: ['10.96.0.10'] },
      certSans: ['api.example.net'],
      clusterId: 'a',
      kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001 }),
    }),
  ],
  'new IngressExposedControlPlane': [{
    args: () => [{
      namespace: 'tenants',
      name: 'tenant-01',
      kubernetesVersion: '1.34.3',
      hostname: 'api.example.com',
      domain: 'example.com',
      platform: ControlPlanePlatform.kamaji(),
      controller: IngressController.traefik({ entryPointsByPort: { 8132: 'konnectivity' } }),
      hostnamePattern: HostnamePattern.steward(),
      port: 443,
      konnectivity: { hostname: 'konnectivity.example.com', port: 8132 },
      tlsServices: [{ name: 'oauth', hostname: 'oauth.example.com', port: 443, serviceName: 'oauth', servicePort: 443, podPort: 8443 }],
      allowedCidrs: ['203.0.113.0/24'],
      networkPolicy: { namespaces: ['traefik'], cidrs: ['10.0.0.0/8'] },
      network: { clusterDomain: 'cluster.local', serviceCidrs: ['10.96.0.0/16'], podCidrs: ['10.244.0.0/16'], dnsServiceIps: ['10.96.0.10'] },
      certSans: ['api.example.net'],
      clusterId: 'a',
      kubernetesService: KubernetesServicePath.tcpProxy(),
      nodesReachable: false,
      ownRoutes: true,
      labels: labels(),
      annotations: annotations(),
    }],
  }, { args: management => [moving(management)] }],
};
