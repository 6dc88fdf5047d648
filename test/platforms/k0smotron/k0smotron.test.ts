import { Chart, JsonPatch, Lazy } from 'cdk8s';
import { k8s } from 'cdk8s-plus-30';
import { HOSTS, K0smotronTenant } from './k0smotron-harness';
import {
  ControlPlanePlatform, IngressController, K0smotronApiVersion, K0smotronCertificate, K0smotronClusterProps, K0smotronJoinToken, K0smotronPatchType,
  K0smotronPersistence, K0smotronServiceType, K0smotronStorage, TcpProxyAddon, TcpProxyEndpoints, TcpProxyPlacement,
} from '../../../src';
import { k0smotronServiceName } from '../../../src/platforms/k0smotron/k0smotron-names';

const standalone = (props?: K0smotronClusterProps) => ControlPlanePlatform.k0smotron(props);
const V1BETA1 = { apiVersion: K0smotronApiVersion.V1BETA1 };
const VERSIONS = Object.values(K0smotronApiVersion);
const LONG_NAME = 'a-name-of-sixty-three-characters-which-is-as-long-as-can-be-abc';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a standalone Cluster behind HAProxy', () => {
  test.each(VERSIONS)('is the example of k0smotron\'s ingress support, corrected, in %s', apiVersion => {
    expect(new K0smotronTenant(standalone({ apiVersion })).resource()).toEqual({
      apiVersion: `k0smotron.io/${apiVersion}`,
      kind: 'Cluster',
      metadata: {
        name: 'tenant-01',
        namespace: 'tenants',
      },
      spec: {
        version: 'v1.34.3+k0s.0',
        externalAddress: 'kube-api.example.com',
        ingress: {
          deploy: true,
          apiHost: 'kube-api.example.com',
          konnectivityHost: 'konnectivity.example.com',
          port: 443,
          className: 'haproxy',
          annotations: { 'haproxy.org/ssl-passthrough': 'true' },
        },
        service: { type: 'ClusterIP', apiPort: 30443, konnectivityPort: 30132 },
        k0sConfig: {
          apiVersion: 'k0s.k0sproject.io/v1beta1',
          kind: 'ClusterConfig',
          metadata: { name: 'k0s' },
          spec: {
            network: { podCIDR: '10.244.0.0/16', serviceCIDR: '10.96.0.0/16', clusterDomain: 'cluster.local' },
          },
        },
      },
    });
  });

  test('has the port of the exposure in what workers dial, and the ports of the Service nowhere else', () => {
    const { ingress, service } = new K0smotronTenant(standalone({ apiPort: 6443, konnectivityPort: 8132 }), {
      port: 8443, controller: IngressController.haproxy({ port: 8443 }),
    }).spec();
    expect(ingress.port).toBe(8443);
    expect(service).toMatchObject({ apiPort: 6443, konnectivityPort: 8132 });
  });

  test('does not see changes to the user\'s values, which were checked before them', () => {
    const k0sConfig: any = { network: { provider: 'calico' }, images: { default_pull_policy: Lazy.any({ produce: () => 'Never' }) } };
    const etcd: any = { size: '2Gi' };
    const tenant = new K0smotronTenant(standalone({ k0sConfig, storage: K0smotronStorage.etcd(etcd) }));
    k0sConfig.network.nodeLocalLoadBalancing = { enabled: true };
    k0sConfig.network.provider = 'kuberouter';
    etcd.size = '1Ti';
    const spec = tenant.spec();
    expect(spec.k0sConfig.spec.network).toEqual({
      provider: 'calico', podCIDR: '10.244.0.0/16', serviceCIDR: '10.96.0.0/16', clusterDomain: 'cluster.local',
    });
    expect(spec.k0sConfig.spec.images).toEqual({ default_pull_policy: 'Never' });
    expect(spec.storage.etcd.persistence.size).toBe('2Gi');
  });

  test('has no route of this library, as k0smotron makes an Ingress with both hosts', () => {
    expect(new K0smotronTenant(standalone()).controlPlane.routeObjects).toEqual([]);
  });

  test('keeps fields that users patch in, also unknown ones', () => {
    const tenant = new K0smotronTenant(standalone());
    tenant.controlPlane.platformObject.addJsonPatch(JsonPatch.add('/spec/mounts', [{ path: '/etc/audit', configMap: { name: 'audit' } }]));
    expect(tenant.spec().mounts).toEqual([{ path: '/etc/audit', configMap: { name: 'audit' } }]);
  });

  test('takes the names of its Service, its Secrets and its host from the exposure', () => {
    const { exposure } = new K0smotronTenant(standalone(), { hostname: undefined, konnectivity: {}, domain: 'example.com' }).controlPlane;
    expect(exposure.routes).toEqual([
      expect.objectContaining({ hostname: 'tenant-01.k8s.example.com', serviceName: 'kmc-tenant-01', servicePort: 30443 }),
      expect.objectContaining({ hostname: 'tenant-01.konnectivity.example.com', serviceName: 'kmc-tenant-01', servicePort: 30132 }),
    ]);
    expect(exposure.cniValues).toEqual({ k8sServiceHost: 'tenant-01.k8s.example.com', k8sServicePort: '443' });
    expect(exposure.apiServerEnv).toEqual({ KUBERNETES_SERVICE_HOST: 'tenant-01.k8s.example.com', KUBERNETES_SERVICE_PORT: '443' });
  });
});

