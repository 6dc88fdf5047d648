import { Chart } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { addConfigMap, Management, titles } from './harness';
import {
  ArgoCdDeliveryProps, ClusterApiVersion, ClusterResourceSetDeliveryProps, ControlPlanePlatform, FluxDeletionPolicy, FluxDeliveryProps,
  FluxSourceKind, TcpProxyAddon, TenantDelivery,
} from '../../src';
import { PlainPlatform } from '../support/plain';
import { expectValid } from '../support/schemas';

describe('manifests()', () => {
  test('adds nothing to the management cluster', () => {
    const management = new Management(TenantDelivery.manifests());
    management.tenant('tenant-01', { platform: new PlainPlatform() });
    expect(management.tenants.objects).toEqual([]);
  });
});

describe('flux()', () => {
  const setUp = (props: Partial<FluxDeliveryProps> = {}) => new Management(TenantDelivery.flux({ source: { name: 'platform', namespace: 'flux-system' }, ...props }));

  test('has a Kustomization beside each control plane, with its kubeconfig', () => {
    const management = setUp();
    management.tenant('tenant-01');
    management.tenant('tenant-02', { namespace: 'team-a', platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3' }, { folder: 'second' });
    expect(management.all('Kustomization')).toEqual([
      {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { name: 'tenant-01', namespace: 'tenants' },
        spec: {
          sourceRef: { kind: 'GitRepository', name: 'platform', namespace: 'flux-system' },
          path: './dist/tenants-tenant-01',
          // The Service of the control plane, so neither DNS nor a route is needed.
          kubeConfig: { secretRef: { name: 'tenant-01-admin-kubeconfig', key: 'super-admin.svc' } },
          prune: true,
          wait: true,
          interval: '10m',
          retryInterval: '1m',
          timeout: '5m',
        },
      },
      expect.objectContaining({
        metadata: { name: 'tenant-02', namespace: 'team-a' },
        spec: expect.objectContaining({ path: './dist/second', kubeConfig: { secretRef: { name: 'tenant-02-kubeconfig', key: 'value' } } }),
      }),
    ]);
  });

  test('has what the user asks for', () => {
    const management = setUp({
      source: { name: 'platform', kind: FluxSourceKind.OCI_REPOSITORY },
      path: './',
      interval: '1h',
      retryInterval: '30s',
      timeout: '1m30s',
      prune: false,
      wait: false,
      dependsOn: [{ name: 'platform', namespace: 'flux-system' }],
      deletionPolicy: FluxDeletionPolicy.ORPHAN,
      labels: { team: 'a' },
    });
    management.tenant();
    const { metadata, spec } = management.one('Kustomization', 'tenant-01');
    expect(metadata.labels).toEqual({ team: 'a' });
    expect(spec).toEqual({
      sourceRef: { kind: 'OCIRepository', name: 'platform' },
      path: './tenants-tenant-01',
      interval: '1h',
      retryInterval: '30s',
      timeout: '1m30s',
      prune: false,
      wait: false,
      dependsOn: [{ name: 'platform', namespace: 'flux-system' }],
      deletionPolicy: 'Orphan',
      kubeConfig: expect.anything(),
    });
  });

  test.each([
    [{ source: { name: 'A' } }, 'source.name: "A" is not the name of an object'],
    [{ source: { name: 'a', namespace: '-' } }, 'source.namespace: "-" is not a valid name'],
    [{ interval: '10' }, 'interval: "10" is not a duration. Give numbers with units, e.g. "10m" or "1h30m".'],
    [{ retryInterval: '1d' }, 'retryInterval: "1d" is not a duration'],
    [{ timeout: '' }, 'timeout: "" is not a duration'],
    [{ dependsOn: [{ name: 'a' }, { name: 'b c' }] }, 'dependsOn[1].name: "b c" is not the name of an object'],
    [{ dependsOn: [{ name: 'a', namespace: 'A' }] }, 'dependsOn[0].namespace: "A" is not a valid name'],
    [{ path: '/dist' }, 'path: "/dist" is not a path inside of a repository. Give it relative to the root of the repository, e.g. "dist", or "." for the root.'],
    [{ path: 'a/../../b' }, 'path: "a/../../b" is not a path inside of a repository'],
    [{ path: 'dist\\tenants' }, 'path: "dist\\\\tenants" is not a path inside of a repository'],
    [{ path: '' }, 'path: "" is empty'],
    [{ labels: { a: '-' } }, 'labels["a"]: "-" is not the value of a label'],
  ])('cannot be %j', (props, message) => {
    expect(() => setUp(props)).toThrow(message);
  });
});

describe('argoCd()', () => {
  const setUp = (props: Partial<ArgoCdDeliveryProps> = {}) => new Management(TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git', ...props }));

  test('has an Application for each tenant, for the cluster of its name', () => {
    const management = setUp();
    management.tenant('tenant-01', { platform: new PlainPlatform() });
    expect(management.all('Application')).toEqual([{
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'tenants.tenant-01', namespace: 'argocd' },
      spec: {
        project: 'default',
        source: { repoURL: 'https://git.example.com/platform.git', targetRevision: 'HEAD', path: 'dist/tenants-tenant-01', directory: { recurse: true } },
        destination: { name: 'tenants-tenant-01' },
        syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: ['ServerSideApply=true'] },
      },
    }]);
  });

  test('has what the user asks for', () => {
    const management = setUp({
      targetRevision: 'v1', path: '.', namespace: 'gitops', project: 'tenants', automated: false, syncOptions: ['CreateNamespace=true'], cascadeDelete: true, labels: { a: 'b' },
    });
    management.tenant('tenant-01', {}, { folder: 'first', argoCdDestination: { server: 'https://tenant-01.k8s.example.com' } });
    expect(management.one('Application', 'tenants.tenant-01')).toMatchObject({
      metadata: { namespace: 'gitops', labels: { a: 'b' }, finalizers: ['resources-finalizer.argocd.argoproj.io'] },
      spec: {
        project: 'tenants',
        source: { targetRevision: 'v1', path: 'first' },
        destination: { server: 'https://tenant-01.k8s.example.com' },
        syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      },
    });
    expect(management.one('Application', 'tenants.tenant-01').spec.syncPolicy.automated).toBeUndefined();
  });

  test('has names that fit into labels and differ', () => {
    const management = setUp();
    ['a', 'b'].forEach(end => management.tenant(`${'n'.repeat(62)}${end}`, { hostname: `${end}.example.com`, konnectivity: undefined }));
    const names = management.all('Application').map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(2);
    names.forEach(name => expect(name.length).toBeLessThanOrEqual(63));
  });

  test('does not give two tenants one Application', () => {
    const management = setUp();
    management.tenant('b', { namespace: 'team-a', hostname: 'b.example.com', konnectivity: undefined }, { folder: 'b', argoCdDestination: { name: 'b' } });
    management.tenant('a-b', { namespace: 'team' });
    management.app.synth();
    expect(management.all('Application').map(({ metadata }) => metadata.name)).toEqual(['team-a.b', 'team.a-b']);
  });

  test('tells tenants of one name in several management clusters apart', () => {
    const management = new Management(TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' }), { cluster: 'hub' });
    for (const cluster of ['eu', 'us']) {
      const controlPlane = management.controlPlane('tenant-01', { domain: `${cluster}.example.com` }, management.chartFor(cluster));
      const chart = management.tenants.of(controlPlane, { folder: cluster, argoCdDestination: { name: cluster } });
      new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane });
    }
    management.app.synth();
    expect(management.all('Application').map(({ metadata }) => metadata.name)).toEqual(['eu.tenants.tenant-01', 'us.tenants.tenant-01']);
  });

  test('does not deliver two tenants to one cluster', () => {
    const management = setUp();
    management.tenant('b', { namespace: 'team-a', hostname: 'b.example.com', konnectivity: undefined }, { folder: 'b' });
    management.tenant('a-b', { namespace: 'team' });
    expect(management.errors()).toContain('cluster in Argo CD: "team-a-b" is used by both management/tenants/team-a.b and management/tenants/team.a-b. ' +
      'Two tenants in one cluster would undo each other\'s changes: set "argoCdDestination" in TenantCharts.of().');
  });

  test.each([
    [{ repoUrl: '' }, 'repoUrl: "" is empty.'],
    [{ repoUrl: undefined as any }, 'repoUrl: is not set'],
    [{ path: '../dist' }, 'path: "../dist" is not a path inside of a repository'],
    [{ namespace: 'a.b' }, 'namespace: "a.b" is not a valid name'],
    [{ syncOptions: ['ServerSideApply'] }, 'syncOptions[0]: "ServerSideApply" is not an option of a sync. Write Name=value, e.g. "ServerSideApply=true".'],
    [{ labels: { '': 'a' } }, 'labels: "" is not the key of a label'],
  ])('cannot be %j', (props, message) => {
    expect(() => setUp(props)).toThrow(message);
  });

  test.each([
    [{}, 'argoCdDestination: {} does not name one cluster. Give "name" or "server", not both.'],
    [{ name: 'a', server: 'https://a.example.com' }, 'argoCdDestination: {"name":"a","server":"https://a.example.com"} does not name one cluster.'],
    [{ server: 'a.example.com' }, 'argoCdDestination.server: "a.example.com" is not a URL.'],
  ])('does not deliver to %j', (argoCdDestination, message) => {
    expect(() => setUp().tenant('tenant-01', {}, { argoCdDestination })).toThrow(message);
  });
});

