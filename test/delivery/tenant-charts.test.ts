import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { App, Chart, JsonPatch, Lazy, Testing, YamlOutputType } from 'cdk8s';
import { Construct } from 'constructs';
import { addConfigMap, addObject, Management } from './harness';
import { ControlPlanePlatform, Exposure, HypershiftApiPublishing, IngressController, TcpProxyAddon, TcpProxyCertificate, TenantCharts, TenantDelivery, Warnings } from '../../src';
import { MARK } from '../../src/delivery/folder-mark';
import { PlainPlatform } from '../support/plain';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'delivery-'));
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(outdir, { recursive: true, force: true });
});

/** But for the marks of the folders. */
function files(folder = outdir): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile() && entry.name !== MARK)
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

function content(file: string): string {
  return readFileSync(join(outdir, file), 'utf8');
}

const BY_FILES: [string, TenantDelivery | undefined][] = [
  ['manifests()', TenantDelivery.manifests()],
  ['flux()', TenantDelivery.flux({ source: { name: 'platform' } })],
  ['argoCd()', TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/platform.git' })],
  ['no delivery', undefined],
];
const BY_CONFIG_MAPS: [string, TenantDelivery][] = [['sync()', TenantDelivery.sync()], ['clusterResourceSet()', TenantDelivery.clusterResourceSet()]];

describe('the manifests of tenants', () => {
  test.each(BY_FILES)('are in folders of their own: %s', (_, delivery) => {
    const management = new Management(delivery, { app: { outdir } });
    management.tenant('tenant-01');
    management.tenant('tenant-02', { namespace: 'team-a' });
    management.app.synth();
    expect(files()).toEqual(['management.k8s.yaml', 'team-a-tenant-02/tenant-02.k8s.yaml', 'tenants-tenant-01/tenant-01.k8s.yaml']);
    expect(content('tenants-tenant-01/tenant-01.k8s.yaml')).toContain('hello: tenant-01');
    expect(content('management.k8s.yaml')).not.toContain('hello');
  });

  test.each(BY_CONFIG_MAPS)('are no files: %s', (_, delivery) => {
    const management = new Management(delivery, { app: { outdir } });
    management.tenant('tenant-01', { platform: ControlPlanePlatform.kamajiControlPlane() });
    management.app.synth();
    expect(files()).toEqual(['management.k8s.yaml']);
    expect(content('management.k8s.yaml')).toContain('hello: tenant-01');
  });

  test.each([...BY_FILES, ...BY_CONFIG_MAPS])('are never objects of the management cluster: %s', (_, delivery) => {
    const management = new Management(delivery);
    management.tenant('tenant-01', { platform: ControlPlanePlatform.kamajiControlPlane() });
    const hello = (manifests: any[]) => manifests.filter(({ data }) => data?.hello !== undefined);
    expect(hello(management.app.charts.flatMap(chart => chart.toJson()))).toEqual([]);
    expect(management.app.node.findAll().filter(({ node }) => node.id === 'greeting')).toEqual([]);
  });

  test.each([
    [YamlOutputType.FILE_PER_APP, ['app.k8s.yaml', 'tenants-tenant-01/app.k8s.yaml']],
    [YamlOutputType.FILE_PER_RESOURCE, ['tenants-tenant-01/ConfigMap.greeting.k8s.yaml']],
    [YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE, ['tenants-tenant-01/tenant-01/ConfigMap.greeting.k8s.yaml']],
  ])('are divided into files as those of the app are: %s', (yamlOutputType, expected) => {
    const management = new Management(undefined, { app: { outdir, yamlOutputType } });
    management.tenant();
    management.app.synth();
    expect(files()).toEqual(expect.arrayContaining(expected));
    expect(files().filter(file => file.startsWith('tenants-')).length).toBe(1);
  });

  test('have the file extension and the resolvers of the app', () => {
    const management = new Management(undefined, {
      app: {
        outdir,
        outputFileExtension: '.yml',
        resolvers: [{
          resolve: context => {
            if (context.value === 'later') {
              context.replaceValue('now');
            }
          },
        }],
      },
    });
    addConfigMap(management.tenant(), 'more', { when: 'later' });
    management.app.synth();
    expect(content('tenants-tenant-01/tenant-01.yml')).toContain('when: now');
  });

  test('go to the output folder that the app has when it is synthesized', () => {
    process.env.CDK8S_OUTDIR = outdir;
    const management = new Management(undefined, { app: {} });
    delete process.env.CDK8S_OUTDIR;
    management.tenant();
    management.app.synth();
    expect(files()).toContain('tenants-tenant-01/tenant-01.k8s.yaml');
    (management.app as { outdir: string }).outdir = join(outdir, 'second');
    management.app.synth();
    expect(files()).toContain('second/tenants-tenant-01/tenant-01.k8s.yaml');
  });

  test('may be beside those of the management cluster', () => {
    const management = new Management(undefined, { app: { outdir: join(outdir, 'management') }, charts: { outputFolder: '../tenants' } });
    management.tenant();
    management.app.synth();
    expect(files()).toEqual(['management/management.k8s.yaml', 'tenants/tenants-tenant-01/tenant-01.k8s.yaml']);
  });

  test('may be in a folder of another name', () => {
    const management = new Management(undefined, { app: { outdir } });
    management.tenant('tenant-01', {}, { folder: 'first' });
    management.app.synth();
    expect(files()).toContain('first/tenant-01.k8s.yaml');
  });

  test('are the same when they are synthesized a second time', () => {
    const management = new Management(undefined, { app: { outdir } });
    management.tenantWithProxy();
    management.app.synth();
    const first = Object.fromEntries(files().map(file => [file, content(file)]));
    management.app.synth();
    expect(Object.fromEntries(files().map(file => [file, content(file)]))).toEqual(first);
  });

  test('are not written when something is wrong with the management cluster', () => {
    const management = new Management(undefined, { app: { outdir } });
    management.tenant();
    management.chart.node.addValidation({ validate: () => ['wrong'] });
    expect(management.errors()).toContain('wrong');
    expect(files()).toEqual([]);
  });

  test('may be none', () => {
    const management = new Management(undefined, { app: { outdir } });
    management.tenants.of(management.controlPlane());
    management.app.synth();
    expect(content('tenants-tenant-01/tenant-01.k8s.yaml')).toBe('');
  });
});

describe('the chart of a tenant', () => {
  test('is the same when it is asked for twice', () => {
    const management = new Management(undefined);
    const controlPlane = management.controlPlane();
    const chart = management.tenants.of(controlPlane);
    expect(management.tenants.of(controlPlane)).toBe(chart);
    expect(management.tenants.of(controlPlane, { folder: undefined })).toBe(chart);
    expect(() => management.tenants.of(controlPlane, { folder: 'other' })).toThrow(
      'options: ["folder"] would have no effect: the chart of management/tenants.tenant-01 exists already. Give them where TenantCharts.of() is first called for it.');
  });

  test('has the properties that the user gives', () => {
    const chart = new Management(undefined).tenant('tenant-01', {}, { chart: { labels: { team: 'a' } } });
    expect(Testing.synth(chart)[0].metadata.labels).toEqual({ team: 'a' });
  });

  test('may have other charts below and beside it', () => {
    const management = new Management(TenantDelivery.sync());
    const chart = management.tenant();
    addConfigMap(new Chart(chart, 'below'), 'below');
    addConfigMap(new Chart(chart.node.root as App, 'beside'), 'beside');
    expect(management.one('ConfigMap', 'tenants.tenant-01').data['objects.yaml'].match(/name: .*/g)).toEqual(expect.arrayContaining(['name: greeting', 'name: below', 'name: beside']));
  });

  test('takes the tcp-proxy, which changes the API server of its control plane', () => {
    const management = new Management(undefined, { app: { outdir } });
    management.tenantWithProxy();
    management.app.synth();
    expect(content('management.k8s.yaml')).toContain('--endpoint-reconciler-type=none');
    expect(content('tenants-tenant-01/tenant-01.k8s.yaml')).toContain('kind: Deployment');
  });

  test('takes no objects of another tenant', () => {
    const management = new Management(undefined);
    const other = management.controlPlane('tenant-02');
    expect(() => new TcpProxyAddon(management.tenant(), 'tcp-proxy', { controlPlane: other }))
      .toThrow('chart: "tenant-01" holds tenant-01 for the cluster "tenants/tenant-01" and tenant-01/tcp-proxy for the cluster "tenants/tenant-02"');
  });

  test('takes no objects of another tenant in a chart below or beside it either', () => {
    for (const scopeOf of [(chart: Chart) => new Chart(chart, 'below'), ({ node }: Chart) => new Chart(node.root as App, 'beside')]) {
      const management = new Management(TenantDelivery.sync());
      const scope = scopeOf(management.tenant());
      const controlPlane = management.controlPlane('tenant-02');
      expect(() => new TcpProxyAddon(scope, 'tcp-proxy', { controlPlane })).toThrow(
        `chart: "${scope.node.path}" holds tenant-01 for the cluster "tenants/tenant-01" and ${scope.node.path}/tcp-proxy for the cluster "tenants/tenant-02"`);
      expect(() => management.controlPlane('tenant-03', {}, scope)).toThrow('for the cluster "management"');
    }
  });

  test('takes no control plane', () => {
    const management = new Management(undefined);
    const chart = management.tenant();
    expect(() => management.controlPlane('tenant-02', {}, chart)).toThrow('chart: "tenant-01" holds tenant-01 for the cluster "tenants/tenant-01"');
  });
});

describe('what is wrong with tenants', () => {
  test('is said of all of them at once, with what is wrong with the management cluster', () => {
    const management = new Management(TenantDelivery.sync());
    for (const name of ['tenant-01', 'tenant-02']) {
      const chart = management.tenant(name);
      new Construct(chart, 'part').node.addValidation({ validate: () => [`${name} is wrong`] });
    }
    management.chart.node.addValidation({ validate: () => ['management is wrong'] });
    expect(management.errors().split('\n  ').slice(1)).toEqual([
      '[management] management is wrong',
      '[management/tenants] [tenants-tenant-01/tenant-01/part] tenant-01 is wrong',
      '[management/tenants] [tenants-tenant-02/tenant-02/part] tenant-02 is wrong',
    ]);
  });

  test('is said of names that two of its constructs claim', () => {
    const management = new Management(undefined);
    const chart = management.tenant();
    for (const id of ['one', 'two']) {
      const certificate = TcpProxyCertificate.existingSecret('mine');
      new TcpProxyAddon(chart, id, { certificate, exposure: new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' }) });
    }
    expect(management.errors()).toContain('[management/tenants] [tenants-tenant-01] ');
    expect(management.errors()).toContain('is used by both tenant-01/one and tenant-01/two');
  });

  test('is said when an object is there twice, where it travels in a ConfigMap', () => {
    const management = new Management(TenantDelivery.sync());
    const chart = management.tenant();
    addObject(chart, 'again', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'greeting', namespace: 'default' } });
    expect(management.errors()).toContain('tenants-tenant-01: "ConfigMap default/greeting" is there twice, so that each would overwrite the other. Leave one of them out, or rename it.');
  });

  test('is said when an object has no name, where it is applied again and again', () => {
    const management = new Management(TenantDelivery.sync());
    const chart = management.tenant();
    addObject(chart, 'job', { apiVersion: 'batch/v1', kind: 'Job', metadata: { namespace: 'default', generateName: 'once-' } }).addJsonPatch(JsonPatch.remove('/metadata/name'));
    expect(management.errors()).toContain('tenants-tenant-01: "batch/Job" has no metadata.name to apply it by again; with generateName it would be another each time. ' +
      'Give it a name, or deliver the tenant with TenantDelivery.manifests().');
  });

  test('warns once, however many tenants have it, and is among the warnings of the app', () => {
    const management = new Management(undefined);
    for (const name of ['tenant-01', 'tenant-02', 'tenant-03']) {
      const controlPlane = management.controlPlane(name);
      new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane, image: 'tcp-proxy:latest' });
    }
    const warning = 'image: "tcp-proxy:latest" has no fixed tag, so nodes may run different versions. Give a version tag or a digest.';
    management.app.synth();
    const said = jest.mocked(process.emitWarning).mock.calls.map(([text]) => text).filter(text => String(text).endsWith(`: ${warning}`));
    expect(said).toEqual([`tenant-01/tcp-proxy, tenant-02/tcp-proxy, tenant-03/tcp-proxy: ${warning}`]);
    expect(Warnings.of(management.app)).toEqual([warning]);
    expect(Warnings.of(management.tenants)).toEqual([warning]);
  });
});

