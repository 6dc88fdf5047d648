import { Chart, JsonPatch } from 'cdk8s';
import { ALL_V1BETA1, ALL_V1BETA2, HetznerTenant } from './harness';
import { HetznerAccess, HetznerNetworkZone, HetznerRegion, IngressController, K0sNetworkProvider, K0smotronApiVersion, TcpProxyAddon } from '../../../src';

const ingress = (controller: IngressController) => HetznerAccess.ingress({ controller, domain: 'example.com' });
const LONG_NAME = 'a-name-of-sixty-three-characters-which-is-as-long-as-can-be-abc';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('the cluster of the Hetzner page', () => {
  test.each([['v1beta1', ALL_V1BETA1], ['v1beta2', ALL_V1BETA2]])('consists of valid objects in %s', (_, versions) => {
    expect(new HetznerTenant(versions).synth()).toMatchSnapshot();
  });

  test('needs no object of this library for its routes, as k0smotron makes an Ingress', () => {
    expect(new HetznerTenant().synth().map(manifest => manifest.kind).sort()).toEqual([
      'Cluster', 'HCloudMachineTemplate', 'HetznerCluster', 'K0sWorkerConfigTemplate', 'K0smotronControlPlane', 'MachineDeployment',
    ]);
  });

  test('refers to objects that are there, by version in v1beta1 and by group in v1beta2', () => {
    for (const versions of [ALL_V1BETA1, ALL_V1BETA2]) {
      const manifests = new HetznerTenant(versions).synth();
      const [cluster, deployment] = ['Cluster', 'MachineDeployment'].map(kind => manifests.find(manifest => manifest.kind === kind));
      const { bootstrap, infrastructureRef } = deployment.spec.template.spec;
      for (const reference of [cluster.spec.controlPlaneRef, cluster.spec.infrastructureRef, bootstrap.configRef, infrastructureRef]) {
        const target = manifests.find(({ kind, metadata }) => kind === reference.kind && metadata.name === reference.name);
        const api = versions === ALL_V1BETA1 ? { apiVersion: target.apiVersion } : { apiGroup: target.apiVersion.split('/')[0] };
        expect(reference).toEqual({ kind: target.kind, name: target.metadata.name, ...api });
      }
    }
  });

  test('has the versions that each part needs: with k0s\' suffix for k0s, without for Cluster API', () => {
    const tenant = new HetznerTenant({ k0sVersion: '1.34.3-k0s.1' });
    expect(tenant.one('K0smotronControlPlane').spec.version).toBe('v1.34.3+k0s.1');
    expect(tenant.one('K0sWorkerConfigTemplate').spec.template.spec.version).toBe('v1.34.3+k0s.1');
    expect(tenant.one('MachineDeployment').spec.template.spec.version).toBe('v1.34.3');
  });

  test('keeps fields that users patch in, also unknown ones', () => {
    const tenant = new HetznerTenant();
    tenant.cluster.hetznerCluster.addJsonPatch(JsonPatch.add('/spec/skipCreatingHetznerSecretInWorkloadCluster', true));
    expect(tenant.one('HetznerCluster').spec.skipCreatingHetznerSecretInWorkloadCluster).toBe(true);
  });
});

