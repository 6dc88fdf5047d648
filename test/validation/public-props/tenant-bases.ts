import { ApiObject, Chart } from 'cdk8s';
import { affinity, annotations, Base, Bases, controlPlane, labels, plain, resources, tenantChart, tolerations } from './base';
import {
  ClusterApiVersion, ControlPlanePlatform, ExternalTrafficPolicy, FluxDeletionPolicy, FluxSourceKind, HostnamePattern, IHostedControlPlane,
  ImagePullPolicy, IngressController, KubernetesServicePath, LogLevel, Monitoring, SharedIngressGateway,
  TcpProxyAddon, TcpProxyCertificate, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, TunnelCertificate, TenantCharts, TenantDelivery,
} from '../../../src';

/** A delivery that brings a tcp-proxy. */
function delivering(...args: any[]): Base {
  return {
    args: () => args,
    use: (delivery: TenantDelivery, management) => [delivered(management, delivery, {})],
  };
}

function delivered(management: Chart, delivery: TenantDelivery, proxy: object): Chart {
  const ofTenant = controlPlane(management);
  const chart = new TenantCharts(management, 'tenants', { delivery }).of(ofTenant, delivery._engine.type === 'clusterResourceSet' ? { clusterSelector: labels() } : {});
  new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane: ofTenant, ...proxy });
  return chart;
}

/** A part of a tcp-proxy. */
function proxyWith(property: 'upstream' | 'placement' | 'endpoints' | 'certificate', further: object, ...args: any[]): Base {
  return {
    args: () => args,
    use: (made, management) => [delivered(management, TenantDelivery.sync(), { ...further, [property]: made })],
  };
}

const pods = () => ({
  image: 'registry.example.com/tcp-proxy:1.0.0',
  imagePullPolicy: ImagePullPolicy.IF_NOT_PRESENT,
  imagePullSecrets: ['registry'],
  resources: resources(),
  tolerations: tolerations(),
  nodeSelector: labels(),
  affinity: affinity(),
  priorityClassName: 'system-cluster-critical',
  podAnnotations: annotations(),
  podLabels: labels(),
  labels: labels(),
  annotations: annotations(),
  networkPolicy: true,
  logLevel: LogLevel.INFO,
  monitoring: Monitoring.prometheusOperator(),
});

const proxy = () => ({
  ...pods(),
  upstream: TcpProxyUpstream.sni(),
  placement: TcpProxyPlacement.replicas(),
  endpoints: TcpProxyEndpoints.owned(),
  namespace: 'kube-system',
  name: 'tcp-proxy',
  certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'),
  listenPort: 6443,
  healthPort: 8404,
  maxConnections: 1000,
  shares: { perSource: 100, trustedSources: ['10.0.0.0/8'] },
  threads: 1,
  http2: true,
  tunnelTimeoutSeconds: 86400,
  propagationDelaySeconds: 5,
  gracePeriodSeconds: 60,
  reloadGraceSeconds: 3600,
  hostAliases: [{ ip: '203.0.113.10', hostnames: ['tenant-01.k8s.example.com'] }],
});