describe('a control plane cannot be delivered', () => {
  test('beside another of its name', () => {
    const management = new Management(undefined);
    management.tenants.of(management.controlPlane('same'));
    const other = management.controlPlane('same', {}, new Chart(management.app, 'other'));
    expect(() => management.tenants.of(other)).toThrow(new Error(
      'management/tenants: controlPlane: "other/tenants.same" and management/tenants.same are both named "same" in the namespace "tenants". Give each a name or namespace of its own.'));
  });

  test('by two', () => {
    const management = new Management(undefined);
    const controlPlane = management.controlPlane();
    management.tenants.of(controlPlane);
    expect(() => new TenantCharts(management.chart, 'others').of(controlPlane)).toThrow(
      'controlPlane: "management/tenants.tenant-01" has its objects delivered by management/tenants already, and two would undo each other\'s changes. ' +
      'Add what management/others is to deliver to the chart that management/tenants.of() returns.');
  });

  test('from another app', () => {
    expect(() => new Management(undefined).tenants.of(new Management(undefined).controlPlane())).toThrow(
      'controlPlane: "management/tenants.tenant-01" is of another app than management/tenants, which is synthesized by itself. Make both in one app.');
  });

  test.each([['sync()', TenantDelivery.sync()], BY_CONFIG_MAPS[1], BY_FILES[1]])('from another management cluster: %s', (_, delivery) => {
    const management = new Management(delivery);
    const controlPlane = management.controlPlane('tenant-01', {}, management.chartFor('eu'));
    expect(() => management.tenants.of(controlPlane)).toThrow('controlPlane: "eu/tenants.tenant-01" goes to the cluster "eu", and management/tenants with what reads its ' +
      'Secrets to "management". Make TenantCharts in a chart for "eu".');
  });

  test.each([BY_FILES[0], BY_FILES[2]])('but from another management cluster by what is not there itself: %s', (_, delivery) => {
    const management = new Management(delivery, { cluster: 'hub' });
    const controlPlane = management.controlPlane('tenant-01', {}, management.chartFor('eu'));
    addConfigMap(management.tenants.of(controlPlane), 'greeting');
    management.app.synth();
    expect(existsSync(join(management.app.outdir, 'eu-tenants-tenant-01'))).toBe(true);
  });

  test.each([['sync()', TenantDelivery.sync()], BY_FILES[1]])('when nobody says which Secret has its kubeconfig: %s', (_, delivery) => {
    const management = new Management(delivery);
    const controlPlane = management.controlPlane('tenant-01', { platform: new PlainPlatform() });
    expect(() => management.tenants.of(controlPlane)).toThrow('adminKubeconfig: is not known for tenants/tenant-01: its platform does not say which Secret has ' +
      'the administrator\'s kubeconfig. Name it, e.g. of(controlPlane, { adminKubeconfig: { secretName: "tenant-01-kubeconfig", keys: ["value"] } }).');
    const chart = management.tenants.of(management.controlPlane('tenant-02', { platform: new PlainPlatform() }), { adminKubeconfig: { secretName: 'mine', keys: ['config'] } });
    addConfigMap(chart, 'greeting');
    expect(JSON.stringify(management.manifests())).toContain('mine');
  });

  test('and may then be asked for again, with what was missing', () => {
    for (const delivery of [TenantDelivery.sync(), TenantDelivery.flux({ source: { name: 'platform' } })]) {
      const management = new Management(delivery);
      const controlPlane = management.controlPlane('tenant-01', { platform: new PlainPlatform() });
      expect(() => management.tenants.of(controlPlane)).toThrow('adminKubeconfig: is not known');
      expect(management.tenants.node.tryFindChild('tenants.tenant-01')).toBeUndefined();
      addConfigMap(management.tenants.of(controlPlane, { adminKubeconfig: { secretName: 'mine', keys: ['config'] } }), 'greeting');
      management.app.synth();
      expect(JSON.stringify(management.manifests())).toContain('mine');
    }
  });

  test('and leave no claim behind: a path that Flux cannot have', () => {
    const management = new Management(TenantDelivery.flux({ source: { name: 'platform' } }), { charts: { outputFolder: '../../tenants' } });
    const controlPlane = management.controlPlane();
    expect(() => management.tenants.of(controlPlane)).toThrow('path: "../tenants" is not a path inside of a repository');
    expect(() => management.tenants.of(controlPlane)).toThrow('path: "../tenants" is not a path inside of a repository');
    management.app.synthYaml();
  });

  test.each([
    [{ adminKubeconfig: { secretName: 'a_b', keys: ['value'] } }, 'adminKubeconfig.secretName: "a_b" is not the name of an object'],
    [{ adminKubeconfig: { secretName: 'a', keys: [] } }, 'adminKubeconfig.keys: [] is empty.'],
    [{ adminKubeconfig: { secretName: 'a', keys: ['value', 'a/b'] } }, 'adminKubeconfig.keys[1]: "a/b" is not a key of a Secret'],
    [{ clusterCa: { secretName: 'a', certificateKey: '..', privateKeyKey: 'tls.key' } }, 'clusterCa.certificateKey: ".." is not a key of a Secret'],
    [{ clusterCa: { secretName: '', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' } }, 'clusterCa.secretName: "" is empty'],
    [{ apiServerCertificate: { secretName: 'a', certificateKey: 'tls.crt', privateKeyKey: '' } }, 'apiServerCertificate.privateKeyKey: "" is not a key of a Secret'],
    [{ folder: '../elsewhere' }, 'folder: "../elsewhere" is not the name of a folder. Use letters, digits, "-", "_" and "." not at the start.'],
    [{ folder: '' }, 'folder: "" is not the name of a folder'],
    [{ folder: 1 as any }, 'folder: 1 is not a text'],
  ])('with %j', (options, message) => {
    expect(() => new Management(TenantDelivery.sync()).tenant('tenant-01', {}, options)).toThrow(message);
  });

  test('into the folder of another tenant', () => {
    const management = new Management(undefined);
    management.tenant('b', { namespace: 'team-a' });
    management.tenant('a-b', { namespace: 'team' });
    expect(management.errors()).toContain('output folder: "team-a-b" is used by both management/team-a.b and management/team.a-b. ' +
      'A folder is read with all that is below it: set another "folder" in TenantCharts.of(), or another outputFolder.');
  });

  test('into a folder that holds those of others', () => {
    const management = new Management(undefined, { charts: { outputFolder: 'eu/team' } });
    management.tenant('tenant-01');
    new TenantCharts(management.chart, 'others').of(management.controlPlane('tenant-02'), { folder: 'eu' });
    expect(management.errors()).toContain('output folder: "eu" is used by both management/tenants and management/tenants.tenant-02. ' +
      'A folder is read with all that is below it: set another "folder" in TenantCharts.of(), or another outputFolder.');
  });

  test.each(['/srv/tenants', 'tenants\\eu'])('into the output folder %s', outputFolder => {
    expect(() => new Management(undefined, { charts: { outputFolder } })).toThrow('is not a path relative to the output folder of the app. ' +
      'Write it like "tenants" or "../tenants", with slashes.');
  });

  test.each([['sync()', TenantDelivery.sync()], BY_FILES[1]])('with the kubeconfig of another: %s', (_, delivery) => {
    const management = new Management(delivery);
    ['tenant-01', 'tenant-02'].forEach(name => management.tenant(name, {}, { adminKubeconfig: { secretName: 'same', keys: ['value'] } }));
    expect(management.errors()).toContain('admin kubeconfig: "tenants/same" is used by both management/tenants/tenants.tenant-01 and management/tenants/tenants.tenant-02. ' +
      'A kubeconfig leads to one cluster: name that of each control plane with "adminKubeconfig" in TenantCharts.of().');
  });

  test('into the folder of a chart of the management cluster', () => {
    const management = new Management(undefined, { app: { outdir, yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE } });
    management.tenant('tenant-01', {}, { folder: 'management' });
    expect(management.errors()).toContain('folder: "management" is also that of the chart management. Set "folder" in TenantCharts.of(), or rename the chart.');
  });

  test('without an App', () => {
    const root = new Chart(undefined as any, 'root');
    expect(() => new TenantCharts(root, 'tenants')).toThrow('scope: "root/tenants" is not in an App');
  });
});

describe('Secrets of platforms', () => {
  test.each([
    ['kamaji', ControlPlanePlatform.kamaji(), 'a-admin-kubeconfig', ['super-admin.svc', 'admin.svc'], { secretName: 'a-ca', certificateKey: 'ca.crt', privateKeyKey: 'ca.key' }],
    ['steward', ControlPlanePlatform.steward(), 'a-admin-kubeconfig', ['super-admin.svc', 'admin.svc'], { secretName: 'a-ca', certificateKey: 'ca.crt', privateKeyKey: 'ca.key' }],
    ['kamajiControlPlane', ControlPlanePlatform.kamajiControlPlane(), 'a-admin-kubeconfig', ['super-admin.svc', 'admin.svc'],
      { secretName: 'a-ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' }],
    ['k0smotron', ControlPlanePlatform.k0smotron(), 'a-kubeconfig', ['value'], { secretName: 'a-ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' }],
    ['k0smotronControlPlane', ControlPlanePlatform.k0smotronControlPlane(), 'a-kubeconfig', ['value'], { secretName: 'a-ca', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' }],
    ['hypershift', ControlPlanePlatform.hypershift({ releaseImage: 'release:4', pullSecretName: 'pull', apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }), 'a-admin-kubeconfig', ['kubeconfig'], undefined],
  ])('%s', (_, platform, secretName, keys, clusterCa) => {
    const { adminKubeconfig, clusterCa: known } = platform.defaults('a', 'tenants');
    expect(adminKubeconfig).toEqual({ secretName, keys });
    expect(known).toEqual(clusterCa);
    const management = new Management(TenantDelivery.sync());
    management.tenant('a', { platform, kubernetesVersion: '1.34.3', ...platform.type === 'hypershift' ? { controller: IngressController.openshift() } : {} });
    expect(JSON.parse(management.one('ConfigMap', 'tenants.a').data['tenant.json']).kubeconfig).toEqual({ secretName, keys });
  });
});

test('tenants are rendered once for each synthesis, however many charts the management cluster has', () => {
  const management = new Management(TenantDelivery.sync());
  const rendered: string[] = [];
  const names = Array.from({ length: 30 }, (_, i) => `tenant-${i}`);
  for (const name of names) {
    const chart = management.tenants.of(management.controlPlane(name, {}, new Chart(management.app, `management-${name}`)));
    addConfigMap(chart, 'counted', {
      name: Lazy.any({
        produce: () => {
          rendered.push(name);
          return name;
        },
      }),
    });
  }
  management.app.synth();
  expect(rendered.sort()).toEqual(names.sort());
});