describe('the fields that differ between v1beta1 and v1beta2', () => {
  const props: K0smotronClusterProps = {
    controlPlaneFlags: ['--enable-metrics-scraper'],
    storage: K0smotronStorage.etcd({
      size: '2Gi',
      storageClassName: 'fast',
      autoDeletePvcs: true,
      args: ['--quota-backend-bytes=1'],
      defragSchedule: '0 3 * * *',
      resources: { requests: { memory: k8s.Quantity.fromString('64Mi') } },
    }),
  };
  const etcd = {
    persistence: { size: '2Gi', storageClass: 'fast' },
    autoDeletePVCs: true,
    args: ['--quota-backend-bytes=1'],
    defragJob: { enabled: true, schedule: '0 3 * * *' },
    resources: { requests: { memory: '64Mi' } },
  };

  test('are those of v1beta2 by default', () => {
    const spec = new K0smotronTenant(standalone(props)).spec();
    expect(spec).toMatchObject({ controlPlaneFlags: ['--enable-metrics-scraper'], storage: { type: 'etcd', etcd } });
    expect(spec).not.toHaveProperty('controllerPlaneFlags');
    expect(spec).not.toHaveProperty('etcd');
  });

  test('are those of v1beta1 on request', () => {
    const spec = new K0smotronTenant(standalone({ ...props, ...V1BETA1 })).spec();
    expect(spec).toMatchObject({ controllerPlaneFlags: ['--enable-metrics-scraper'], etcd });
    expect(spec).not.toHaveProperty('controlPlaneFlags');
    expect(spec).not.toHaveProperty('storage');
  });

  test('name the Secret of kine', () => {
    const kine = { storage: K0smotronStorage.kine('database') };
    expect(new K0smotronTenant(standalone(kine)).spec().storage).toEqual({ type: 'kine', kine: { dataSourceSecretName: 'database' } });
    expect(new K0smotronTenant(standalone({ ...kine, ...V1BETA1 })).spec()).toMatchObject({ kineDataSourceSecretName: 'database' });
  });

  test('have NATS and patches in v1beta2 alone', () => {
    const nats = { storage: K0smotronStorage.nats({ size: '3Gi' }) };
    expect(new K0smotronTenant(standalone(nats)).spec().storage).toEqual({ type: 'nats', nats: { persistence: { size: '3Gi' } } });
    expect(() => standalone({ ...nats, ...V1BETA1 })).toThrow(
      new Error('ControlPlanePlatform.k0smotron: storage: "nats" has no field in k0smotron\'s v1beta1. Use K0smotronApiVersion.V1BETA2.'));

    const patch = { kind: 'StatefulSet', component: 'control-plane', type: K0smotronPatchType.STRATEGIC, content: { metadata: { labels: { a: 'b' } } } };
    expect(new K0smotronTenant(standalone({ patches: [patch] })).spec().patches).toEqual([{
      target: { kind: 'StatefulSet', component: 'control-plane' }, patch: { type: 'strategic', content: '{"metadata":{"labels":{"a":"b"}}}' },
    }]);
    expect(() => standalone({ patches: [patch], ...V1BETA1 })).toThrow(/patches: .* has no field in k0smotron's v1beta1/);
  });

  test.each(VERSIONS)('are all accepted together with the others by %s', apiVersion => {
    const spec = new K0smotronTenant(standalone({
      ...props,
      apiVersion,
      replicas: 3,
      image: 'images.example.com/k0s',
      serviceAccountName: 'tenant',
      persistence: K0smotronPersistence.persistentVolume({ size: '1Gi', storageClassName: 'fast', autoDeletePvcs: true }),
      certificateRefs: [{ type: K0smotronCertificate.CA, secretName: 'my-ca' }],
      manifests: [{ name: 'addons', configMapName: 'addons' }, { name: 'secrets', secretName: 'credentials' }],
      resources: { limits: { memory: k8s.Quantity.fromString('1Gi') } },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { a: 'b' } } }],
      externalAddress: 'elsewhere.example.com',
      k0sConfig: { network: { provider: 'calico' }, api: { extraArgs: { 'anonymous-auth': 'true' } }, telemetry: { enabled: false } },
    })).spec();
    expect(spec).toMatchObject({
      replicas: 3,
      image: 'images.example.com/k0s',
      serviceAccount: 'tenant',
      externalAddress: 'elsewhere.example.com',
      certificateRefs: [{ type: 'ca', name: 'my-ca' }],
      manifests: [{ name: 'addons', configMap: { name: 'addons' } }, { name: 'secrets', secret: { secretName: 'credentials' } }],
      persistence: {
        type: 'pvc',
        autoDeletePVCs: true,
        persistentVolumeClaim: { spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '1Gi' } } } },
      },
    });
    expect(spec.k0sConfig.spec).toMatchObject({
      network: { provider: 'calico', podCIDR: '10.244.0.0/16' },
      api: { extraArgs: { 'anonymous-auth': 'true' } },
      telemetry: { enabled: false },
    });
  });

  test('keep other kinds of persistence apart', () => {
    expect(new K0smotronTenant(standalone({ persistence: K0smotronPersistence.hostPath('/data') })).spec().persistence).toEqual({ type: 'hostPath', hostPath: '/data' });
    expect(new K0smotronTenant(standalone({ persistence: K0smotronPersistence.emptyDir() })).spec().persistence).toEqual({ type: 'emptyDir' });
    expect(() => K0smotronPersistence.hostPath('data')).toThrow('persistence.hostPath: "data" is not an absolute path');
  });
});