const attributes = () => ({
  namespace: 'tenants',
  name: 'tenant-02',
  platform: ControlPlanePlatform.kamaji(),
  kubernetesVersion: '1.34.3',
  hostname: 'tenant-02.k8s.example.com',
  domain: 'example.com',
  hostnamePattern: HostnamePattern.steward(),
  port: 443,
  konnectivity: { hostname: 'tenant-02.konnectivity.example.com', port: 443 },
  tlsServices: [{ name: 'oauth', hostname: 'oauth.example.com', port: 443, serviceName: 'oauth', servicePort: 443, podPort: 8443 }],
  backend: { serviceName: 'tenant-02', serviceNamespace: 'tenants', konnectivityServiceName: 'konnectivity', apiPort: 6443, apiPodPort: 6443, konnectivityPort: 8132 },
  network: { clusterDomain: 'cluster.local', serviceCidrs: ['10.96.0.0/16'], podCidrs: ['10.244.0.0/16'], dnsServiceIps: ['10.96.0.10'] },
  certSans: ['api.example.net'],
  clusterId: '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10',
  kubernetesService: KubernetesServicePath.tcpProxy(),
  nodesReachable: false,
  endpointsOwnedByTcpProxy: true,
  clusterApiCluster: 'tenant-02',
  adminKubeconfig: { secretName: 'tenant-02-kubeconfig', keys: ['value'] },
  clusterCa: { secretName: 'tenant-02-ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
  apiServerCertificate: { secretName: 'tenant-02-api', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
});

/** A control plane that is made elsewhere, with its tcp-proxy and its delivery. */
function madeElsewhere(further: object, endpoints: TcpProxyEndpoints): Base {
  return {
    args: management => [management, 'elsewhere', { ...attributes(), ...further }],
    use: (elsewhere: IHostedControlPlane, management) => {
      const chart = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() }).of(elsewhere);
      new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane: elsewhere, endpoints, placement: TcpProxyPlacement.everyNode() });
      return [chart];
    },
  };
}

const registration = () => {
  const { networkPolicy, ...of } = pods();
  return { ...of, namespace: 'tenant-registration', createNamespace: true, name: 'registration', intervalSeconds: 30 };
};

const gateway = () => ({
  ...pods(),
  followRoutes: true,
  apiServerCidrs: ['192.0.2.0/28'],
  namespace: 'edge',
  name: 'edge',
  clusterDomain: 'cluster.local',
  host: 'edge.example.com',
  sniPort: 443,
  clusterIdRouting: true,
  clusterIdPort: 6443,
  portRange: { first: 30000, last: 30085 },
  addressRange: { prefix: '2001:db8:1::/64', port: 7443, localRoute: true },
  hostNetwork: true,
  tlvType: 0xe1,
  hypershiftCompatibility: false,
  proxyCidrs: ['10.0.0.0/8'],
  loadBalancerProxyProtocol: { trustedCidrs: ['203.0.113.0/24'], sniPortOnly: true },
  nameservers: ['10.96.0.10'],
  closeRemovedTenants: true,
  routeShards: 2,
  maxConnections: 1000,
  shares: { perTenant: 100, perSource: 100, trustedSources: ['10.0.0.0/8'] },
  threads: 2,
  tunnelTimeoutSeconds: 86400,
  reloadGraceSeconds: 3600,
  propagationDelaySeconds: 15,
  gracePeriodSeconds: 300,
  replicas: 2,
  ipv6: true,
  externalTrafficPolicy: ExternalTrafficPolicy.LOCAL,
  nodePorts: false,
  loadBalancerClass: 'service.k8s.aws/nlb',
  serviceAnnotations: annotations(),
  tenantNamespaceLabels: labels(),
});

const sync = () => ({
  ...pods(),
  namespace: 'tenant-sync',
  createNamespace: true,
  name: 'tenant-sync',
  replicas: 2,
  resyncIntervalSeconds: 3600,
  concurrency: 16,
  requestTimeoutSeconds: 10,
});