describe('the access by ingress', () => {
  test('has one endpoint everywhere: infrastructure, Cluster and ingress', () => {
    const tenant = new HetznerTenant({ access: HetznerAccess.ingress({ controller: IngressController.haproxy({ port: 8443 }), domain: 'example.com', port: 8443 }) });
    const endpoint = { host: 'cluster01.k8s.example.com', port: 8443 };
    expect(tenant.one('HetznerCluster').spec.controlPlaneEndpoint).toEqual(endpoint);
    expect(tenant.one('Cluster').spec.controlPlaneEndpoint).toEqual(endpoint);
    expect(tenant.one('K0smotronControlPlane').spec.ingress).toMatchObject({ apiHost: endpoint.host, port: 8443, konnectivityHost: 'cluster01.konnectivity.example.com' });
    expect(tenant.cluster.apiEndpoint).toMatchObject(endpoint);
  });

  test('has routes of this library for controllers that do not pass TLS through for an Ingress', () => {
    const tenant = new HetznerTenant({ access: ingress(IngressController.traefik()) });
    expect(tenant.one('K0smotronControlPlane').spec.ingress.deploy).toBe(false);
    expect(tenant.synth().filter(({ kind }) => kind === 'IngressRouteTCP').map(({ spec }) => spec.routes[0].services[0])).toEqual([
      expect.objectContaining({ name: 'kmc-cluster01', port: 30443 }), expect.objectContaining({ name: 'kmc-cluster01', port: 30132 }),
    ]);
  });

  test('has the names of the certificate that were asked for, and lets only the networks in that were', () => {
    const tenant = new HetznerTenant({
      access: HetznerAccess.ingress({
        controller: IngressController.haproxy(), domain: 'example.com', certSans: ['api.internal.example.com'], allowedCidrs: ['192.0.2.0/24'],
      }),
    });
    expect(tenant.one('K0smotronControlPlane').spec.k0sConfig.spec.api.sans).toContain('api.internal.example.com');
    expect(tenant.synth().filter(({ kind }) => kind === 'Ingress').map(({ metadata }) => metadata.annotations['haproxy.org/allow-list'])).toEqual([
      '192.0.2.0/24', '192.0.2.0/24',
    ]);
  });

  test('gives values to what must reach the API server before any Service works', () => {
    const { cluster } = new HetznerTenant({ access: ingress(IngressController.haproxy()) });
    expect(cluster.ciliumValues).toEqual({
      k8sServiceHost: 'cluster01.k8s.example.com',
      k8sServicePort: '443',
      operator: { hostNetwork: true, tolerations: [{ operator: 'Exists' }] },
    });
    expect(cluster.cloudControllerManagerValues).toEqual({
      env: { KUBERNETES_SERVICE_HOST: { value: 'cluster01.k8s.example.com' }, KUBERNETES_SERVICE_PORT: { value: '443' } },
      additionalTolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoSchedule' },
      ],
    });
  });

  test('works with a TcpProxyAddon in place of k0smotron\'s own', () => {
    const tenant = new HetznerTenant();
    new TcpProxyAddon(new Chart(tenant.app, 'cluster01'), 'tcp-proxy', { controlPlane: tenant.cluster.controlPlane });
    expect(tenant.one('K0smotronControlPlane').spec.patches).toEqual([expect.objectContaining({ target: { kind: 'ConfigMap', component: 'ingress' } })]);
  });
});

