import { Base, Bases, controlPlane, labels, annotations, plain } from './base';
import { k0smotron } from './platform-bases';
import {
  ClusterApiVersion, ControlPlanePlatform, HetznerAccess, HetznerHostedCluster, HetznerNetworkZone, HetznerRegion, HostnamePattern, IngressController,
  K0rdentClusterDeployment, K0rdentConfig, K0smotronApiVersion, K0smotronJoinToken, K0smotronWorkerBootstrap, K0sNetworkProvider,
} from '../../../src';

const network = () => ({ serviceCidrs: ['10.96.0.0/12'], podCidrs: ['10.244.0.0/16'] });

const wholeNetwork = () => ({ ...network(), clusterDomain: 'cluster.local', dnsServiceIps: ['10.96.0.10'] });

const settings = () => ({
  k0sVersion: '1.34.3',
  access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com' }),
  region: HetznerRegion.FSN1,
  sshKeyNames: ['admin'],
  tokenSecret: { name: 'hetzner', key: 'hcloud-token' },
  privateNetwork: { cidr: '10.0.0.0/16', subnetCidr: '10.0.0.0/24', zone: HetznerNetworkZone.EU_CENTRAL },
  networkProvider: K0sNetworkProvider.CUSTOM,
});

const pool = (image = 'ubuntu-24.04') => ({
  replicas: 2,
  type: 'cx23',
  image,
  placementGroup: 'workers',
  k0sVersion: '1.34.3',
  region: HetznerRegion.FSN1,
  sshKeyNames: ['admin'],
  args: ['--labels=pool=a'],
  files: [
    { path: '/etc/motd', content: 'worker', permissions: '0644' },
  ],
  preK0sCommands: ['true'],
  postK0sCommands: ['true'],
  publicIpv4: true,
  publicIpv6: false,
});
const secretFile = { path: '/etc/registry.json', secret: { name: 'registry', key: 'config.json' } };
const configMapFile = { path: '/etc/motd', configMap: { name: 'motd', key: 'motd' } };

const ungrouped = () => ({ ...pool(), placementGroup: undefined, files: [configMapFile] });

const hosted = () => ({
  ...settings(),
  namespace: 'tenants',
  name: 'tenant-01',
  workers: pool(),
  controlPlane: k0smotron(),
  clusterApiVersion: ClusterApiVersion.V1BETA2,
  hetznerApiVersion: ClusterApiVersion.V1BETA1,
  labels: labels(),
});

/** A way to a cluster on Hetzner. */
function reached(...args: any[]): Base {
  return {
    args: () => args,
    use: (access, management) => void new HetznerHostedCluster(management, 'tenant-01', {
      ...settings(), access, namespace: 'tenants', workers: { type: 'cx23' },
    }),
  };
}

/** A configuration that is deployed. */
function deployed(...args: any[]): Base {
  return {
    args: () => args,
    use: (config, management) => void new K0rdentClusterDeployment(management, 'tenant-01', {
      template: 'hetzner-hosted-cp-1-2-0', credential: 'hetzner', config,
    }),
  };
}

export const CLUSTER_BASES: Bases = {
  'HetznerAccess.ingress': [
    reached({
      controller: IngressController.haproxy(),
      domain: 'example.com',
      hostnamePattern: HostnamePattern.steward(),
      port: 443,
      allowedCidrs: ['203.0.113.0/24'],
      certSans: ['api.example.com'],
    }),
    reached({ controller: IngressController.haproxy(), hostname: 'api.example.com', konnectivityHostname: 'konnectivity.example.com' }),
  ],
  'HetznerAccess.loadBalancer': [reached({ location: HetznerRegion.FSN1 })],
  'HetznerAccess.nodePort': [reached({ host: '192.0.2.10' })],
  'new HetznerHostedCluster': [
    { args: () => [hosted()] },
    { args: () => [{ ...hosted(), controlPlane: { manifests: [{ name: 'csi', secretName: 'csi' }] } }] },
    { args: () => [{ ...hosted(), workers: { ...pool(), files: [secretFile] }, network: wholeNetwork() }] },
    { args: () => [{ ...hosted(), workers: ungrouped(), privateNetwork: undefined, managedByK0smotron: true }] },
  ],
  'HetznerHostedCluster#addWorkerPool': [pool(), { ...pool(), files: [secretFile] }, { ...pool(), files: [configMapFile] }].map(worker => ({
    args: () => ['more', worker],
    on: management => new HetznerHostedCluster(management, 'tenant-01', { ...settings(), namespace: 'tenants', workers: { type: 'cx23' } }),
  })),
  'K0rdentConfig.hostedHetzner': [
    deployed({ ...settings(), workers: { replicas: 2, type: 'cx23', image: 'ubuntu-24.04' }, controlPlaneReplicas: 1, network: network() }),
    { ...deployed({ ...settings(), workers: { type: 'cx23' }, network: wholeNetwork() }), refused: true },
    { ...deployed({ ...settings(), workers: { type: 'cx23', placementGroup: 'workers' } }), refused: true },
  ],
  'K0rdentConfig.values': [deployed({ region: 'fsn1', sshKeyNames: ['admin'], clusterLabels: { team: 'edge' } })],
  'new K0rdentClusterDeployment': [{
    args: () => [{
      name: 'tenant-01',
      namespace: 'kcm-system',
      template: 'hetzner-hosted-cp-1-2-0',
      credential: 'hetzner',
      dryRun: false,
      propagateCredentials: true,
      config: K0rdentConfig.values({ region: 'fsn1', sshKeyNames: ['admin'] }),
      cleanupOnDeletion: true,
      labels: labels(),
      annotations: annotations(),
    }],
  }],
  'new K0smotronJoinToken': [{
    args: management => [{
      controlPlane: controlPlane(management, { platform: ControlPlanePlatform.k0smotron() }), name: 'workers', expiry: '24h', apiVersion: K0smotronApiVersion.V1BETA2,
    }],
  }],
  'new K0smotronWorkerBootstrap': [{
    args: management => {
      const ofK0smotron = controlPlane(management, { platform: ControlPlanePlatform.k0smotron() });
      const { secretName } = new K0smotronJoinToken(management, 'token', { controlPlane: ofK0smotron });
      return [{ controlPlane: ofK0smotron, k0sVersion: '1.34.3', joinTokenSecretName: secretName, args: ['--debug=true'], downloadUrl: 'https://get.k0s.sh' }];
    },
    use: (made: K0smotronWorkerBootstrap) => void [made.cloudInit, made.renderScript],
  }],
  'ManagementCluster.of': [{ args: management => [management] }],
  'ManagementCluster.assign': [{ args: management => [management, 'eu-1'] }],
  'Warnings.of': [{ args: management => [management] }],
  'KubernetesServiceHostInjection.apiServerArgs': [plain('1.34.3', 'v1beta1')],
};
