import { Chart } from 'cdk8s';
import { HypershiftTenant, HypershiftTenantProps } from './hypershift-tenant';
import {
  HypershiftApiPublishing, HypershiftAvailability, HypershiftNetworkType, HypershiftProps, IngressController, IngressExposedControlPlaneProps,
  TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../../src';

const UUID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';
const OPENSHIFT: HypershiftTenantProps = {
  controller: IngressController.openshift(),
  platform: { apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER },
  controlPlane: { port: undefined },
};

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a HostedCluster', () => {
  test('has the cluster ID, networks and defaults', () => {
    const { apiVersion, metadata, spec } = new HypershiftTenant({ platform: { clusterId: UUID } }).object('HostedCluster', 'tenant-01');
    expect([apiVersion, metadata.name, metadata.namespace]).toEqual(['hypershift.openshift.io/v1beta1', 'tenant-01', 'tenants']);
    expect(spec).toMatchObject({
      clusterID: UUID,
      release: { image: 'quay.io/ocp-release:4.20.0' },
      pullSecret: { name: 'pull-secret' },
      platform: { type: 'None' },
      controllerAvailabilityPolicy: 'HighlyAvailable',
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } } },
      networking: {
        networkType: 'OVNKubernetes',
        serviceNetwork: [{ cidr: '10.96.0.0/16' }],
        clusterNetwork: [{ cidr: '10.244.0.0/16' }],
        apiServer: { port: 6443 },
      },
    });
  });

  test('leaves the cluster ID to HyperShift when there is none', () => {
    expect(new HypershiftTenant().spec).not.toHaveProperty('clusterID');
  });

  test('does not see changes to the user\'s values, which were checked before them', () => {
    const machineCidrs = ['192.0.2.0/24'];
    const tenant = new HypershiftTenant({ platform: { machineCidrs } });
    machineCidrs.push('anywhere');
    expect(tenant.spec.networking.machineNetwork).toEqual([{ cidr: '192.0.2.0/24' }]);
  });

  test('takes every property', () => {
    const { spec } = new HypershiftTenant({
      ...OPENSHIFT,
      platform: {
        ...OPENSHIFT.platform,
        sshKeyName: 'ssh',
        platform: { type: 'Agent', agent: { agentNamespace: 'agents' } },
        baseDomain: 'example.org',
        availability: HypershiftAvailability.SINGLE_REPLICA,
        networkType: HypershiftNetworkType.OTHER,
        machineCidrs: ['192.168.0.0/24'],
        etcdStorageSize: '16Gi',
        etcdStorageClassName: 'fast',
        advertiseAddress: '172.20.0.9',
        apiServerPort: 7443,
        allowedCidrBlocks: ['192.0.2.0/24'],
        httpProxy: { httpsProxy: 'http://proxy:3128', noProxy: 'example.com' },
        serviceNodePortRange: '20000-22767',
        nodeSelector: { pool: 'hcp' },
      },
    });
    expect(spec).toMatchObject({
      sshKey: { name: 'ssh' },
      platform: { type: 'Agent', agent: { agentNamespace: 'agents' } },
      dns: { baseDomain: 'example.org' },
      controllerAvailabilityPolicy: 'SingleReplica',
      networking: {
        networkType: 'Other',
        machineNetwork: [{ cidr: '192.168.0.0/24' }],
        apiServer: { advertiseAddress: '172.20.0.9', port: 7443, allowedCIDRBlocks: ['192.0.2.0/24'] },
      },
      etcd: { managed: { storage: { persistentVolume: { size: '16Gi', storageClassName: 'fast' } } } },
      configuration: { network: { serviceNodePortRange: '20000-22767' }, proxy: { httpsProxy: 'http://proxy:3128', noProxy: 'example.com' } },
      nodeSelector: { pool: 'hcp' },
    });
  });
});

