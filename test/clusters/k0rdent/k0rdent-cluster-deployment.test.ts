import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, HetznerAccess, IngressController, IngressExposedControlPlane, K0rdentClusterDeployment, K0rdentClusterDeploymentProps,
  K0rdentConfig, K0rdentHostedHetznerProps, SharedIngressGateway, Warnings,
} from '../../../src';
import { expectValid } from '../../support/schemas';
import { HetznerTenant, PAGE_CLUSTER } from '../hetzner/harness';

const TEMPLATE = 'hetzner-hosted-cp-1-2-0';
/** What the chart has no value for by itself, and makes no cluster without. */
const NEEDED = { region: 'nbg1', sshKeyNames: ['ops@example'] };
const hostedHetzner = (props: Partial<K0rdentHostedHetznerProps> = {}) => K0rdentConfig.hostedHetzner({ ...PAGE_CLUSTER, ...props });

function deploy(props: Partial<K0rdentClusterDeploymentProps> = {}) {
  const chart = new Chart(new App(), 'management');
  const deployment = new K0rdentClusterDeployment(chart, 'cluster01', {
    template: TEMPLATE, credential: 'hcloud-cluster-provisioning', config: hostedHetzner(), ...props,
  });
  const manifest = deployment.clusterDeployment.toJson();
  expectValid(manifest);
  return { chart, deployment, manifest, config: manifest.spec.config };
}

describe('the ClusterDeployment of the Hetzner page', () => {
  test('is that of the page', () => {
    expect(deploy().manifest).toEqual({
      apiVersion: 'k0rdent.mirantis.com/v1beta1',
      kind: 'ClusterDeployment',
      metadata: { name: 'cluster01', namespace: 'kcm-system' },
      spec: {
        template: 'hetzner-hosted-cp-1-2-0',
        credential: 'hcloud-cluster-provisioning',
        config: {
          workersNumber: 2,
          controlPlane: {
            replicas: 1,
            service: { type: 'ClusterIP' },
            ingress: { apiHost: 'api.cluster01.k0s.example.com', konnectivityHost: 'konnectivity.cluster01.k0s.example.com' },
          },
          region: 'nbg1',
          sshKeyNames: ['ops@example'],
          tokenRef: { name: 'hcloud-cluster-provisioning-token', key: 'HCLOUD_TOKEN' },
          hcloudNetwork: { enabled: true, cidrBlock: '10.0.0.0/16', subnetCidrBlock: '10.0.0.0/24', networkZone: 'eu-central' },
          worker: { image: 'ubuntu-24.04', type: 'cpx22' },
          k0s: { version: 'v1.34.3+k0s.0', network: { provider: 'custom' } },
        },
      },
    });
  });

  test('describes the same cluster as the objects of Cluster API that a HetznerHostedCluster composes', () => {
    const { config, deployment } = deploy();
    const tenant = new HetznerTenant();
    const [hetzner, controlPlane, cluster] = ['HetznerCluster', 'K0smotronControlPlane', 'Cluster'].map(kind => tenant.one(kind).spec);
    const machines = tenant.one('MachineDeployment').spec;
    const machine = tenant.one('HCloudMachineTemplate').spec.template.spec;

    // Endpoint and hosts. The chart writes the port 443, this class and this annotation into what it makes.
    expect(hetzner.controlPlaneEndpoint).toEqual({ host: config.controlPlane.ingress.apiHost, port: 443 });
    expect(cluster.controlPlaneEndpoint).toEqual(hetzner.controlPlaneEndpoint);
    expect(controlPlane.ingress).toEqual({
      ...config.controlPlane.ingress, deploy: true, port: 443, className: 'haproxy', annotations: { 'haproxy.org/ssl-passthrough': 'true' },
    });
    expect(deployment.exposure!.routes).toEqual(tenant.cluster.exposure!.routes);
    expect(controlPlane.service.type).toBe(config.controlPlane.service.type);
    expect(controlPlane.version).toBe(config.k0s.version);
    expect(controlPlane.k0sConfig.spec.network.provider).toBe(config.k0s.network.provider);

    // Workers.
    expect(machines.replicas).toBe(config.workersNumber);
    expect(machines.template.spec.failureDomain).toBe(config.region);
    expect(machine).toEqual({ type: config.worker.type, imageName: config.worker.image });
    expect(tenant.one('K0sWorkerConfigTemplate').spec.template.spec.version).toBe(config.k0s.version);

    // Hetzner: network, keys, token. The chart's default for the cluster's network is this one.
    expect(hetzner.hcloudNetwork).toEqual(config.hcloudNetwork);
    expect(hetzner.controlPlaneRegions).toEqual([config.region]);
    expect(hetzner.sshKeys.hcloud.map((key: any) => key.name)).toEqual(config.sshKeyNames);
    expect(hetzner.hetznerSecretRef).toEqual({ name: config.tokenRef.name, key: { hcloudToken: config.tokenRef.key } });
    expect(config).not.toHaveProperty('clusterNetwork');
    expect(cluster.clusterNetwork).toMatchObject({ pods: { cidrBlocks: ['10.244.0.0/16'] }, services: { cidrBlocks: ['10.96.0.0/12'] } });
  });
});