const keyPair = () => ({ secretName: 'tenant-01-pair', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' });

export const TENANT_BASES: Bases = {
  'IngressExposedControlPlane.fromAttributes': [
    madeElsewhere({}, TcpProxyEndpoints.owned()),
    madeElsewhere({ endpointsOwnedByTcpProxy: false, advertiseAddress: '172.20.0.1' }, TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] })),
  ],
  'new TenantCharts': [{ args: () => [{ delivery: TenantDelivery.manifests(), outputFolder: 'tenants' }] }],
  'TenantCharts#of': [
    {
      args: management => [controlPlane(management), {
        folder: 'tenant-01',
        chart: { namespace: 'kube-system', labels: labels(), disableResourceNameHashes: true },
        adminKubeconfig: { secretName: 'tenant-01-kubeconfig', keys: ['value'] },
        clusterCa: keyPair(),
        apiServerCertificate: keyPair(),
      }],
      on: management => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() }),
      use: (chart: Chart) => [chart],
    },
    {
      args: management => [controlPlane(management), { argoCdDestination: { server: 'https://api.example.com' } }],
      on: management => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/a.git' }) }),
    },
    {
      args: management => [controlPlane(management), { argoCdDestination: { name: 'tenant-01' } }],
      on: management => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/a.git' }) }),
    },
    {
      args: management => [controlPlane(management), { clusterSelector: labels() }],
      on: management => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.clusterResourceSet() }),
      use: (chart: Chart) => void new ApiObject(chart, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } }),
    },
  ],
  'TenantDelivery.argoCd': [delivering({
    repoUrl: 'https://git.example.com/tenants.git',
    targetRevision: 'main',
    path: 'dist',
    namespace: 'argocd',
    project: 'tenants',
    automated: true,
    syncOptions: ['ServerSideApply=true'],
    cascadeDelete: true,
    labels: labels(),
    registration: registration(),
  })],
  'TenantDelivery.clusterResourceSet': [delivering({ apiVersion: ClusterApiVersion.V1BETA2, reconcile: true, labels: labels() })],
  'TenantDelivery.flux': [delivering({
    source: { name: 'tenants', namespace: 'flux-system', kind: FluxSourceKind.GIT_REPOSITORY },
    path: 'dist',
    interval: '10m',
    retryInterval: '1m',
    timeout: '5m',
    prune: true,
    wait: true,
    dependsOn: [{ name: 'management', namespace: 'flux-system' }],
    deletionPolicy: FluxDeletionPolicy.DELETE,
    labels: labels(),
    namespace: 'flux-system',
    registration: registration(),
  })],
  'TenantDelivery.sync': [delivering(sync())],
  'new TenantCertificates': [{ args: () => [sync()], use: (_, management) => [delivered(management, TenantDelivery.manifests(), {})] }],
  'TcpProxyCertificate.certManager': [
    proxyWith('certificate', {}, { issuer: { name: 'tenant-ca', kind: 'Issuer', group: 'cert-manager.io' }, duration: '2160h', secretName: 'proxy-tls' }),
  ],
  'TcpProxyCertificate.copyApiServerCertificate': [proxyWith('certificate', {}, { secretName: 'proxy-tls' })],
  'TcpProxyCertificate.existingSecret': [proxyWith('certificate', {}, 'proxy-tls')],
  'TcpProxyCertificate.issuedBySync': [proxyWith('certificate', {}, { secretName: 'proxy-tls' })],
  'TcpProxyEndpoints.fixedAddress': [
    proxyWith('endpoints', { placement: TcpProxyPlacement.everyNode() }, { addresses: ['100.64.30.10'], device: 'tcp-proxy0' }),
  ],
  'TcpProxyEndpoints.ownedAdvertiseAddress': [
    proxyWith('endpoints', { placement: TcpProxyPlacement.everyNode() }, { addresses: ['100.64.30.10'], device: 'tcp-proxy0' }),
  ],
  'TcpProxyPlacement.replicas': [proxyWith('placement', {}, { replicas: 2 })],
  'TcpProxyPlacement.staticPod': [proxyWith('placement', { endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['100.64.30.10'] }) }, {
    configFolder: '/etc/kubernetes/tcp-proxy', manifestFolder: '/etc/kubernetes/manifests', caFile: '/etc/kubernetes/pki/ca.crt',
  })],
  'TcpProxyUpstream.tunnel': [
    proxyWith('upstream', {}, { host: 'tunnel.example.com', port: 443, certificate: TunnelCertificate.existingSecret('proxy-tunnel') }),
    {
      args: management => [{ gateway: tunnelEdge(management) }],
      use: (upstream, management) => {
        const chart = tenantChart(management);
        const { exposure } = controlPlane(management);
        tunnelEdge(management).register(exposure);
        new TcpProxyAddon(chart, 'tcp-proxy', { exposure, upstream });
        return [chart];
      },
    },
  ],
  'TunnelCertificate.certManager': [tunnelWith({ issuer: { name: 'tunnel', kind: 'ClusterIssuer', group: 'cert-manager.io' }, secretName: 'proxy-tunnel' })],
  'TunnelCertificate.existingSecret': [tunnelWith('proxy-tunnel')],
  'TcpProxyUpstream.direct': [proxyWith('upstream', {}, { host: '10.0.0.10', port: 6443 })],
  'TcpProxyUpstream.sharedGateway': [{
    args: management => [edge(management)],
    use: (upstream, management) => {
      const chart = tenantChart(management);
      const controller = edge(management).asController();
      new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane: controlPlane(management, { clusterId: 'a', controller }), upstream });
      return [chart];
    },
  }],
  'new TcpProxyAddon': [
    { scope: tenantChart, args: management => [{ ...proxy(), controlPlane: controlPlane(management) }] },
    { scope: tenantChart, args: management => [{ ...proxy(), exposure: controlPlane(management).exposure }] },
  ],
  'new KubernetesServiceHostInjection': [
    {
      scope: tenantChart,
      args: management => [{
        controlPlane: controlPlane(management),
        kubernetesVersion: '1.34.3',
        apiVersion: 'v1beta1',
        name: 'service-host',
        excludedNamespaces: ['kube-system'],
        hostNetworkPods: false,
        labels: labels(),
      }],
    },
    { scope: tenantChart, args: management => [{ exposure: controlPlane(management).exposure, kubernetesVersion: '1.34.3' }] },
  ],
  'new SharedIngressGateway': [{
    args: () => [{ namespace: 'edge', loadBalancer: false, tunnel: tunnel() }],
  }, {
    args: () => [gateway()],
    use: (made: SharedIngressGateway, management) => void controlPlane(management, { controller: made.asController(), clusterId: 'a' }),
  }],
  'SharedIngressGateway.fromAttributes': [plain({ host: '192.0.2.10', clusterIdPort: 6443, tlvType: 0xe1, tunnelHost: 'tunnel.example.com' })],
  'SharedIngressGateway#expect': [{
    args: management => [controlPlane(management, { clusterId: 'a', controller: edge(management).asController() }).exposure],
    on: edge,
  }],
  'SharedIngressGateway#register': [{ args: management => [controlPlane(management).exposure, { allowedCidrs: ['203.0.113.0/24'] }], on: edge }],
};

function tunnel() {
  return {
    host: 'tunnel.example.com',
    port: 443,
    controller: IngressController.traefik(),
    issuer: { name: 'tunnel', kind: 'ClusterIssuer', group: 'cert-manager.io' },
    secretName: 'edge-tunnel-tls',
    clientCaConfigMap: 'tunnel-ca',
    proxyProtocolCidrs: ['10.0.0.0/8'],
  };
}

function tunnelEdge(management: Chart): SharedIngressGateway {
  return management.node.tryFindChild('tunnel-edge') as SharedIngressGateway
    ?? new SharedIngressGateway(management, 'tunnel-edge', { namespace: 'edge', tunnel: { host: 'tunnel.example.com' } });
}

/** The certificate of a proxy in a tunnel. */
function tunnelWith(...args: any[]): Base {
  return {
    args: () => args,
    use: (certificate, management) => [
      delivered(management, TenantDelivery.sync(), { upstream: TcpProxyUpstream.tunnel({ host: 'tunnel.example.com', certificate }) }),
    ],
  };
}

function edge(management: Chart): SharedIngressGateway {
  return management.node.tryFindChild('edge') as SharedIngressGateway ?? new SharedIngressGateway(management, 'edge', { namespace: 'edge' });
}