describe('a K0smotronControlPlane', () => {
  test.each(VERSIONS)('has the spec of a Cluster without an address of its own, in %s', apiVersion => {
    const { spec: { externalAddress, ...cluster } } = new K0smotronTenant(standalone({ apiVersion })).resource();
    const resource = new K0smotronTenant(ControlPlanePlatform.k0smotronControlPlane({ apiVersion })).resource();
    expect(resource).toMatchObject({
      apiVersion: `controlplane.cluster.x-k8s.io/${apiVersion}`, kind: 'K0smotronControlPlane', metadata: { name: 'tenant-01-cp', namespace: 'tenants' },
    });
    expect(resource.spec).toEqual(cluster);
    expect(externalAddress).toBe('kube-api.example.com');
  });

  test('has routes to the Service that is called after the Cluster API Cluster, whatever its own name is', () => {
    const tenant = new K0smotronTenant(ControlPlanePlatform.k0smotronControlPlane({ controlPlaneName: 'other' }));
    expect(tenant.resource().metadata.name).toBe('other');
    expect(tenant.controlPlane.routes.map(route => route.serviceName)).toEqual(['kmc-tenant-01', 'kmc-tenant-01']);
  });
});

describe('the routes', () => {
  test('are k0smotron\'s Ingress exactly for controllers that pass TLS through for an annotation', () => {
    const cases: [IngressController, boolean][] = [
      [IngressController.haproxy(), true],
      [IngressController.haproxyIngress(), true],
      [IngressController.ingressNginx(), true],
      [IngressController.cilium(), true],
      [IngressController.generic({ ingressClassName: 'own', annotations: { 'own.example.com/passthrough': 'yes' } }), true],
      [IngressController.generic({ ingressClassName: 'own' }), false],
      [IngressController.traefik(), false],
      [IngressController.f5Nginx(), false],
      [IngressController.contour(), false],
      [IngressController.istio(), false],
      [IngressController.openshift(), false],
      [IngressController.gatewayApi({ gateway: { name: 'shared', namespace: 'ingress' } }), false],
    ];
    for (const [controller, deploys] of cases) {
      const tenant = new K0smotronTenant(standalone(), { controller });
      const { ingress } = tenant.spec();
      expect([controller.type, ingress.deploy]).toEqual([controller.type, deploys]);
      expect(ingress.className).toBe(deploys ? controller.ingressClassName : undefined);
      expect(ingress.annotations).toEqual(deploys ? controller.ingressAnnotations : undefined);
      expect(tenant.controlPlane.routeObjects).toHaveLength(deploys ? 0 : 2);
    }
  });

  test.each([['ownRoutes', { ownRoutes: true }], ['allowedCidrs', { allowedCidrs: ['192.0.2.0/24'] }]])('are this library\'s with %s', (_, props) => {
    const tenant = new K0smotronTenant(standalone(), props);
    expect(tenant.spec().ingress).toEqual({ deploy: false, apiHost: HOSTS.hostname, konnectivityHost: HOSTS.konnectivity.hostname, port: 443 });
    expect(tenant.controlPlane.routeObjects.map(object => object.toJson().spec.rules[0].http.paths[0].backend.service)).toEqual([
      { name: 'kmc-tenant-01', port: { number: 30443 } },
      { name: 'kmc-tenant-01', port: { number: 30132 } },
    ]);
  });

  test.each([
    [K0smotronServiceType.CLUSTER_IP, 'kmc-tenant-01'],
    [K0smotronServiceType.NODE_PORT, 'kmc-tenant-01-nodeport'],
    [K0smotronServiceType.LOAD_BALANCER, 'kmc-tenant-01-lb'],
  ])('lead to the Service of type %s: %s', (serviceType, name) => {
    expect(new K0smotronTenant(standalone({ serviceType })).controlPlane.routes[0].serviceName).toBe(name);
  });
});

