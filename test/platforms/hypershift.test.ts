import { Chart } from 'cdk8s';
import { Tenant } from './harness';
import {
  ControlPlanePlatform, HypershiftAvailability, HypershiftNetworkType, HypershiftProps, IngressController, IngressExposedControlPlaneProps,
  SharedIngressGateway, TcpProxyAddon, TenantCharts, TenantDelivery,
} from '../../src';
import { expectValid } from '../support/schemas';

const UUID = '5f8a1f6e-3a43-4ad5-93a1-0d3f6d2f3d10';
const OAUTH = { name: 'oauth', serviceName: 'oauth-openshift', servicePort: 6443 };
const IGNITION = { name: 'ignition-server', serviceName: 'ignition-server-proxy', servicePort: 443 };

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function tenant(props: Partial<HypershiftProps> = {}, controlPlane: Partial<IngressExposedControlPlaneProps> = {}): Tenant {
  const platform = ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', ...props });
  return new Tenant(platform, { controller: IngressController.openshift(), konnectivity: {}, clusterId: UUID, ...controlPlane });
}

function hostedCluster(of: Tenant): any {
  const resource = of.synth().find(manifest => manifest.kind === 'HostedCluster');
  expectValid(resource);
  return resource;
}

function behindGateway(props: Partial<HypershiftProps> = {}, controlPlane: Partial<IngressExposedControlPlaneProps> = {}) {
  const other = tenant();
  const gateway = new SharedIngressGateway(other.chart, 'edge', { namespace: 'shared-ingress', hypershiftCompatibility: true });
  const behind = tenant(props, { controller: gateway.asController(), tlsServices: [OAUTH, IGNITION], ...controlPlane });
  return { behind, gatewayTenant: other };
}

describe('a HostedCluster', () => {
  test('publishes every service by a Route with the host of the exposure', () => {
    const { spec } = hostedCluster(tenant({}, { tlsServices: [OAUTH, IGNITION] }));
    expect(spec.services.map(({ service, servicePublishingStrategy: { type, route } }: any) => [service, type, route?.hostname])).toEqual([
      ['APIServer', 'Route', 'tenant-01.k8s.example.com'],
      ['Konnectivity', 'Route', 'tenant-01.konnectivity.example.com'],
      ['OAuthServer', 'Route', 'tenant-01.oauth.example.com'],
      ['Ignition', 'Route', 'tenant-01.ignition-server.example.com'],
    ]);
  });

  test('leaves hosts of OAuth and ignition to HyperShift when there are none', () => {
    expect(hostedCluster(tenant()).spec.services[2]).toEqual({ service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } });
  });

  test('has the cluster ID, networks and defaults', () => {
    const { apiVersion, metadata, spec } = hostedCluster(tenant());
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

  test('does not see changes to the user\'s values, which were checked before them', () => {
    const allowedCidrBlocks = ['192.0.2.0/24'];
    const platform = ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', allowedCidrBlocks });
    allowedCidrBlocks.push('anywhere');
    const { spec } = hostedCluster(new Tenant(platform, { controller: IngressController.openshift(), konnectivity: {}, clusterId: UUID }));
    expect(spec.networking.apiServer.allowedCIDRBlocks).toEqual(['192.0.2.0/24']);
  });

  test('takes every property', () => {
    const { spec } = hostedCluster(tenant({
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
      nodeSelector: { pool: 'hcp' },
    }));
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
      configuration: { proxy: { httpsProxy: 'http://proxy:3128', noProxy: 'example.com' } },
      nodeSelector: { pool: 'hcp' },
    });
  });
});