describe('the access by load balancer', () => {
  const access = HetznerAccess.loadBalancer();

  test('has a Service with the location of the cluster, by patch in v1beta2', () => {
    const { service, patches, ingress: none, externalAddress } = new HetznerTenant({ access }).one('K0smotronControlPlane').spec;
    expect(service).toEqual({ type: 'LoadBalancer', apiPort: 6443, konnectivityPort: 8132 });
    expect(patches).toEqual([{
      target: { kind: 'Service', component: 'control-plane' },
      patch: { type: 'merge', content: '{"metadata":{"annotations":{"load-balancer.hetzner.cloud/location":"nbg1"}}}' },
    }]);
    expect([none, externalAddress]).toEqual([undefined, undefined]);
  });

  test('has a Service with the location that was asked for, by field in v1beta1', () => {
    const { service } = new HetznerTenant({ ...ALL_V1BETA1, access: HetznerAccess.loadBalancer({ location: HetznerRegion.FSN1 }) }).one('K0smotronControlPlane').spec;
    expect(service).toMatchObject({ type: 'LoadBalancer', annotations: { 'load-balancer.hetzner.cloud/location': 'fsn1' } });
  });

  test('has no endpoint, not even a placeholder: k0smotron fills it in', () => {
    const tenant = new HetznerTenant({ access });
    const { metadata, spec } = tenant.one('HetznerCluster');
    expect(spec).not.toHaveProperty('controlPlaneEndpoint');
    expect(metadata.annotations).toEqual({ 'capi.syself.com/allow-empty-control-plane-address': 'true' });
    expect(tenant.one('Cluster').spec).not.toHaveProperty('controlPlaneEndpoint');
    expect(() => tenant.cluster.ciliumValues).toThrow('has an address that is not known before it exists');
  });

  test('works with versions of k0s that cannot be exposed by host name', () => {
    expect(new HetznerTenant({ access, k0sVersion: '1.30.4' }).one('K0smotronControlPlane').spec.version).toBe('v1.30.4+k0s.0');
  });

  test('does not see changes to the user\'s k0s configuration, which was checked before them', () => {
    const k0sConfig: any = { images: { default_pull_policy: 'Never' } };
    const tenant = new HetznerTenant({ access: HetznerAccess.loadBalancer(), controlPlane: { k0sConfig } });
    k0sConfig.images.default_pull_policy = 'Always';
    expect(tenant.one('K0smotronControlPlane').spec.k0sConfig.spec.images).toEqual({ default_pull_policy: 'Never' });
  });
});

describe('the access by node port', () => {
  const access = HetznerAccess.nodePort({ host: '203.0.113.20' });

  test('has the address of the nodes as endpoint, with the port of the Service', () => {
    const tenant = new HetznerTenant({ access, controlPlane: { apiPort: 31443, konnectivityPort: 31132 } });
    const { service, externalAddress } = tenant.one('K0smotronControlPlane').spec;
    expect(service).toEqual({ type: 'NodePort', apiPort: 31443, konnectivityPort: 31132 });
    expect(externalAddress).toBe('203.0.113.20');
    expect(tenant.one('HetznerCluster').spec.controlPlaneEndpoint).toEqual({ host: '203.0.113.20', port: 31443 });
    expect(tenant.cluster.ciliumValues).toMatchObject({ k8sServiceHost: '203.0.113.20', k8sServicePort: '31443' });
    expect(tenant.warnings()).toEqual([]);
  });

  test('refuses two clusters on the same ports', () => {
    const tenant = new HetznerTenant({ access });
    new (tenant.cluster.constructor as any)(tenant.chart, 'cluster02', { ...(tenant.cluster as any).props });
    expect(() => tenant.app.synthYaml()).toThrow(
      /node port in cluster "management": "30443" is used by both management\/cluster01\/control-plane and management\/cluster02\/control-plane. Give each control plane its own/);
  });

  test('is warned of with ports outside of the range of node ports', () => {
    expect(new HetznerTenant({ access, controlPlane: { apiPort: 6443 } }).warnings()).toEqual([expect.stringMatching(/^apiPort: 6443 is also the node port/)]);
  });
});

describe('what is left to k0smotron', () => {
  test('is marked, and kept by Helm until the servers are gone', () => {
    expect(new HetznerTenant({ managedByK0smotron: true, privateNetwork: undefined }).one('HetznerCluster').metadata.annotations).toEqual({
      'cluster.x-k8s.io/managed-by': 'k0smotron', 'helm.sh/resource-policy': 'keep',
    });
  });
});

describe('long names', () => {
  test('fit into labels and stay apart', () => {
    const tenant = new HetznerTenant({ name: LONG_NAME });
    tenant.cluster.addWorkerPool('worker2', { type: 'cpx22' });
    const names = tenant.synth().filter(({ kind }) => kind === 'MachineDeployment').map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(2);
    names.forEach(name => expect(name.length).toBeLessThanOrEqual(63));
    expect(tenant.one('K0smotronControlPlane').metadata.name.length).toBeLessThanOrEqual(63);
    expect(tenant.cluster.exposure!.routes[0].serviceName).toHaveLength(63);
  });
});

