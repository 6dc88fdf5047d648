import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { Construct } from 'constructs';
import {
  ControlPlanePlatform, Exposure, ExposureReport, HostedControlPlaneAttributes, HypershiftApiPublishing, IHostedControlPlane, IngressController,
  IngressExposedControlPlane, K0smotronJoinToken, K0smotronWorkerBootstrap, KubernetesServiceHostInjection, PlatformSecrets, TcpProxyAddon,
  TcpProxyEndpoints, TcpProxyPlacement, TenantCharts, TenantDelivery,
} from '../../src';

const ATTRIBUTES: HostedControlPlaneAttributes = { namespace: 'tenants', hostname: 'api.tenant-01.example.com', kubernetesVersion: '1.34.3' };

function imported(attributes: Partial<HostedControlPlaneAttributes> = {}) {
  const app = Testing.app();
  const management = new Chart(app, 'management');
  const controlPlane = IngressExposedControlPlane.fromAttributes(management, 'tenant-01', { ...ATTRIBUTES, ...attributes });
  return { app, management, controlPlane, tenant: () => new Chart(app, 'tenant') };
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a control plane that another app made', () => {
  test('emits nothing', () => {
    expect(imported().management.toJson()).toEqual([]);
  });

  test('has the names, ports and Secrets of its platform, like one that is made here', () => {
    const props = { namespace: 'tenants', domain: 'example.com', kubernetesVersion: '1.34.3', konnectivity: {}, platform: ControlPlanePlatform.kamajiControlPlane() };
    const made = new IngressExposedControlPlane(new Chart(new App(), 'management'), 'tenant-01', { ...props, controller: IngressController.haproxy() });
    const controlPlane = IngressExposedControlPlane.fromAttributes(new Chart(new App(), 'management'), 'tenant-01', props);
    const facts = ({ exposure, secrets, kubernetesVersion, managementCluster, clusterApiCluster }: IHostedControlPlane) =>
      ({ exposure, secrets, kubernetesVersion, managementCluster, clusterApiCluster });
    expect(facts(controlPlane)).toEqual(facts(made));
  });

  test('has what the attributes say before what its platform does', () => {
    const own: PlatformSecrets & Partial<HostedControlPlaneAttributes> = {
      adminKubeconfig: { secretName: 'admin', keys: ['config'] },
      clusterCa: { secretName: 'root', certificateKey: 'crt', privateKeyKey: 'key' },
      clusterApiCluster: 'one',
      port: 8443,
      backend: { serviceName: 'api', apiPort: 443 },
    };
    const { controlPlane } = imported({ ...own, platform: ControlPlanePlatform.kamaji() });
    expect(controlPlane.secrets).toMatchObject({ adminKubeconfig: own.adminKubeconfig, clusterCa: own.clusterCa });
    expect(controlPlane.clusterApiCluster).toBe('one');
    expect(controlPlane.exposure.routes[0]).toMatchObject({ port: 8443, serviceName: 'api', servicePort: 443 });
  });

  test('gets a tcp-proxy once its API server leaves default/kubernetes alone', () => {
    const { controlPlane, tenant } = imported({ endpointsOwnedByTcpProxy: true });
    const chart = tenant();
    new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane });
    expect(chart.toJson().map(({ kind }: any) => kind)).toContain('Deployment');
    expect(() => new TcpProxyAddon(chart, 'another', { controlPlane, name: 'another' })).toThrow('two writers would fight over default/kubernetes');
  });

  test('gets a tcp-proxy at the address that its API server publishes', () => {
    const { controlPlane, tenant } = imported({ advertiseAddress: '172.20.0.1' });
    const endpoints = TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] });
    expect(() => new TcpProxyAddon(tenant(), 'tcp-proxy', { controlPlane, endpoints, placement: TcpProxyPlacement.everyNode() })).not.toThrow();
  });

  test('is delivered, with the certificate that sync issues from its CA', () => {
    const { management, controlPlane } = imported({ endpointsOwnedByTcpProxy: true, platform: ControlPlanePlatform.kamaji() });
    const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
    new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
    const tenant = management.toJson().map(({ data }: any) => data?.['tenant.json']).find(Boolean);
    expect(JSON.parse(tenant)).toMatchObject({ kubeconfig: { secretName: 'tenant-01-admin-kubeconfig' }, certificate: { ca: { secretName: 'tenant-01-ca' } } });
  });

  test('is known to Cluster API by the attribute, or by its platform', () => {
    const { management, controlPlane } = imported({ clusterApiCluster: 'cluster-01' });
    const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.clusterResourceSet() });
    new ApiObject(tenants.of(controlPlane), 'settings', { apiVersion: 'v1', kind: 'ConfigMap' });
    const [set] = management.toJson().filter(({ kind }: any) => kind === 'ClusterResourceSet');
    expect(set.spec.clusterSelector.matchLabels).toEqual({ 'cluster.x-k8s.io/cluster-name': 'cluster-01' });
  });

  test('has tokens and workers with k0smotron', () => {
    const { management, controlPlane } = imported({ platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3+k0s.1' });
    const { request, secretName } = new K0smotronJoinToken(management, 'token', { controlPlane });
    expect(request.toJson()).toMatchObject({ apiVersion: 'k0smotron.io/v1beta2', metadata: { namespace: 'tenants' }, spec: { clusterName: 'tenant-01' } });
    const worker = new K0smotronWorkerBootstrap({ controlPlane, k0sVersion: '1.34.3+k0s.1', joinTokenSecretName: secretName });
    expect(worker.files.map(file => file.secretName)).toContain('tenant-01-ca');
    expect(() => new K0smotronWorkerBootstrap({ controlPlane, k0sVersion: '1.34.3+k0s.2', joinTokenSecretName: secretName })).toThrow('is newer than the control plane\'s');
  });

  test('leads pods to its public endpoint', () => {
    const { controlPlane, tenant } = imported();
    const { policyObject } = new KubernetesServiceHostInjection(tenant(), 'injection', { controlPlane });
    expect(JSON.stringify(policyObject.toJson())).toContain('api.tenant-01.example.com');
  });

  test('is in the report of the platform', () => {
    const { app } = imported();
    const report = new ExposureReport(app, 'report');
    expect(JSON.stringify(report.toJson())).toContain('api.tenant-01.example.com');
  });
});