describe('a ClusterDeployment', () => {
  test('has the fields of the other access modes', () => {
    expect(deploy({ config: hostedHetzner({ access: HetznerAccess.loadBalancer() }) }).config.controlPlane).toEqual({ replicas: 1, service: { type: 'LoadBalancer' } });
    expect(deploy({ config: hostedHetzner({ access: HetznerAccess.nodePort({ host: '203.0.113.20' }), controlPlaneReplicas: 3 }) }).config.controlPlane).toEqual({
      replicas: 3, service: { type: 'NodePort' }, endpoint: { host: '203.0.113.20' },
    });
  });

  test('has a network when one is given, and no private network when none is', () => {
    const { config } = deploy({
      config: hostedHetzner({ network: { serviceCidrs: ['10.100.0.0/16'] }, privateNetwork: undefined, workers: { type: 'cpx22' } }),
    });
    expect(config).toMatchObject({
      workersNumber: 1,
      clusterNetwork: { pods: { cidrBlocks: ['10.244.0.0/16'] }, services: { cidrBlocks: ['10.100.0.0/16'] } },
      hcloudNetwork: { enabled: false },
      worker: { type: 'cpx22', image: 'ubuntu-24.04' },
    });
  });

  test('has free values for other templates, with all else that k0rdent takes', () => {
    const values = { ingress: { enabled: true, apiHost: 'a.example.com', konnectivityHost: 'k.example.com' } };
    const { manifest } = deploy({
      name: 'other',
      namespace: 'k0rdent',
      template: 'openstack-hosted-cp-1-0-40',
      config: K0rdentConfig.values(values),
      dryRun: true,
      propagateCredentials: false,
      cleanupOnDeletion: true,
      labels: { a: 'b' },
      annotations: { c: 'd' },
    });
    expect(manifest.metadata).toEqual({ name: 'other', namespace: 'k0rdent', labels: { a: 'b' }, annotations: { c: 'd' } });
    expect(manifest.spec).toMatchObject({ config: values, dryRun: true, propagateCredentials: false, cleanupOnDeletion: true });
  });

  test('is warned of where the chart makes no cluster whatever its values are', () => {
    const values = K0rdentConfig.values({ clusterName: 'cluster01' });
    expect(Warnings.of(deploy({ template: 'hetzner-hosted-cp-1-3-17', config: values }).chart)).toEqual([
      'template: the HetznerCluster that the chart of "hetzner-hosted-cp-1-3-17" makes has no "sshKeys", without which Hetzner\'s provider refuses it ' +
      '(1.3.17 was rendered). Use a template of 1.2, or a HetznerHostedCluster.',
    ]);
    for (const template of ['hetzner-hosted-cp-1-4-0', 'edge-1-3-17']) {
      expect(Warnings.of(deploy({ template, config: values }).chart)).toEqual([]);
    }
    expect(Warnings.of(deploy().chart)).toEqual([]);
  });

  test('takes free values for the known template that its chart has', () => {
    const values = {
      ...NEEDED, workersNumber: 1, k0s: { version: 'v1.34.3+k0s.0', network: { provider: 'custom', anything: true } }, clusterLabels: { a: 'b' },
    };
    expect(deploy({ config: K0rdentConfig.values(values) }).config).toEqual(values);
  });

  test.each<[string, any, string]>([
    ['that the chart does not know', { worker: { serverType: 'cpx22' } },
      'config.worker.serverType: "cpx22" is not a value of the chart of hetzner-hosted-cp-1-2-0. Use one of image, type'],
    ['that the chart does not know, named like a property of every object', { constructor: 1 }, 'config.constructor: 1 is not a value of the chart'],
    ['that no custom resource has a field for', { controlPlane: { service: { type: 'NodePort', apiNodePort: 31443 } } },
      'config.controlPlane.service.apiNodePort: 31443 is written into a field that no custom resource has, so that it is dropped silently. Leave it out'],
    ['of the Hetzner page\'s ingress', { controlPlane: { ingress: { enabled: true } } }, 'config.controlPlane.ingress.enabled: true is not a value'],
    ['of disks', { worker: { dataDisks: [] } }, 'config.worker.dataDisks: [] is written into a field that no custom resource has'],
    ['of commands before the installation', { workerConfig: { preInstallCommands: [] } }, 'dropped silently'],
  ])('refuses free values %s', (_, values, message) => {
    expect(() => deploy({ config: K0rdentConfig.values(values) })).toThrow(message);
  });

  test('is refused without each value that the chart has none for', () => {
    const free = (values: object) => () => deploy({ config: K0rdentConfig.values({ ...NEEDED, ...values }) });
    expect(free({ region: undefined })).toThrow('config.region: is empty in what the chart makes, which is then refused. Give a text.');
    expect(free({ sshKeyNames: undefined })).toThrow(/^\S+: config\.sshKeyNames: names no key; the chart then leaves out "sshKeys"/);
    expect(free({})).not.toThrow();
  });

  test.each<[string, object, string]>([
    ['no keys', { sshKeyNames: [] }, 'config.sshKeyNames: [] names no key'],
    ['an empty key', { sshKeyNames: ['a', ''] }, 'config.sshKeyNames[1]: "" is empty'],
    ['a key twice', { sshKeyNames: ['a', 'a'] }, 'config.sshKeyNames[1]: "a" occurs twice'],
    ['an empty key of the Secret', { tokenRef: { name: 'hetzner', key: '' } }, 'config.tokenRef.key: "" is empty'],
    ['an empty image', { worker: { image: '' } }, 'config.worker.image: "" is empty'],
    ['an empty type of server', { worker: { type: '' } }, 'config.worker.type: "" is empty'],
    ['an empty zone', { hcloudNetwork: { networkZone: '' } }, 'config.hcloudNetwork.networkZone: "" is empty'],
    ['an empty network', { hcloudNetwork: { cidrBlock: '' } }, 'config.hcloudNetwork.cidrBlock: "" is empty'],
    ['no workers', { workersNumber: 0 }, 'config.workersNumber: 0 is refused by the schema of the chart. Give a whole number of at least 1.'],
    ['workers as a text', { workersNumber: '2' }, 'config.workersNumber: "2" is refused by the schema'],
    ['no control plane', { controlPlane: { replicas: 0 } }, 'config.controlPlane.replicas: 0 is refused by the schema'],
    ['a placement group', { worker: { placementGroupName: 'spread' } }, 'config.worker.placementGroupName: "spread" names a placement group, for which the'],
    ['no konnectivity host', { controlPlane: { ingress: { apiHost: 'a.example.com' } } }, 'has one host of two'],
    ['no API host', { controlPlane: { ingress: { konnectivityHost: 'k.example.com' } } }, 'has one host of two'],
    ['node ports without an address', { controlPlane: { service: { type: 'NodePort' } } }, 'config.controlPlane.endpoint.host: is empty'],
    ['a ClusterIP without hosts', { controlPlane: { service: { type: 'ClusterIP' } } }, 'the chart does not render without it for the type ClusterIP'],
    ['an unknown type of Service', { controlPlane: { service: { type: 'Ingress' } } }, 'config.controlPlane.service.type: "Ingress" is not a type'],
    ['an empty version of k0s', { k0s: { version: '' } }, 'config.k0s.version: "" is empty'],
    ['the version of k0s as a tag', { k0s: { version: 'v1.34.3-k0s.0' } }, 'which k0smotron refuses for workers. Give "v1.34.3+k0s.0"'],
    ['hosts and a k0s that has none', {
      controlPlane: { ingress: { apiHost: 'a.example.com', konnectivityHost: 'k.example.com' } }, k0s: { version: 'v1.34.0+k0s.0' },
    }, 'config.k0s.version: "v1.34.0+k0s.0" is older than 1.34.1'],
  ])('is refused with free values with %s', (_, values, message) => {
    expect(() => deploy({ config: K0rdentConfig.values({ ...NEEDED, ...values }) })).toThrow(message);
  });

  test.each<[string, Partial<K0rdentHostedHetznerProps>, string]>([
    ['without keys', { sshKeyNames: undefined }, 'sshKeyNames: names no key; the chart then leaves out "sshKeys", without which the HetznerCluster is refused.'],
    ['with no key', { sshKeyNames: [] }, 'sshKeyNames: [] names no key'],
    ['with an empty key', { sshKeyNames: [' '] }, 'sshKeyNames[0]: " " is empty'],
    ['with a placement group', { workers: { type: 'cpx22', placementGroup: 'spread' } }, 'workers.placementGroup: "spread" names a placement group'],
    ['without workers', { workers: { type: 'cpx22', replicas: 0 } }, 'workers.replicas: 0 is refused by the schema of the chart'],
    ['without a control plane', { controlPlaneReplicas: 0 }, 'controlPlaneReplicas: 0 is not a number of replicas'],
    ['with an empty image', { workers: { type: 'cpx22', image: '' } }, 'workers.image: "" is empty'],
    ['with an empty Secret', { tokenSecret: { name: '' } }, 'tokenSecret.name: "" is empty'],
    ['with an empty key of the Secret', { tokenSecret: { key: '' } }, 'tokenSecret.key: "" is not a key of a Secret'],
  ])('is refused with typed values %s', (_, props, message) => {
    expect(() => hostedHetzner(props)).not.toThrow();
    expect(() => deploy({ config: hostedHetzner(props) })).toThrow(message);
  });

  test.each<[string, () => unknown, string]>([
    ['no values', () => K0rdentConfig.values({}), 'config: {} is empty: k0rdent would fill the template\'s defaults in and deploy nothing'],
    ['typed values for another version of the chart', () => deploy({ template: 'hetzner-hosted-cp-1-3-17' }),
      'template: "hetzner-hosted-cp-1-3-17" has the values of the chart 1.3, not those of 1.2'],
    ['a controller that the chart does not write', () => deploy({ config: hostedHetzner({ access: HetznerAccess.ingress({ controller: IngressController.traefik(), domain: 'example.com' }) }) }),
      'access.controller: "traefik (class undefined)" is not what the chart writes into every Ingress'],
    ['another class of HAProxy', () => deploy({
      config: hostedHetzner({
        access: HetznerAccess.ingress({ controller: IngressController.haproxy({ ingressClassName: 'other' }), domain: 'example.com' }),
      }),
    }), 'access.controller: "haproxy (class other)" is not'],
    ['annotations that the chart does not write', () => deploy({
      config: hostedHetzner({
        access: HetznerAccess.ingress({ controller: IngressController.haproxy({ annotations: { 'haproxy.org/timeout-tunnel': '4h' } }), domain: 'example.com' }),
      }),
    }), 'access.controller: "haproxy (class haproxy)" is not what the chart writes into every Ingress: ' +
      'HAProxy Technologies\' controller with the class "haproxy" and no further annotations.'],
    ['another port', () => deploy({ config: hostedHetzner({ access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com', port: 8443 }) }) }),
      'access.port: 8443 is not 443, which the chart writes everywhere'],
    ['source networks', () => deploy({
      config: hostedHetzner({
        access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com', allowedCidrs: ['192.0.2.0/24'] }),
      }),
    }), 'access.allowedCidrs: ["192.0.2.0/24"] cannot be enforced'],
    ['names for the certificate', () => deploy({
      config: hostedHetzner({ access: HetznerAccess.ingress({ controller: IngressController.haproxy(), domain: 'example.com', certSans: ['a.example.com'] }) }),
    }), 'access.certSans: ["a.example.com"] would not be in the certificate'],
    ['a location of the load balancer', () => deploy({ config: hostedHetzner({ access: HetznerAccess.loadBalancer({ location: 'fsn1' as any }) }) }),
      'access.location: "fsn1" has no value in the chart'],
    ['a domain of the cluster', () => deploy({ config: hostedHetzner({ network: { clusterDomain: 'c.local' } }) }), 'has a domain or DNS addresses'],
    ['a name that Helm would shorten', () => deploy({ name: 'a'.repeat(54) }), 'is 54 characters long; it is also the name of a Helm release'],
    ['an old k0s', () => deploy({ config: hostedHetzner({ k0sVersion: 'v1.34.0+k0s.0' }) }), 'k0sVersion: "v1.34.0+k0s.0" is older than 1.34.1'],
  ])('is refused with %s', (_, act, message) => {
    expect(act).toThrow(message);
  });

  test('does not see changes to the user\'s values, which were checked before them', () => {
    const values: any = { ...NEEDED, worker: { type: 'cpx22' } };
    const { deployment } = deploy({ config: K0rdentConfig.values(values) });
    values.worker.dataDisks = [];
    expect(deployment.clusterDeployment.toJson().spec.config).toEqual({ ...NEEDED, worker: { type: 'cpx22' } });
  });

  test('is refused beside another cluster with the same host, also one of Cluster API', () => {
    const tenant = new HetznerTenant();
    new K0rdentClusterDeployment(tenant.chart, 'other', { template: TEMPLATE, credential: 'c', config: hostedHetzner() });
    expect(() => tenant.app.synthYaml()).toThrow('SNI host: "api.cluster01.k0s.example.com:443" is used by both');
  });

  test('is refused beside another on node ports, as the chart always takes the same ones', () => {
    const { chart } = deploy({ config: hostedHetzner({ access: HetznerAccess.nodePort({ host: '203.0.113.20' }) }) });
    new K0rdentClusterDeployment(chart, 'cluster02', {
      template: TEMPLATE, credential: 'c', config: hostedHetzner({ access: HetznerAccess.nodePort({ host: '203.0.113.20' }) }),
    });
    expect(() => (chart.node.root as App).synthYaml()).toThrow(/node port in cluster "management": "30443" is used by both.*The chart of k0rdent always takes these ports/);
  });

  test('is refused beside whatever else takes its node ports: a cluster of Cluster API, and one of HyperShift', () => {
    const access = HetznerAccess.nodePort({ host: '203.0.113.20' });
    const tenant = new HetznerTenant({ access });
    const { chart } = tenant;
    new K0rdentClusterDeployment(chart, 'other', { template: TEMPLATE, credential: 'c', config: hostedHetzner({ access }) });
    new IngressExposedControlPlane(chart, 'hosted', {
      namespace: 'clusters',
      kubernetesVersion: '1.34.3',
      domain: 'example.com',
      port: 30443,
      konnectivity: {},
      platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp:4.20', pullSecretName: 'pull', platform: { type: 'None' } }),
      controller: new SharedIngressGateway(chart, 'edge', { namespace: 'edge', portRange: { first: 30440, last: 30450 } }).asController(),
    });
    expect(() => tenant.app.synthYaml()).toThrow(
      'node port in cluster "management": "30443" is used by management/cluster01/control-plane, management/hosted and management/other. ' +
      'A node port belongs to one Service of a cluster: give each control plane ports of its own. Give each control plane its own apiPort and konnectivityPort. ' +
      'The chart of k0rdent always takes these ports: use a shared address, a load balancer, or a HetznerHostedCluster with ports of its own.');
  });
});
