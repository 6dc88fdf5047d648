/**
 * Control planes as people and their operators have written them: what users apply, what webhooks fill in, and the status. An API
 * server adds the rest (test/e2e/adopt.test.ts), and what it answers is in adopt/test/dumps.
 */
export interface Running {
  /** Name of the file in adopt/test/dumps. */
  readonly file: string;
  readonly object: any;
  readonly status: any;
}

const status = (endpoint: string) => ({
  controlPlaneEndpoint: endpoint,
  certificates: { ca: { secretName: 'ca', checksum: 'f00' }, apiServer: { secretName: 'api-server-certificate' } },
  kubernetesResources: { version: { version: 'v1.33.2', status: 'Ready' } },
});

export const RUNNING: readonly Running[] = [
  {
    file: 'kamaji-load-balancer',
    object: {
      apiVersion: 'kamaji.clastix.io/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: {
        name: 'tenant-01',
        namespace: 'tenants',
        labels: { 'tenant.clastix.io': 'tenant-01', 'example.com/owner': 'team-a' },
        annotations: { 'example.com/ticket': 'OPS-7' },
        finalizers: ['finalizer.kamaji.clastix.io/soot'],
      },
      spec: {
        dataStore: 'default',
        dataStoreSchema: 'tenants_tenant_01',
        dataStoreUsername: 'tenants_tenant_01',
        controlPlane: {
          deployment: {
            replicas: 3,
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            tolerations: [{ key: 'control-planes', operator: 'Exists', effect: 'NoSchedule' }],
            extraArgs: { apiServer: ['--audit-log-maxage=30'], scheduler: ['--v=2'] },
            resources: { apiServer: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '1Gi' } } },
            podAdditionalMetadata: { labels: { 'example.com/owner': 'team-a' } },
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          },
          service: {
            serviceType: 'LoadBalancer',
            additionalMetadata: { annotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' }, labels: { 'example.com/owner': 'team-a' } },
          },
        },
        kubernetes: { version: 'v1.33.2', kubelet: { cgroupfs: 'systemd' } },
        networkProfile: {
          port: 6443,
          certSANs: ['api.tenant-01.example.com'],
          serviceCidr: '10.112.0.0/16',
          serviceCidrs: ['10.112.0.0/16'],
          podCidr: '10.36.0.0/16',
          podCidrs: ['10.36.0.0/16'],
          dnsServiceIPs: ['10.112.0.10'],
          loadBalancerSourceRanges: ['203.0.113.0/24'],
        },
        addons: { coreDNS: {}, kubeProxy: {}, konnectivity: { server: { port: 8132 }, agent: {} } },
      },
    },
    status: status('198.51.100.7:6443'),
  },
  {
    file: 'kamaji-node-port',
    object: {
      apiVersion: 'kamaji.clastix.io/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: { name: 'tenant-02', namespace: 'tenants', finalizers: ['finalizer.kamaji.clastix.io/soot'] },
      spec: {
        dataStore: 'postgresql',
        dataStoreSchema: 'tenants_tenant_02',
        dataStoreUsername: 'tenants_tenant_02',
        controlPlane: {
          deployment: {},
          service: { serviceType: 'NodePort', additionalPorts: [{ name: 'metrics', port: 9443, targetPort: 'metrics' }] },
        },
        kubernetes: {
          version: 'v1.32.5',
          kubelet: { preferredAddressTypes: ['Hostname', 'InternalIP', 'ExternalIP'] },
          admissionControllers: ['NodeRestriction', 'ResourceQuota', 'LimitRanger'],
        },
        networkProfile: { address: '192.0.2.20', port: 30020, dnsServiceIPs: ['10.96.0.10'] },
        addons: { coreDNS: { imageTag: 'v1.12.0' } },
      },
    },
    status: status('192.0.2.20:30020'),
  },
  {
    file: 'kamaji-ingress-addon',
    object: {
      apiVersion: 'kamaji.clastix.io/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: { name: 'tenant-03', namespace: 'tenants', annotations: { 'kamaji.clastix.io/ingress.domain': 'clusters.example.com' }, finalizers: ['finalizer.kamaji.clastix.io/soot'] },
      spec: {
        dataStore: 'default',
        dataStoreSchema: 'tenants_tenant_03',
        dataStoreUsername: 'tenants_tenant_03',
        controlPlane: {
          deployment: {},
          service: { serviceType: 'ClusterIP' },
          ingress: { hostname: 'tenants-tenant-03.k8s.clusters.example.com:443', ingressClassName: 'unhandled' },
        },
        kubernetes: { version: 'v1.33.2', kubelet: {} },
        networkProfile: {
          dnsServiceIPs: ['10.96.0.10'],
          certSANs: ['tenants-tenant-03.k8s.clusters.example.com', 'tenants-tenant-03.konnectivity.clusters.example.com'],
        },
        addons: {
          coreDNS: {},
          kubeProxy: {},
          konnectivity: {
            server: { port: 8132 },
            agent: { extraArgs: ['--proxy-server-host=tenants-tenant-03.konnectivity.clusters.example.com', '--proxy-server-port=443'] },
          },
        },
      },
    },
    status: status('10.43.0.3:6443'),
  },
  {
    file: 'steward-load-balancer',
    object: {
      apiVersion: 'steward.butlerlabs.dev/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: { name: 'tenant-04', namespace: 'tenants', finalizers: ['finalizer.steward.butlerlabs.dev/soot'] },
      spec: {
        dataStore: 'default',
        dataStoreSchema: 'tenants_tenant_04',
        dataStoreUsername: 'tenants_tenant_04',
        controlPlane: { deployment: { registrySettings: { registry: 'registry.example.com' } }, service: { serviceType: 'LoadBalancer' } },
        kubernetes: { version: 'v1.33.2', kubelet: { cgroupfs: 'systemd' } },
        networkProfile: { dnsServiceIPs: ['10.96.0.10'], loadBalancerClass: 'example.com/lb' },
        addons: { konnectivity: { agent: { mode: 'Deployment', replicas: 2 } }, workerBootstrap: { provider: 'talos', talos: {} } },
      },
    },
    status: status('198.51.100.8:6443'),
  },
  {
    file: 'steward-node-port',
    object: {
      apiVersion: 'steward.butlerlabs.dev/v1alpha1',
      kind: 'TenantControlPlane',
      metadata: { name: 'tenant-05', namespace: 'tenants', finalizers: ['finalizer.steward.butlerlabs.dev/soot'] },
      spec: {
        dataStore: 'default',
        dataStoreSchema: 'tenants_tenant_05',
        dataStoreUsername: 'tenants_tenant_05',
        controlPlane: { deployment: {}, service: { serviceType: 'NodePort' } },
        kubernetes: { version: 'v1.33.2', kubelet: {} },
        networkProfile: { address: '192.0.2.20', port: 30050, dnsServiceIPs: ['10.96.0.10'], allowAddressAsExternalIP: true },
        addons: { tcpProxy: { hostAliases: [{ ip: '192.0.2.20', hostnames: ['tenant-05.k8s.example.com'] }] } },
      },
    },
    status: status('192.0.2.20:30050'),
  },
  {
    file: 'k0smotron-cluster',
    object: {
      apiVersion: 'k0smotron.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'tenant-06', namespace: 'tenants', finalizers: ['k0smotron.io/finalizer'] },
      spec: {
        version: 'v1.34.3-k0s.0',
        replicas: 3,
        externalAddress: '198.51.100.9',
        service: { type: 'LoadBalancer', apiPort: 6443, konnectivityPort: 8132 },
        persistence: { type: 'pvc', persistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
        storage: { type: 'etcd', etcd: { persistence: { size: '5Gi' }, args: ['--quota-backend-bytes=8589934592'] } },
        k0sConfig: {
          apiVersion: 'k0s.k0sproject.io/v1beta1',
          kind: 'ClusterConfig',
          spec: { telemetry: { enabled: false }, network: { provider: 'calico', podCIDR: '10.36.0.0/16' }, api: { sans: ['api.tenant-06.example.com'] } },
        },
        controlPlaneFlags: ['--debug'],
      },
    },
    status: { ready: true, reconciliationStatus: 'Success' },
  },
  {
    file: 'k0smotron-control-plane',
    object: {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
      kind: 'K0smotronControlPlane',
      metadata: { name: 'tenant-07-cp', namespace: 'tenants', labels: { 'cluster.x-k8s.io/cluster-name': 'tenant-07' }, finalizers: ['k0smotron.io/finalizer'] },
      spec: {
        version: 'v1.34.3-k0s.0',
        service: { type: 'NodePort' },
        k0sConfig: { apiVersion: 'k0s.k0sproject.io/v1beta1', kind: 'ClusterConfig', spec: { network: { serviceCIDR: '10.112.0.0/16', podCIDR: '10.36.0.0/16' } } },
      },
    },
    status: { initialized: true },
  },
  {
    file: 'kamaji-control-plane',
    object: {
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
      kind: 'KamajiControlPlane',
      metadata: { name: 'tenant-09', namespace: 'tenants', labels: { 'cluster.x-k8s.io/cluster-name': 'tenant-09' }, finalizers: ['kamajicontrolplane.controlplane.cluster.x-k8s.io'] },
      spec: {
        version: 'v1.33.2',
        replicas: 3,
        dataStoreName: 'postgresql',
        registry: 'registry.example.com',
        // The provider writes it.
        controlPlaneEndpoint: { host: '198.51.100.10', port: 6443 },
        apiServer: { extraArgs: ['--audit-log-maxage=30'], resources: { requests: { cpu: '250m' } }, containerImageName: 'kube-apiserver-amd64' },
        scheduler: { extraArgs: ['--v=2'] },
        deployment: { nodeSelector: { 'kubernetes.io/os': 'linux' }, podAdditionalMetadata: { labels: { 'example.com/owner': 'team-a' } }, serviceAccountName: 'control-planes' },
        network: {
          serviceType: 'LoadBalancer',
          serviceAnnotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' },
          loadBalancerConfig: { loadBalancerSourceRanges: ['203.0.113.0/24'] },
          certSANs: ['api.tenant-09.example.com'],
          additionalServicePorts: [{ name: 'metrics', port: 9443, targetPort: 9443 }],
        },
        addons: { coreDNS: { dnsServiceIPs: ['10.96.0.10'] }, kubeProxy: {}, konnectivity: {} },
      },
    },
    status: { initialized: true, ready: true, version: 'v1.33.2' },
  },
  {
    file: 'hosted-cluster',
    object: {
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedCluster',
      metadata: { name: 'tenant-08', namespace: 'clusters', annotations: { 'hypershift.openshift.io/cleanup-cloud-resources': 'true' }, finalizers: ['hypershift.openshift.io/finalizer'] },
      spec: {
        clusterID: 'd0d1b2ee-3b2c-4a63-8a1b-6a9b3a8f4a11',
        infraID: 'tenant-08-x7k2p',
        release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64' },
        pullSecret: { name: 'pull-secret' },
        sshKey: { name: 'ssh-key' },
        dns: { baseDomain: 'example.com' },
        platform: { type: 'Agent', agent: { agentNamespace: 'agents' } },
        networking: { clusterNetwork: [{ cidr: '10.132.0.0/14' }], serviceNetwork: [{ cidr: '172.31.0.0/16' }], machineNetwork: [{ cidr: '192.0.2.0/24' }] },
        etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '16Gi' } } } },
        services: [
          { service: 'APIServer', servicePublishingStrategy: { type: 'NodePort', nodePort: { address: 'tenant-08.k8s.example.com', port: 30008 } } },
          { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route', route: { hostname: 'tenant-08.konnectivity.example.com' } } },
          { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route', route: { hostname: 'tenant-08.oauth.example.com' } } },
          { service: 'Ignition', servicePublishingStrategy: { type: 'Route', route: { hostname: 'tenant-08.ignition.example.com' } } },
        ],
      },
    },
    status: { controlPlaneEndpoint: { host: 'tenant-08.k8s.example.com', port: 30008 } },
  },
];