describe('long names', () => {
  test('are shortened to what k0smotron\'s own test expects', () => {
    expect(k0smotronServiceName('prometheus-dk-enc-nodes-basic-sep17-v5-lg5hz-njttw-config-nginx', K0smotronServiceType.CLUSTER_IP))
      .toBe('kmc-prometheus-dk-enc-nodes-basic-sep17-v5-lg5hz-njttw-co-c79c4');
  });

  test('are shortened as k0smotron does, so that routes meet its Service', () => {
    const tenant = new K0smotronTenant(standalone(), { name: LONG_NAME, controller: IngressController.traefik() });
    const expected = 'kmc-a-name-of-sixty-three-characters-which-is-as-long-as--8d613';
    expect(expected).toHaveLength(63);
    expect(tenant.controlPlane.routes[0].serviceName).toBe(expected);
    expect(tenant.controlPlane.routeObjects[0].toJson().spec.routes[0].services[0].name).toBe(expected);
    expect(tenant.resource().metadata.name).toBe(LONG_NAME);
  });

  test('stay apart when they differ at the end alone', () => {
    const services = ['x', 'y'].map(end => new K0smotronTenant(standalone(), { name: `${LONG_NAME.slice(0, 62)}${end}` }).controlPlane.routes[0].serviceName);
    expect(new Set(services).size).toBe(2);
  });

  test('are warned of when Kubernetes would not run their StatefulSets', () => {
    const warnings = (name: string, props?: K0smotronClusterProps) => new K0smotronTenant(standalone(props), { name }).warnings();
    expect(warnings('a'.repeat(43))).toEqual([]);
    expect(warnings('a'.repeat(44))).toEqual([expect.stringMatching(/^name: "a{44}" makes k0smotron name StatefulSets "kmc-a{44}-etcd"; Kubernetes creates no pods/)]);
    expect(warnings('a'.repeat(44), { storage: K0smotronStorage.kine('database') })).toEqual([]);
    expect(warnings('a'.repeat(49), { storage: K0smotronStorage.kine('database') })).toHaveLength(1);
  });
});