describe('clusterResourceSet()', () => {
  const capi = { platform: ControlPlanePlatform.kamajiControlPlane() };
  const setUp = (props?: ClusterResourceSetDeliveryProps) => new Management(TenantDelivery.clusterResourceSet(props));

  test('has the objects beside the Cluster, which is selected by its name', () => {
    const management = setUp();
    management.tenant('tenant-01', capi);
    expect(management.one('ClusterResourceSet', 'tenant-01')).toEqual({
      apiVersion: 'addons.cluster.x-k8s.io/v1beta2',
      kind: 'ClusterResourceSet',
      metadata: { name: 'tenant-01', namespace: 'tenants' },
      spec: {
        strategy: 'Reconcile',
        clusterSelector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'tenant-01' } },
        resources: [{ kind: 'ConfigMap', name: 'tenant-01.tenant-objects' }],
      },
    });
    const { metadata: { namespace }, data } = management.one('ConfigMap', 'tenant-01.tenant-objects');
    expect(namespace).toBe('tenants');
    expect(titles(parseAllDocuments(data['objects.yaml']).map(document => document.toJS()))).toEqual(['ConfigMap default/greeting']);
  });

  test('has as many ConfigMaps as it takes, all of them named', () => {
    const management = setUp();
    const chart = management.tenant('tenant-01', capi);
    ['a', 'b'].forEach(name => addConfigMap(chart, name, { text: 'x'.repeat(200_000) }));
    management.app.synth();
    const names = ['tenant-01.tenant-objects', 'tenant-01.tenant-objects.2'];
    expect(management.one('ClusterResourceSet', 'tenant-01').spec.resources).toEqual(names.map(name => ({ kind: 'ConfigMap', name })));
    expect(management.all('ConfigMap').map(({ metadata }) => metadata.name)).toEqual(names);
  });

  test('has what the user asks for', () => {
    const management = setUp({ apiVersion: ClusterApiVersion.V1BETA1, reconcile: false, labels: { a: 'b' } });
    management.tenant('tenant-01', {}, { clusterSelector: { 'example.com/tenant': 'one' } });
    expect(management.one('ClusterResourceSet', 'tenant-01')).toMatchObject({
      apiVersion: 'addons.cluster.x-k8s.io/v1beta1',
      metadata: { labels: { a: 'b' } },
      spec: { strategy: 'ApplyOnce', clusterSelector: { matchLabels: { 'example.com/tenant': 'one' } } },
    });
  });

  test.each([
    [undefined, 'clusterSelector: is not given, and the platform of tenants/tenant-01 is not one of Cluster API\'s. Choose another delivery, or name the labels of the Cluster'],
    [{}, 'clusterSelector: {} is empty, so that it would select no Cluster. Name labels that the Cluster of this tenant has, and no other.'],
    [{ 'a b': 'c' }, 'clusterSelector: "a b" is not the key of a label'],
  ])('does not select %j', (clusterSelector, message) => {
    expect(() => setUp().tenant('tenant-01', {}, { clusterSelector })).toThrow(message);
  });

  test('does not select one Cluster for two tenants', () => {
    const management = setUp();
    management.tenant('tenant-01', {}, { clusterSelector: { 'example.com/tenant': 'one', 'a': 'b' } });
    management.tenant('tenant-02', {}, { clusterSelector: { 'a': 'b', 'example.com/tenant': 'one' } });
    expect(management.errors()).toContain('is used by both management/tenants/tenants.tenant-01 and management/tenants/tenants.tenant-02. ' +
      'The Cluster would get the objects of both: name labels that the Cluster of each tenant has, and no other.');
  });

  test('cannot have labels that are none', () => {
    expect(() => setUp({ labels: { a: ' ' } })).toThrow('labels["a"]: " " is not the value of a label');
  });

  test('needs objects', () => {
    const management = setUp();
    management.tenants.of(management.controlPlane('tenant-01', capi));
    expect(management.errors()).toContain('[management/tenants] tenants/tenant-01: [] has no objects, and a ClusterResourceSet needs some. ' +
      'Add objects to the chart of the tenant, or do not ask for it.');
  });

  test('cannot name more ConfigMaps than its kind allows', () => {
    const management = setUp();
    const chart = management.tenant('tenant-01', capi);
    Array.from({ length: 101 }, (_, i) => addConfigMap(chart, `c${i}`, { text: 'x'.repeat(200_000) }));
    expect(management.errors()).toContain('tenants/tenant-01: 101 are more ConfigMaps than a ClusterResourceSet can name (100).');
  });
});