describe('wrong input', () => {
  const tenant = (props: ConstructorParameters<typeof HetznerTenant>[0]) => () => new HetznerTenant(props);

  test.each<[string, () => unknown, string]>([
    ['an old k0s behind an ingress', tenant({ k0sVersion: '1.33.5' }), 'k0sVersion: "v1.33.5+k0s.0" is older than 1.33.6'],
    ['no version of k0s', tenant({ k0sVersion: 'latest' }), 'k0sVersion: "latest" is not a version of k0s'],
    ['a port in the host', () => HetznerAccess.nodePort({ host: '203.0.113.20:30443' }), 'access.host: "203.0.113.20:30443" carries a port'],
    ['a subnet outside of the network', tenant({ privateNetwork: { cidr: '10.0.0.0/16', subnetCidr: '10.1.0.0/24' } }),
      'privateNetwork.subnetCidr: "10.1.0.0/24" does not lie in the network 10.0.0.0/16'],
    ['a subnet larger than the network', tenant({ privateNetwork: { cidr: '10.0.0.0/24', subnetCidr: '10.0.0.0/16' } }), 'does not lie in the network'],
    ['a zone that does not reach the region', tenant({ privateNetwork: { zone: HetznerNetworkZone.US_EAST } }),
      'privateNetwork.zone: "us-east" does not reach the region nbg1, which lies in eu-central'],
    ['a private network over the pods', tenant({ privateNetwork: { cidr: '10.244.0.0/16', subnetCidr: '10.244.0.0/24' } }),
      'privateNetwork.cidr: "10.244.0.0/16" overlaps with network.podCidrs 10.244.0.0/16'],
    ['a private network that nobody makes', tenant({ managedByK0smotron: true }), 'privateNetwork: "10.0.0.0/16" would not be made'],
    ['a placement group that nobody makes', tenant({ managedByK0smotron: true, privateNetwork: undefined, workers: { type: 'cpx22', placementGroup: 'spread' } }),
      'workers.placementGroup: "spread" would not be made'],
    ['IPv6', tenant({ network: { serviceCidrs: ['fd00::/112'], podCidrs: ['fd00:1::/64'] } }), 'network.serviceCidrs: ["fd00::/112"] does not work'],
    ['a network provider given twice', tenant({ controlPlane: { k0sConfig: { network: { provider: 'calico' } } } }),
      'controlPlane.k0sConfig.network.provider: "calico" is set a second time. Use "networkProvider"'],
    ['equal ports of a direct access', tenant({ access: HetznerAccess.loadBalancer(), controlPlane: { apiPort: 8132 } }), 'konnectivityPort: 8132 is also the apiPort'],
    ['patches in v1beta1', tenant({ controlPlane: { apiVersion: K0smotronApiVersion.V1BETA1, patches: [] } }), 'patches: [] has no field in k0smotron\'s v1beta1'],
    ['a name that is no label', tenant({ name: '1cluster' }), 'name: "1cluster" is not a valid name'],
  ])('is an error: %s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test('is an error when two clusters have one name', () => {
    const first = new HetznerTenant();
    new (first.cluster.constructor as any)(new Chart(first.app, 'other'), 'cluster01', { ...(first.cluster as any).props, access: ingress(IngressController.haproxy()) });
    expect(() => first.app.synthYaml()).toThrow(/cluster: \d+ names are used more than once in a cluster, by both management and other/);
  });

  test('is not: another CNI', () => {
    const tenantOf = (networkProvider?: K0sNetworkProvider) => new HetznerTenant({ networkProvider }).one('K0smotronControlPlane').spec.k0sConfig.spec.network.provider;
    expect([tenantOf(), tenantOf(K0sNetworkProvider.CALICO)]).toEqual(['custom', 'calico']);
  });
});