describe('versions of Kubernetes', () => {
  test('are taken up to the newest that was read, and warned of from there on', () => {
    const warnings = (kubernetesVersion: string, props?: K0smotronClusterProps) =>
      new K0smotronTenant(standalone(props), { kubernetesVersion }).warnings();
    expect(warnings('1.36.2')).toEqual([]);
    expect(warnings('1.37.0')).toEqual([expect.stringMatching(/^kubernetesVersion: "1.37.0" is a version of .* that nobody read; the newest that was read is 1\.36 /)]);
    expect(warnings('1.37.0+k0s.1', { newestKubernetesVersion: '1.37' })).toEqual([]);
  });
});

describe('a TcpProxyAddon', () => {
  function withAddon(props: K0smotronClusterProps, endpoints: TcpProxyEndpoints) {
    const tenant = new K0smotronTenant(standalone(props));
    const addon = new TcpProxyAddon(new Chart(tenant.app, 'tenant-01'), 'tcp-proxy', {
      controlPlane: tenant.controlPlane,
      endpoints,
      placement: TcpProxyPlacement.everyNode(),
      namespace: 'default',
    });
    return { tenant, addon };
  }

  test.each([
    ['owns the endpoints', TcpProxyEndpoints.owned()],
    ['is selected by the Service kubernetes', TcpProxyEndpoints.kubernetesService()],
  ])('takes k0smotron\'s own proxy out of the tenant when it %s', (_, endpoints) => {
    const [patch, ...others] = withAddon({}, endpoints).tenant.spec().patches;
    expect(others).toEqual([]);
    expect(patch.target).toEqual({ kind: 'ConfigMap', component: 'ingress' });
    expect(patch.patch.type).toBe('merge');
    expect(JSON.parse(patch.patch.content)).toEqual({
      data: { '1_haproxy-configmap.yaml': null, '2_haproxy-ds.yaml': null, '3_kube-service.yaml': null },
    });
  });

  test('may ask the API server for its health, which k0s forbids by default', () => {
    const extraArgs = (props: K0smotronClusterProps) => withAddon(props, TcpProxyEndpoints.owned()).tenant.spec().k0sConfig.spec.api.extraArgs;
    expect(extraArgs({})).toEqual({ 'anonymous-auth': 'true' });
    expect(extraArgs({ k0sConfig: { api: { extraArgs: { 'audit-log-path': '-' } } } })).toEqual({ 'anonymous-auth': 'true', 'audit-log-path': '-' });
    expect(new K0smotronTenant(standalone()).spec().k0sConfig.spec).not.toHaveProperty('api');
    expect(() => extraArgs({ k0sConfig: { api: { extraArgs: { 'anonymous-auth': 'false' } } } })).toThrow(
      /k0sConfig.api.extraArgs.anonymous-auth: "false" keeps the TcpProxyAddon from asking the API server for its health. Leave it out/);
  });

  test('has its patch before those of the user, which may undo it', () => {
    const own = { kind: 'Ingress', component: 'ingress', type: K0smotronPatchType.JSON, content: [] };
    expect(withAddon({ patches: [own] }, TcpProxyEndpoints.owned()).tenant.spec().patches.map((patch: any) => patch.target.kind)).toEqual(['ConfigMap', 'Ingress']);
  });

  test('is refused in v1beta1, which cannot take k0smotron\'s own proxy out', () => {
    expect(() => withAddon(V1BETA1, TcpProxyEndpoints.owned()).tenant.app.synthYaml()).toThrow(
      /apiVersion: "v1beta1" has no patches to take out k0smotron's own tcp-proxy.*Use K0smotronApiVersion.V1BETA2, or leave the TcpProxyAddon out\./);
  });

  test('is refused with an address that the API server would have to publish', () => {
    const { controlPlane, app } = new K0smotronTenant(standalone());
    const endpoints = TcpProxyEndpoints.fixedAddress({ addresses: ['100.64.30.10'] });
    // Before it is told which ports would do with such an address.
    expect(() => new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { controlPlane, endpoints })).toThrow(
      'endpoints: "100.64.30.10" would have to be published by the API server, whose endpoint reconciler k0smotron turns off. Choose ' +
      'TcpProxyEndpoints.owned(), ownedAdvertiseAddress() or kubernetesService().');
  });
});

