import { k8s } from 'cdk8s-plus-30';
import { ControlPlanePlatform, IngressController, KamajiControlPlaneProps, OperatorRoutes } from '../../../src';
import { GATEWAY, Tenant } from '../harness';

const TENANT = { name: 'tenant-00', namespace: 'team-a', domain: 'clastix.cloud', controller: IngressController.haproxy(), konnectivity: {} };
const kamaji = (props?: KamajiControlPlaneProps) => ControlPlanePlatform.kamajiControlPlane(props);

describe('a KamajiControlPlane', () => {
  test('has the endpoint, the certificate and the flags of the exposure', () => {
    const tenant = new Tenant(kamaji({ replicas: 3, dataStore: 'etcd', dataStoreSchema: 'schema', dataStoreUsername: 'user', registry: 'registry.example.com' }), TENANT)
      .attachTcpProxy({ endpointsOwnedByTcpProxy: true, advertiseAddress: '100.64.30.10' });

    expect(tenant.resource()).toMatchObject({
      apiVersion: 'controlplane.cluster.x-k8s.io/v1alpha2',
      kind: 'KamajiControlPlane',
      metadata: { name: 'tenant-00', namespace: 'team-a' },
    });
    expect(tenant.spec()).toEqual({
      version: 'v1.31.0',
      replicas: 3,
      dataStoreName: 'etcd',
      dataStoreSchema: 'schema',
      dataStoreUsername: 'user',
      registry: 'registry.example.com',
      apiServer: { extraArgs: ['--endpoint-reconciler-type=none'] },
      addons: {
        konnectivity: { agent: { extraArgs: ['--proxy-server-host=team-a-tenant-00.konnectivity.clastix.cloud', '--proxy-server-port=443'] } },
      },
      network: {
        serviceType: 'ClusterIP',
        advertiseAddress: '100.64.30.10',
        dnsServiceIPs: ['10.96.0.10'],
        certSANs: [
          'team-a-tenant-00.k8s.clastix.cloud', 'team-a-tenant-00.konnectivity.clastix.cloud',
          'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
        ],
        ingress: { hostname: 'team-a-tenant-00.k8s.clastix.cloud:443', className: 'unhandled' },
      },
    });
    expect(tenant.ownRoutes()).toHaveLength(2);
  });

  test('leads routes to the Service of its own name', () => {
    expect(new Tenant(kamaji(), TENANT).controlPlane.routes.map(route => [route.serviceName, route.servicePort]))
      .toEqual([['tenant-00', 6443], ['tenant-00', 8132]]);
  });

  test('passes arguments, resources and placement on', () => {
    const toleration = { key: 'dedicated', operator: 'Exists' };
    const spec = new Tenant(kamaji({
      extraArgs: { apiServer: ['--v=2'], controllerManager: ['--v=3'], scheduler: ['--v=4'], kine: ['--debug'] },
      resources: { apiServer: { requests: { cpu: k8s.Quantity.fromNumber(1) } } },
      nodeSelector: { pool: 'control-planes' },
      tolerations: [toleration],
      podLabels: { team: 'a' },
      additionalPorts: [{ name: 'signer', port: 9443 }],
    }), TENANT).spec();

    expect(spec).toMatchObject({
      apiServer: { extraArgs: ['--v=2'], resources: { requests: { cpu: '1' } } },
      controllerManager: { extraArgs: ['--v=3'] },
      scheduler: { extraArgs: ['--v=4'] },
      kine: { extraArgs: ['--debug'] },
      deployment: { nodeSelector: { pool: 'control-planes' }, tolerations: [toleration], podAdditionalMetadata: { labels: { team: 'a' } } },
      network: { additionalServicePorts: [{ name: 'signer', port: 9443, targetPort: 9443 }] },
    });
  });

  test('has the DNS addresses where the provider reads them', () => {
    const network = { dnsServiceIps: ['10.96.0.53'] };
    expect(new Tenant(kamaji(), { ...TENANT, network }).spec().network.dnsServiceIPs).toEqual(['10.96.0.53']);
    expect(new Tenant(kamaji({ coreDns: {} }), { ...TENANT, network }).spec().addons.coreDNS).toEqual({ dnsServiceIPs: ['10.96.0.53'] });
  });

  test('has its Ingress made by Kamaji when asked for', () => {
    const tenant = new Tenant(kamaji({ operatorRoutes: OperatorRoutes.INGRESS }), TENANT);
    expect(tenant.spec().network.ingress).toEqual({
      hostname: 'team-a-tenant-00.k8s.clastix.cloud:443', className: 'haproxy', extraAnnotations: { 'haproxy.org/ssl-passthrough': 'true' },
    });
    expect(tenant.ownRoutes()).toEqual(['tenant-00-konnectivity-server']);
  });

  test('names the listener of its Gateway', () => {
    const controller = IngressController.gatewayApi({ gateway: GATEWAY });
    const tenant = new Tenant(kamaji({ operatorRoutes: OperatorRoutes.GATEWAY }), { ...TENANT, controller });
    expect(tenant.spec().network.gateway).toEqual({ ...GATEWAY, hostname: 'team-a-tenant-00.k8s.clastix.cloud:6443', sectionName: 'kube-apiserver' });
    expect(tenant.spec().network.ingress).toBeUndefined();
    expect(tenant.spec().addons.konnectivity.agent.extraArgs).toContain('--proxy-server-host=team-a-tenant-00.k8s.clastix.cloud');
  });

  test.each([
    [['10.96.0.0/16', 'fd00:10:96::/112'], ['10.244.0.0/16', 'fd00:10:244::/56']],
    // Another order would be no remedy.
    [['fd00:10:96::/112', '10.96.0.0/16'], ['fd00:10:244::/56', '10.244.0.0/16']],
  ])('has no dual stack: %j', (serviceCidrs, podCidrs) => {
    expect(() => new Tenant(kamaji(), { ...TENANT, network: { serviceCidrs, podCidrs } }))
      .toThrow(/network\.serviceCidrs: .* are two networks; the provider passes on the first .*ControlPlanePlatform\.kamaji\(\)/);
  });

  test('has a port that its provider can read', () => {
    expect(new Tenant(kamaji({ apiPort: 32_767 }), TENANT).warnings()).toHaveLength(1);
    expect(() => new Tenant(kamaji({ apiPort: 32_768 }), TENANT))
      .toThrow(/apiPort: 32768 is above 32767, which Cluster API's provider cannot read.*Give a port up to 32767/);
  });

  test('warns of what only the Cluster object can carry', () => {
    expect(new Tenant(kamaji(), TENANT).warnings()).toEqual([]);
    const tenant = new Tenant(kamaji({ apiPort: 7443 }), { ...TENANT, network: { serviceCidrs: ['10.100.0.0/16'], clusterDomain: 'tenant.local' } });
    expect(tenant.warnings()).toEqual([
      'network.serviceCidrs 10.100.0.0/16, network.clusterDomain tenant.local, apiPort 7443: of team-a/tenant-00 reach Kamaji through ' +
      'the Cluster object alone. Give the same values in its spec.clusterNetwork.',
    ]);
  });
});
