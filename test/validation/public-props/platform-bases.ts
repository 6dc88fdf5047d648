import { Protocol } from 'cdk8s-plus-30';
import { annotations, Base, Bases, controlPlane, labels, plain, resources, tolerations, topologySpreadConstraints } from './base';
import {
  ControlPlanePlatform, HypershiftApiPublishing, HypershiftAvailability, HypershiftManagementCluster, HypershiftNetworkType, IngressController,
  IngressExposedControlPlaneProps, K0smotronApiVersion, K0smotronCertificate, K0smotronPatchType, K0smotronPersistence, K0smotronServiceType,
  K0smotronStorage, KonnectivityAgentMode, KubeletAddressType, OperatorRoutes, SharedIngressGateway,
} from '../../../src';

/** A platform that runs a control plane. */
function running(props: object, further: Partial<IngressExposedControlPlaneProps> = {}): Base {
  return { args: () => [props], use: (platform: ControlPlanePlatform, management) => void controlPlane(management, { platform, ...further }) };
}

const tenantControlPlane = () => ({
  operatorRoutes: OperatorRoutes.NONE,
  newestKubernetesVersion: '1.35',
  replicas: 2,
  dataStore: 'default',
  dataStoreSchema: 'tenants_tenant_01',
  dataStoreUsername: 'tenants_tenant_01',
  apiPort: 6443,
  additionalPorts: [{ name: 'metrics', port: 9090, targetPort: 9091, protocol: Protocol.TCP, appProtocol: 'http' }],
  extraArgs: {
    apiServer: ['--profiling=false'], controllerManager: ['--profiling=false'], scheduler: ['--profiling=false'], kine: ['--debug=true'],
  },
  resources: { apiServer: resources(), controllerManager: resources(), scheduler: resources(), kine: resources() },
  nodeSelector: labels(),
  tolerations: tolerations(),
  topologySpreadConstraints: topologySpreadConstraints(),
  podLabels: labels(),
  podAnnotations: annotations(),
  kubeletAddressTypes: [KubeletAddressType.INTERNAL_IP],
  admissionControllers: ['NodeRestriction'],
  coreDns: { imageRepository: 'registry.example.com/coredns', imageTag: 'v1.12.0' },
  kubeProxy: { imageRepository: 'registry.example.com', imageTag: 'v1.34.3' },
  konnectivityAgent: {
    image: 'registry.example.com/agent',
    version: 'v0.33.0',
    mode: KonnectivityAgentMode.DEPLOYMENT,
    replicas: 2,
    tolerations: tolerations(),
    hostNetwork: false,
    extraArgs: ['--sync-interval=5s'],
  },
  konnectivityServer: {
    port: 8132, image: 'registry.example.com/server', version: 'v0.33.0', resources: resources(), extraArgs: ['--v=4'],
  },
  unhandledIngressClassName: 'unhandled',
});

const registrySettings = () => ({
  registry: 'registry.example.com',
  apiServerImage: 'kube-apiserver',
  controllerManagerImage: 'kube-controller-manager',
  schedulerImage: 'kube-scheduler',
  tagSuffix: '-1',
});

export const k0smotron = () => ({
  newestKubernetesVersion: '1.36',
  apiVersion: K0smotronApiVersion.V1BETA2,
  replicas: 1,
  image: 'registry.example.com/k0s',
  serviceAccountName: 'k0s',
  apiPort: 30443,
  konnectivityPort: 30132,
  storage: K0smotronStorage.etcd(),
  persistence: K0smotronPersistence.emptyDir(),
  k0sConfig: { telemetry: { enabled: false } },
  controlPlaneFlags: ['--debug=true'],
  certificateRefs: [{ type: K0smotronCertificate.CA, secretName: 'tenant-01-own-ca' }],
  manifests: [{ name: 'cni', configMapName: 'cni' }],
  resources: resources(),
  topologySpreadConstraints: topologySpreadConstraints(),
  patches: [{ kind: 'StatefulSet', component: 'control-plane', type: K0smotronPatchType.MERGE, content: { metadata: { labels: { a: 'b' } } } }],
});