describe('a join token', () => {
  test.each([
    [K0smotronApiVersion.V1BETA2, { clusterName: 'tenant-01' }],
    [K0smotronApiVersion.V1BETA1, { clusterRef: { name: 'tenant-01', namespace: 'tenants' } }],
  ])('is requested for workers of the Cluster, for a day, in %s', (apiVersion, cluster) => {
    const { chart, controlPlane } = new K0smotronTenant(standalone());
    const token = new K0smotronJoinToken(chart, 'token', { controlPlane, apiVersion });
    expect(token.secretName).toBe('tenant-01-worker-token');
    expect(token.request.toJson()).toEqual({
      apiVersion: `k0smotron.io/${apiVersion}`,
      kind: 'JoinTokenRequest',
      metadata: { name: 'tenant-01-worker-token', namespace: 'tenants' },
      spec: { ...cluster, expiry: '24h', role: 'worker' },
    });
  });

  test('has the version of the API that the Cluster has, unless another is given', () => {
    const { chart, controlPlane } = new K0smotronTenant(standalone(V1BETA1));
    expect(new K0smotronJoinToken(chart, 'token', { controlPlane }).request.apiVersion).toBe('k0smotron.io/v1beta1');
    expect(new K0smotronJoinToken(chart, 'newer', { controlPlane, name: 'newer', apiVersion: K0smotronApiVersion.V1BETA2 }).request.apiVersion)
      .toBe('k0smotron.io/v1beta2');
  });

  test.each([
    ['Kamaji', ControlPlanePlatform.kamaji(), 'controlPlane: "management/tenant-01 of kamaji" is not a k0smotron Cluster'],
    ['Cluster API', ControlPlanePlatform.k0smotronControlPlane(), 'controlPlane: "management/tenant-01 of k0smotron-control-plane" is not a k0smotron Cluster'],
  ])('is refused for a control plane of %s', (_, platform, message) => {
    const { chart, controlPlane } = new K0smotronTenant(platform);
    expect(() => new K0smotronJoinToken(chart, 'token', { controlPlane })).toThrow(message);
  });

  test('is refused for a duration that is none', () => {
    const { chart, controlPlane } = new K0smotronTenant(standalone());
    expect(() => new K0smotronJoinToken(chart, 'token', { controlPlane, expiry: '1 day' })).toThrow('expiry: "1 day" is not a duration');
  });
});