test('a TcpProxyAddon is refused, as HyperShift has proxies of its own', () => {
  const { controlPlane, app } = new HypershiftTenant();
  const message = 'controlPlane: management/tenant-01 has tcp-proxies of its platform (hypershift), and two would fight over default/kubernetes. Leave out this TcpProxyAddon.';
  expect(() => new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { controlPlane })).toThrow(`tenant/tcp-proxy: ${message}`);
  const synced = new TenantCharts(new Chart(app, 'delivery'), 'tenants', { delivery: TenantDelivery.sync() }).of(controlPlane, {
    adminKubeconfig: { secretName: 'admin', keys: ['kubeconfig'] },
  });
  expect(() => new TcpProxyAddon(synced, 'tcp-proxy', { controlPlane })).toThrow(message);
});

describe('is refused:', () => {
  test.each<[string, Partial<HypershiftProps>, Partial<IngressExposedControlPlaneProps>, string]>([
    ['a release image with spaces', { releaseImage: 'a b' }, {}, 'releaseImage: "a b" is not an image'],
    ['no pull secret', { pullSecretName: '' }, {}, 'pullSecretName: "" is empty'],
    ['a port that is none', { apiServerPort: 0 }, {}, 'apiServerPort: 0 is not a port'],
    ['a network that the CRD lets pass', { allowedCidrBlocks: ['999.1.1.1/24'] }, {}, 'allowedCidrBlocks[0]: "999.1.1.1/24" is not a network'],
    ['too many networks', { allowedCidrBlocks: Array.from({ length: 501 }, (_, i) => `10.${Math.floor(i / 256)}.${i % 256}.0/24`) }, {}, 'allowedCidrBlocks: 501'],
    ['a cluster ID that is no UUID', { clusterId: 'tenant-01' }, {}, 'clusterId: "tenant-01" is not a UUID'],
    ['a UUID in upper case', { clusterId: UUID.toUpperCase() }, {}, 'is not a UUID in lower case'],
    ['no konnectivity', {}, { konnectivity: undefined }, 'konnectivity: is not set'],
    ['a namespace that gets too long', {}, { namespace: 'n'.repeat(60) }, 'is longer than 63 characters'],
    ['a cluster domain', {}, { network: { clusterDomain: 'tenant.local' } }, 'network.clusterDomain: "tenant.local" cannot be chosen'],
    ['a DNS address', {}, { network: { dnsServiceIps: ['10.96.0.53'] } }, 'network.dnsServiceIps: ["10.96.0.53"] cannot be chosen'],
    ['further SANs', {}, { certSans: ['api.example.org'] }, 'certSans: ["api.example.org"] cannot be added'],
    ['an advertise address that is none', { advertiseAddress: 'localhost' }, {}, 'advertiseAddress: "localhost" is not an IP address'],
    ['one in the Service network', { advertiseAddress: '10.96.0.1' }, {}, 'lies in the service network 10.96.0.0/16'],
    ['one in the pod network', { advertiseAddress: '10.244.0.1' }, {}, 'lies in 10.244.0.0/16'],
    ['one in the node network', { advertiseAddress: '192.168.0.1', machineCidrs: ['192.168.0.0/24'] }, {}, 'lies in 192.168.0.0/24'],
    ['one of the other family', { advertiseAddress: 'fd00::1' }, {}, 'is not of the family of the first Service network'],
    ['an OAuth service that leads to the API server', {}, { tlsServices: [{ name: 'oauth', serviceName: 'kube-apiserver' }] }, 'tlsServices: "oauth" leads to the API server'],
    ['a platform that is none', { platform: { type: 'Metal' } }, {}, 'platform.type: "Metal" is not a platform of HyperShift'],
    ['a platform without a type', { platform: {} }, {}, 'is not a platform of HyperShift'],
  ])('%s', (_, platform, controlPlane, message) => {
    expect(() => new HypershiftTenant({ platform, controlPlane })).toThrow(message);
  });
});