describe('the path of manifests in their repository', () => {
  const path = (delivery: TenantDelivery, outputFolder: string) => {
    const management = new Management(delivery, { charts: { outputFolder } });
    management.tenant();
    return management.manifests().filter(({ kind }) => ['Application', 'Kustomization'].includes(kind)).map(({ spec }) => spec.path ?? spec.source.path)[0];
  };
  const flux = (props: Partial<FluxDeliveryProps> = {}) => TenantDelivery.flux({ source: { name: 'platform' }, ...props });
  const argoCd = () => TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' });

  test('follows the output folder, unless it is given', () => {
    expect(path(flux(), 'clusters')).toBe('./dist/clusters/tenants-tenant-01');
    expect(path(argoCd(), '../tenants')).toBe('tenants/tenants-tenant-01');
    expect(path(flux({ path: 'elsewhere' }), 'clusters')).toBe('./elsewhere/tenants-tenant-01');
  });

  test('has to be given where the output folder is outside', () => {
    expect(() => path(flux(), '../../tenants')).toThrow('path: "../tenants" is not a path inside of a repository.');
  });
});

describe('the objects of every delivery', () => {
  test.each([
    ['flux()', TenantDelivery.flux({ source: { name: 'platform' }, dependsOn: [{ name: 'platform' }], deletionPolicy: FluxDeletionPolicy.WAIT_FOR_TERMINATION })],
    ['argoCd()', TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git', cascadeDelete: true })],
    ['clusterResourceSet()', TenantDelivery.clusterResourceSet()],
    ['clusterResourceSet() of v1beta1', TenantDelivery.clusterResourceSet({ apiVersion: ClusterApiVersion.V1BETA1 })],
    ['sync()', TenantDelivery.sync({ networkPolicy: true })],
  ])('%s are valid', (_, delivery) => {
    const management = new Management(delivery);
    const controlPlane = management.controlPlane('tenant-01', { platform: ControlPlanePlatform.kamajiControlPlane() }, new Chart(management.app, 'control-planes'));
    addConfigMap(management.tenants.of(controlPlane), 'greeting');
    const manifests = management.manifests();
    expect(manifests.length).toBeGreaterThan(0);
    manifests.forEach(expectValid);
  });
});