describe('what is asked for and not among the attributes is an error that names the attribute', () => {
  test.each<[string, (given: ReturnType<typeof imported>) => unknown, Partial<HostedControlPlaneAttributes>]>([
    ['kubernetesVersion: is not known for management/tenant-01: it is needed here. Give it to fromAttributes(), e.g. "1.34.3".',
      ({ controlPlane, tenant }) => new KubernetesServiceHostInjection(tenant(), 'injection', { controlPlane }), { kubernetesVersion: undefined }],
    ['endpointsOwnedByTcpProxy: is not known for management/tenant-01: it must be true for a tcp-proxy that owns default/kubernetes. ' +
      'Give it to fromAttributes(), once the API server runs with --endpoint-reconciler-type=none.',
    ({ controlPlane, tenant }) => new TcpProxyAddon(tenant(), 'tcp-proxy', { controlPlane }), {}],
    ['endpointsOwnedByTcpProxy: false of management/tenant-01 is not what its tcp-proxy needs: it owns default/kubernetes, and the API server would too.',
      ({ controlPlane, tenant }) => new TcpProxyAddon(tenant(), 'tcp-proxy', { controlPlane }), { endpointsOwnedByTcpProxy: false }],
    ['endpointsOwnedByTcpProxy: true of management/tenant-01 is not what its tcp-proxy needs: nobody would keep default/kubernetes.',
      withFixedAddress, { endpointsOwnedByTcpProxy: true, advertiseAddress: '172.20.0.1' }],
    ['advertiseAddress: is not known for management/tenant-01: it must be that of the tcp-proxy. ' +
      'Give it to fromAttributes(), once the API server runs with --advertise-address=172.20.0.1.', withFixedAddress, {}],
    ['advertiseAddress: "172.20.0.9" of management/tenant-01 is not the address of its tcp-proxy, 172.20.0.1.', withFixedAddress, { advertiseAddress: '172.20.0.9' }],
    ['platform: is not known for management/tenant-01. Give it to fromAttributes(): ControlPlanePlatform.k0smotron().',
      ({ management, controlPlane }) => new K0smotronJoinToken(management, 'token', { controlPlane }), {}],
    ['kubernetesVersion: is not known for management/tenant-01: it is needed here.',
      ({ management, controlPlane }) => new K0smotronJoinToken(management, 'token', { controlPlane }), { platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: undefined }],
    ['adminKubeconfig: is not known for tenants/tenant-01',
      ({ management, controlPlane }) => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() }).of(controlPlane), {}],
    ['clusterSelector: is not given, and the platform of tenants/tenant-01 is not one of Cluster API\'s',
      ({ management, controlPlane }) => new TenantCharts(management, 'tenants', { delivery: TenantDelivery.clusterResourceSet() }).of(controlPlane), {}],
  ])('%s', (message, use, attributes) => {
    const given = imported(attributes);
    expect(() => use(given)).toThrow(message);
  });

  function withFixedAddress({ controlPlane, tenant }: ReturnType<typeof imported>) {
    return new TcpProxyAddon(tenant(), 'tcp-proxy', {
      controlPlane, endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }), placement: TcpProxyPlacement.everyNode(),
    });
  }

  test('also a wrong attribute, with the path of the construct', () => {
    expect(() => imported({ hostname: undefined })).toThrow('management/tenant-01: hostname: is not set and cannot be derived');
    expect(() => imported({ kubernetesVersion: 'newest' })).toThrow('management/tenant-01: kubernetesVersion: "newest" is not a version');
  });
});

test('a platform that brings a tcp-proxy brings it to control planes of elsewhere too', () => {
  const platform = ControlPlanePlatform.hypershift({
    releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER,
  });
  const { controlPlane, tenant } = imported({ platform, domain: 'example.com', endpointsOwnedByTcpProxy: true });
  expect(() => new TcpProxyAddon(tenant(), 'tcp-proxy', { controlPlane })).toThrow('has tcp-proxies of its platform (hypershift)');
});

test('a construct of a user\'s own can be the control plane', () => {
  class OwnControlPlane extends Construct implements IHostedControlPlane {
    public readonly exposure = new Exposure({ name: 'own', namespace: 'tenants', hostname: 'own.example.com' });
    public readonly kubernetesVersion = '1.34.3';
    public readonly managementCluster = 'management';
    public readonly secrets = { adminKubeconfig: { secretName: 'own-admin', keys: ['value'] }, clusterCa: { secretName: 'own-ca', certificateKey: 'c', privateKeyKey: 'k' } };
  }
  const management = new Chart(Testing.app(), 'management');
  const controlPlane = new OwnControlPlane(management, 'own');
  const tenants = new TenantCharts(management, 'tenants', { delivery: TenantDelivery.sync() });
  new TcpProxyAddon(tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
  new KubernetesServiceHostInjection(tenants.of(controlPlane), 'injection', { controlPlane });
  expect(JSON.stringify(management.toJson())).toContain('own-admin');
});