/** Storage or files of a control plane of k0smotron. */
function keeping(property: 'storage' | 'persistence', ...args: any[]): Base {
  return {
    args: () => args,
    use: (made, management) => void controlPlane(management, { platform: ControlPlanePlatform.k0smotron({ [property]: made }) }),
  };
}

const hypershift = () => ({
  releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64',
  pullSecretName: 'pull-secret',
  sshKeyName: 'ssh-key',
  platform: { type: 'None' },
  managementClusterType: HypershiftManagementCluster.OPENSHIFT,
  serviceNodePortRange: '30000-32767',
  clusterId: '11111111-2222-3333-4444-555555555555',
  baseDomain: 'example.com',
  availability: HypershiftAvailability.HIGHLY_AVAILABLE,
  networkType: HypershiftNetworkType.OVN_KUBERNETES,
  machineCidrs: ['192.168.0.0/24'],
  etcdStorageSize: '8Gi',
  etcdStorageClassName: 'fast',
  advertiseAddress: '172.20.0.1',
  apiServerPort: 6443,
  httpProxy: { httpProxy: 'http://proxy.example.com:3128', httpsProxy: 'http://proxy.example.com:3128', noProxy: '.example.com,10.0.0.0/8' },
  nodeSelector: labels(),
});

export const PLATFORM_BASES: Bases = {
  'ControlPlanePlatform.kamaji': [running({ ...tenantControlPlane(), registrySettings: registrySettings() })],
  'ControlPlanePlatform.kamajiControlPlane': [running({ ...tenantControlPlane(), registry: 'registry.example.com' })],
  'ControlPlanePlatform.steward': [running({
    ...tenantControlPlane(),
    registrySettings: registrySettings(),
    tcpProxy: {
      image: 'registry.example.com/tcp-proxy:v1',
      resources: resources(),
      hostAliases: [{ ip: '203.0.113.10', hostnames: ['tenant-01.k8s.example.com'] }],
      internalEndpoint: '10.0.0.10:6443',
    },
  })],
  'ControlPlanePlatform.k0smotron': [running({ manifests: [{ name: 'csi', secretName: 'csi' }] }), running({ ...k0smotron(), serviceType: K0smotronServiceType.CLUSTER_IP, externalAddress: 'edge.example.com' })],
  'ControlPlanePlatform.k0smotronControlPlane': [running({ manifests: [{ name: 'csi', secretName: 'csi' }] }), running({ ...k0smotron(), serviceType: K0smotronServiceType.CLUSTER_IP, controlPlaneName: 'tenant-01-cp' })],
  'ControlPlanePlatform.hypershift': [
    {
      args: () => [{ ...hypershift(), apiServerPublishing: HypershiftApiPublishing.NODE_PORT }],
      use: (platform, management) => void controlPlane(management, {
        platform,
        controller: new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 } }).asController(),
        port: 30001,
        networkPolicy: { namespaces: ['edge'] },
      }),
    },
    running({ ...hypershift(), apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER, allowedCidrBlocks: ['203.0.113.0/24'] },
      { controller: IngressController.openshift() }),
  ],
  'K0smotronStorage.etcd': [keeping('storage', {
    size: '2Gi',
    storageClassName: 'fast',
    autoDeletePvcs: true,
    image: 'registry.example.com/etcd:v3.6.0',
    args: ['--snapshot-count=100'],
    resources: resources(),
    defragSchedule: '0 12 * * *',
  })],
  'K0smotronStorage.kine': [keeping('storage', 'database')],
  'K0smotronStorage.nats': [keeping('storage', { size: '2Gi', storageClassName: 'fast' })],
  'K0smotronPersistence.hostPath': [keeping('persistence', '/var/lib/tenant-01')],
  'K0smotronPersistence.persistentVolume': [keeping('persistence', { size: '1Gi', storageClassName: 'fast', autoDeletePvcs: true })],
  'HostnamePattern.of': [{
    args: () => ['{name}.{service}.{domain}'],
    use: (hostnamePattern, management) => void controlPlane(management, { hostnamePattern }),
  }],
  'HostnamePattern#hostname': [{
    ...plain({ name: 'tenant-01', namespace: 'tenants', service: 'k8s', domain: 'example.com' }),
    on: management => controlPlane(management).platform!.defaults('tenant-01', 'tenants').hostnamePattern,
  }],
};