describe('routes', () => {
  test('are HyperShift\'s own with OpenShift\'s router', () => {
    expect(tenant({}, { tlsServices: [OAUTH, IGNITION] }).ownRoutes()).toEqual([]);
  });

  test('lead to Services in the namespace of the hosted control plane with other controllers', () => {
    const { gatewayTenant, behind } = behindGateway();
    expect(hostedCluster(behind).spec.clusterID).toBe(UUID);
    const lines = gatewayTenant.chart.toJson().flatMap(({ kind, data }) => kind === 'ConfigMap' ? `${data['hosts.map'] ?? ''}${data['cluster-ids.map'] ?? ''}`.trim().split('\n') : []).filter(Boolean);
    expect(lines.sort()).toEqual([
      `${UUID} kube-apiserver.tenants-tenant-01.svc.cluster.local:6443`,
      'tenant-01.ignition-server.example.com ignition-server-proxy.tenants-tenant-01.svc.cluster.local:443',
      'tenant-01.k8s.example.com kube-apiserver.tenants-tenant-01.svc.cluster.local:6443',
      'tenant-01.konnectivity.example.com konnectivity-server.tenants-tenant-01.svc.cluster.local:8091',
      'tenant-01.oauth.example.com oauth-openshift.tenants-tenant-01.svc.cluster.local:6443',
    ]);
  });
});

test('sources that HyperShift does not enforce behind the controller cause a warning', () => {
  expect(tenant({ allowedCidrBlocks: ['192.0.2.0/24'] }).warnings()).toEqual([]);
  expect(behindGateway({ allowedCidrBlocks: ['192.0.2.0/24'] }).behind.warnings().join()).toContain('Give the control plane allowedCidrs too');
});

test('a TcpProxyAddon is refused, as HyperShift has proxies of its own', () => {
  const { controlPlane, app } = tenant();
  const message = 'controlPlane: management/tenant-01 has tcp-proxies of its platform (hypershift), and two would fight over default/kubernetes. Leave out this TcpProxyAddon.';
  expect(() => new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { controlPlane })).toThrow(message);
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
    ['a cluster ID that is no UUID', {}, { clusterId: 'tenant-01' }, 'clusterId: "tenant-01" is not a UUID'],
    ['a UUID in upper case', {}, { clusterId: UUID.toUpperCase() }, 'is not a UUID in lower case'],
    ['no konnectivity', {}, { konnectivity: undefined }, 'konnectivity: null is not set'],
    ['another public port', {}, { controller: IngressController.openshift({ port: 6443 }), port: 6443, konnectivity: { port: 443 } }, 'port: 6443 is not 443'],
    ['another port of konnectivity', {}, { konnectivity: { port: 8443 } }, 'konnectivity.port: 8443 is not 443'],
    ['a namespace that gets too long', {}, { namespace: 'n'.repeat(60) }, 'is longer than 63 characters'],
    ['a cluster domain', {}, { network: { clusterDomain: 'tenant.local' } }, 'network.clusterDomain: "tenant.local" cannot be chosen'],
    ['a DNS address', {}, { network: { dnsServiceIps: ['10.96.0.53'] } }, 'network.dnsServiceIps: ["10.96.0.53"] cannot be chosen'],
    ['further SANs', {}, { certSans: ['api.example.org'] }, 'certSans: ["api.example.org"] cannot be added'],
    ['an advertise address that is none', { advertiseAddress: 'localhost' }, {}, 'advertiseAddress: "localhost" is not an IP address'],
    ['one in the Service network', { advertiseAddress: '10.96.0.1' }, {}, 'lies in the service network 10.96.0.0/16'],
    ['one in the pod network', { advertiseAddress: '10.244.0.1' }, {}, 'lies in 10.244.0.0/16'],
    ['one in the node network', { advertiseAddress: '192.168.0.1', machineCidrs: ['192.168.0.0/24'] }, {}, 'lies in 192.168.0.0/24'],
    ['one of the other family', { advertiseAddress: 'fd00::1' }, {}, 'is not of the family of the first Service network'],
    ['an OAuth service that leads to the API server', {}, { tlsServices: [{ name: 'oauth', servicePort: 6443 }] }, 'tlsServices: "oauth" leads to the API server'],
  ])('%s', (_, props, controlPlane, message) => {
    expect(() => tenant(props, controlPlane)).toThrow(message);
  });

  test('behind the shared gateway, a missing cluster ID and an HTTP proxy', () => {
    expect(() => behindGateway({}, { clusterId: undefined })).toThrow('clusterId: null is not set, so HyperShift would choose one');
    expect(() => behindGateway({ httpProxy: { httpsProxy: 'http://proxy:3128' } })).toThrow('httpProxy.httpsProxy: "http://proxy:3128" has the nodes reach');
  });
});
