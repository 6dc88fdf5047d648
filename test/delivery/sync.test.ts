import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart, JsonPatch, Testing, YamlOutputType } from 'cdk8s';
import { addConfigMap, addObject, Management, titles } from './harness';
import { assemble, bundlePart } from '../../images/tcp-proxy/src/sync/bundle';
import { syncConfiguration } from '../../images/tcp-proxy/src/sync/configuration';
import { parseObjects } from '../../images/tcp-proxy/src/sync/objects-yaml';
import {
  ControlPlanePlatform, ImagePullPolicy, LogLevel, SyncDeliveryProps, TcpProxyAddon, TcpProxyCertificate, TcpProxyEndpoints, TcpProxyPlacement,
  TenantCharts, TenantDelivery, Warnings,
} from '../../src';
import { syncRules, tenantSecretsRules } from '../../src/agent/contract/rbac';
import { CertificateWish, DeliveredTenant } from '../../src/delivery/delivered-tenant';
import { expectValid } from '../support/schemas';

// Its lazy imports are in the dialect of the image's tsconfig.json.
const { syncCommand } = jest.requireActual('../../images/tcp-proxy/src/sync/command');

function setUp(props: SyncDeliveryProps = {}): Management {
  return new Management(TenantDelivery.sync(props));
}

/** The bundle of a tenant, as the image reads it. */
function bundleOf(management: Management, instance: string) {
  const configMaps = management.all('ConfigMap').filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/instance'] === instance);
  const { bundle, awaited } = assemble(configMaps.map(bundlePart));
  if (!bundle) {
    throw new Error(awaited);
  }
  const objects = configMaps.flatMap(({ data, metadata }) => parseObjects(data['objects.yaml'], metadata.name));
  return { bundle, objects, configMaps };
}

const ISSUED: CertificateWish = {
  kind: 'issue', namespace: 'kube-system', secretName: 'tcp-proxy-tls', caConfigMapName: 'tcp-proxy-ca', dnsNames: ['kubernetes'], ipAddresses: ['10.96.0.1'],
};
const COPIED: CertificateWish = {
  kind: 'copy',
  namespace: 'kube-system',
  secretName: 'tcp-proxy-tls',
  caConfigMapName: 'tcp-proxy-ca',
  source: { secretName: 'tenant-01-api-server-certificate', certificateKey: 'apiserver.crt', privateKeyKey: 'apiserver.key' },
};

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('the objects of the management cluster', () => {
  test('are valid, and all there is', () => {
    const management = setUp({ networkPolicy: true });
    management.tenantWithProxy('tenant-01');
    management.tenantWithProxy('tenant-02');
    management.tenantWithProxy('tenant-01', { namespace: 'team-a' });
    const manifests = management.tenants.objects.map(object => object.toJson());
    manifests.forEach(expectValid);
    expect(titles(manifests)).toEqual([
      'Namespace tenant-sync', 'ServiceAccount tenant-sync/tenant-sync', 'Role tenant-sync/tenant-sync', 'RoleBinding tenant-sync/tenant-sync',
      'Deployment tenant-sync/tenant-sync', 'PodDisruptionBudget tenant-sync/tenant-sync', 'Service tenant-sync/tenant-sync', 'NetworkPolicy tenant-sync/tenant-sync',
      'ConfigMap tenant-sync/tenants.tenant-01', 'Role tenants/tenant-sync-secrets-tenants', 'RoleBinding tenants/tenant-sync-secrets-tenants',
      'ConfigMap tenant-sync/tenants.tenant-02',
      'ConfigMap tenant-sync/team-a.tenant-01', 'Role team-a/tenant-sync-secrets-team-a', 'RoleBinding team-a/tenant-sync-secrets-team-a',
    ]);
  });

  test('may be patched', () => {
    const management = setUp();
    management.tenants.objects.find(({ kind }) => kind === 'Deployment')!.addJsonPatch(JsonPatch.add('/spec/paused', true));
    expect(management.one('Deployment', 'tenant-sync').spec.paused).toBe(true);
  });

  test('are in a namespace and have a name that the user gives', () => {
    const management = setUp({ namespace: 'platform', name: 'delivery', createNamespace: false });
    management.tenant();
    expect(management.all('Namespace')).toEqual([]);
    expect(management.one('Role', 'delivery').metadata.namespace).toBe('platform');
    expect(management.one('Role', 'delivery-secrets-tenants').metadata.namespace).toBe('tenants');
    expect(management.one('RoleBinding', 'delivery-secrets-tenants').subjects).toEqual([{ kind: 'ServiceAccount', name: 'delivery', namespace: 'platform' }]);
    expect(management.one('ConfigMap', 'tenants.tenant-01').metadata.namespace).toBe('platform');
    expect(management.one('Deployment', 'delivery').spec.template.spec.containers[0].args).toContain('--lease-name=delivery');
  });

  test('have no conflict where control planes are in the namespace of sync', () => {
    const management = setUp({ namespace: 'tenants', createNamespace: false });
    management.tenant();
    management.app.synth();
    expect(titles(management.all('Role'))).toEqual(['Role tenants/tenant-sync', 'Role tenants/tenant-sync-secrets-tenants']);
  });
});

describe('the program', () => {
  test('runs with what the image takes', () => {
    const management = setUp({ concurrency: 4, resyncIntervalSeconds: 60, requestTimeoutSeconds: 3, logLevel: LogLevel.DEBUG });
    const [container] = management.one('Deployment', 'tenant-sync').spec.template.spec.containers;
    const [command, ...args] = container.args;
    expect(command).toBe('sync');
    const parser = syncCommand().action(() => undefined).exitOverride();
    const env = Object.fromEntries(container.env.filter(({ valueFrom }: any) => valueFrom).map(({ name, valueFrom }: any) => [name, valueFrom.fieldRef.fieldPath.replace('metadata.', 'the-')]));
    Object.assign(process.env, env);
    parser.parse(args, { from: 'user' });
    Object.keys(env).forEach(name => delete process.env[name]);
    expect(syncConfiguration(parser.opts())).toMatchObject({
      namespace: 'the-namespace', podName: 'the-name', leaseName: 'tenant-sync', concurrency: 4, resyncInterval: 60_000, requestTimeout: 3_000, logLevel: 'debug',
    });
    const [{ containerPort }] = container.ports;
    expect(container.args).toContain(`--health-address=[::]:${containerPort}`);
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'health' });
  });

  test('is hardened, stands by on another node and has no CPU limit', () => {
    const { replicas, template: { spec } } = setUp().one('Deployment', 'tenant-sync').spec;
    expect(replicas).toBe(2);
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec.containers[0].securityContext).toEqual({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(spec.containers[0].resources).toEqual({ requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } });
    expect(spec.topologySpreadConstraints[0]).toMatchObject({ topologyKey: 'kubernetes.io/hostname' });
    expect(spec.hostNetwork).toBeUndefined();
  });

  test('remembers whom it was visiting where that outlives the container', () => {
    const { containers: [container], volumes } = setUp().one('Deployment', 'tenant-sync').spec.template.spec;
    const [{ name, mountPath }] = container.volumeMounts;
    expect(volumes).toEqual([{ name, emptyDir: { medium: 'Memory', sizeLimit: '2Mi' } }]);
    expect(container.args).toContain(`--visits-file=${mountPath}/visits.json`);
  });

  test('does not change with tenants, so that none rolls it', () => {
    const one = setUp();
    one.tenant();
    expect(one.one('Deployment', 'tenant-sync')).toEqual(setUp().one('Deployment', 'tenant-sync'));
  });

  test('takes the settings of the pod', () => {
    const management = setUp({
      replicas: 1,
      image: 'registry.example.com/tcp-proxy:1',
      imagePullPolicy: ImagePullPolicy.ALWAYS,
      imagePullSecrets: ['pull'],
      tolerations: [{ operator: 'Exists' }],
      nodeSelector: { zone: 'a' },
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      podAnnotations: { a: 'b' },
      podLabels: { c: 'd' },
      labels: { e: 'f' },
      annotations: { g: 'h' },
    });
    const { metadata, spec: { replicas, template } } = management.one('Deployment', 'tenant-sync');
    expectValid(management.one('Deployment', 'tenant-sync'));
    expect(replicas).toBe(1);
    expect(metadata.annotations).toEqual({ g: 'h' });
    expect(metadata.labels).toMatchObject({ e: 'f' });
    expect(template.metadata).toMatchObject({ annotations: { a: 'b' }, labels: { c: 'd' } });
    expect(template.spec).toMatchObject({
      imagePullSecrets: [{ name: 'pull' }],
      tolerations: [{ operator: 'Exists' }],
      nodeSelector: { zone: 'a' },
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      containers: [{ image: 'registry.example.com/tcp-proxy:1', imagePullPolicy: 'Always' }],
    });
    management.manifests().forEach(manifest => expect(manifest.metadata.labels.e).toBe('f'));
  });

  test.each([
    [{ name: '1a' }, 'name: "1a" is not a valid name'],
    [{ namespace: 'A' }, 'namespace: "A" is not a valid name'],
    [{ replicas: 0 }, 'replicas: 0 is not a number of pods. Give a whole number from 1 to 1000.'],
    [{ resyncIntervalSeconds: 5 }, 'resyncIntervalSeconds: 5 is not a number of seconds. Give a whole number from 10 to 86400.'],
    [{ resyncIntervalSeconds: 2_147_484 }, 'resyncIntervalSeconds: 2147484 is not a number of seconds. Give a whole number from 10 to 86400.'],
    [{ concurrency: 1001 }, 'concurrency: 1001 is not a number of tenants. Give a whole number from 1 to 1000.'],
    [{ requestTimeoutSeconds: 0.5 }, 'requestTimeoutSeconds: 0.5 is not a number of seconds. Give a whole number from 1 to 86400.'],
  ])('does not run with %j', (props, message) => {
    expect(() => setUp(props)).toThrow(message);
  });

  test('is warned of with an image that moves', () => {
    expect(Warnings.of(setUp({ image: 'tcp-proxy' }).app)).toEqual([expect.stringContaining('image: "tcp-proxy" has no fixed tag')]);
  });
});

describe('the permissions', () => {
  test('are those that the image asks for, and no more', () => {
    const management = setUp();
    const [first, second] = ['tenant-02', 'tenant-01'].map(name => management.tenant(name));
    management.tenant('tenant-01', { namespace: 'team-a', platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3' });
    DeliveredTenant.of(first)!.requestCertificate(first, ISSUED);
    DeliveredTenant.of(second)!.requestCertificate(second, COPIED);
    const required = [
      { namespace: 'tenant-sync', rules: syncRules('tenant-sync') },
      {
        namespace: 'tenants',
        rules: tenantSecretsRules([
          'tenant-01-admin-kubeconfig', 'tenant-01-api-server-certificate', 'tenant-01-ca', 'tenant-02-admin-kubeconfig', 'tenant-02-ca',
        ].sort()),
      },
      { namespace: 'team-a', rules: tenantSecretsRules(['tenant-01-kubeconfig']) },
    ];
    const granted = management.all('Role').map(({ metadata: { namespace }, rules }) => ({ namespace, rules }));
    const byNamespace = (a: { namespace: string }, b: { namespace: string }) => a.namespace < b.namespace ? -1 : 1;
    expect(granted.sort(byNamespace)).toEqual([...required].sort(byNamespace));
    expect([...management.all('ClusterRole'), ...management.all('ClusterRoleBinding')]).toEqual([]);
  });

  test('do not reach the key of the tenant CA where no certificate is asked for', () => {
    const management = setUp();
    management.tenant();
    expect(management.one('Role', 'tenant-sync-secrets-tenants').rules[0].resourceNames).toEqual(['tenant-01-admin-kubeconfig']);
  });
});

describe('the bundle of a tenant', () => {
  test('is read by the image, with the objects of the chart', () => {
    const management = setUp();
    const chart = management.tenantWithProxy();
    const { bundle, objects } = bundleOf(management, 'tenants.tenant-01');
    expect(bundle).toEqual({
      version: 1,
      tenant: { namespace: 'tenants', name: 'tenant-01' },
      part: 1,
      parts: 1,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      kubeconfig: { secretName: 'tenant-01-admin-kubeconfig', keys: ['super-admin.svc', 'admin.svc'] },
      kubernetesEndpoints: 'owned',
      configMaps: ['tenants.tenant-01'],
      certificate: expect.objectContaining({ kind: 'issue', secretName: 'tcp-proxy-tls' }),
    });
    const byTitle = (a: any, b: any) => titles([a])[0] < titles([b])[0] ? -1 : 1;
    expect(objects.sort(byTitle)).toEqual(Testing.synth(chart).sort(byTitle));
  });

  test('keeps texts that YAML would take for something else', () => {
    const management = setUp();
    const data = { a: 'yes', b: '2001-12-14', c: '0775', d: 'null', e: '1e3', f: ' x ', g: '---\na: b\n', h: '#', i: '', j: 'é😀', k: '<<', l: '1_000', m: '0o17', n: '=', o: '.inf' };
    addConfigMap(management.tenant(), 'texts', data);
    const { objects } = bundleOf(management, 'tenants.tenant-01');
    expect((objects.find(({ metadata }) => metadata.name === 'texts') as any).data).toEqual(data);
  });

  test('has the objects in the order in which they can be applied', () => {
    const management = setUp();
    const chart = management.tenant();
    addObject(chart, 'deployment', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'a' } });
    addObject(chart, 'service', { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', namespace: 'a' } });
    addObject(chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });
    expect(titles(bundleOf(management, 'tenants.tenant-01').objects)).toEqual(['Namespace a', 'ConfigMap default/greeting', 'Service a/a', 'Deployment a/a']);
  });

  test('may have no objects: those that were there are removed', () => {
    const management = setUp();
    management.tenants.of(management.controlPlane());
    management.app.synth();
    const { bundle, objects } = bundleOf(management, 'tenants.tenant-01');
    expect(objects).toEqual([]);
    expect(bundle.parts).toBe(1);
  });

  test.each([
    ['owned', {}, 'owned'],
    ['a fixed address, which the API server publishes', { endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['100.64.30.10'] }), placement: TcpProxyPlacement.everyNode() }, undefined],
    ['those of the Service', { endpoints: TcpProxyEndpoints.kubernetesService(), namespace: 'default', placement: TcpProxyPlacement.everyNode() }, undefined],
  ])('says whether default/kubernetes is to be handed back: endpoints are %s', (_, props, expected) => {
    const management = setUp();
    const controlPlane = management.controlPlane();
    new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane, ...props });
    expect(bundleOf(management, 'tenants.tenant-01').bundle.kubernetesEndpoints).toBe(expected);
  });

  test('has the objects of lists by themselves', () => {
    const management = new Management(TenantDelivery.sync());
    addObject(management.tenant(), 'list', { apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'listed' } }] });
    const yaml = management.one('ConfigMap', 'tenants.tenant-01').data['objects.yaml'];
    expect(yaml).toMatch(/^apiVersion: v1\nkind: Namespace\nmetadata:\n  name: listed\n---/);
    expect(yaml).not.toContain('List');
  });

  test.each([
    ['Secret', 'tcp-proxy-tls'], ['ConfigMap', 'tcp-proxy-ca'], ['ConfigMap', 'tenant-sync-inventory'],
  ])('cannot have the %s %s, which sync keeps', (kind, name) => {
    const management = new Management(TenantDelivery.sync());
    addObject(management.tenantWithProxy(), 'own', { apiVersion: 'v1', kind, metadata: { name, namespace: 'kube-system' } });
    expect(management.errors()).toContain(`tenants/tenant-01: "${kind} kube-system/${name}" is kept by sync itself. ` +
      'Leave it out of the chart, or rename it; a certificate of your own is TcpProxyCertificate.existingSecret().');
  });

  test('may have a Secret of a certificate that sync does not keep', () => {
    const management = new Management(TenantDelivery.sync());
    const controlPlane = management.controlPlane();
    const chart = management.tenants.of(controlPlane);
    new TcpProxyAddon(chart, 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') });
    addObject(chart, 'own', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tcp-proxy-tls', namespace: 'kube-system' } });
    management.app.synth();
  });

  test('asks for a certificate from the tenant CA', () => {
    const management = setUp();
    const chart = management.tenant();
    DeliveredTenant.of(chart)!.requestCertificate(chart, ISSUED);
    expect(bundleOf(management, 'tenants.tenant-01').bundle.certificate).toEqual({
      ...ISSUED, ca: { secretName: 'tenant-01-ca', certificateKey: 'ca.crt', privateKeyKey: 'ca.key' },
    });
  });

  test('asks for a copy of a certificate, without the key of the tenant CA', () => {
    const management = setUp();
    const chart = management.tenant('tenant-01', {}, { clusterCa: { secretName: 'mine', certificateKey: 'a', privateKeyKey: 'b' } });
    DeliveredTenant.of(chart)!.requestCertificate(chart, COPIED);
    expect(bundleOf(management, 'tenants.tenant-01').bundle.certificate).toEqual({ ...COPIED, ca: { secretName: 'mine', certificateKey: 'a' } });
  });

  test('has one certificate', () => {
    const management = setUp();
    const chart = management.tenant();
    DeliveredTenant.of(chart)!.requestCertificate(chart, ISSUED);
    expect(() => DeliveredTenant.of(chart)!.requestCertificate(chart, COPIED)).toThrow(
      'certificate: "tenant-01" can have none from sync, as tenants/tenant-01 already has that of tenant-01. Give one of them a certificate with TcpProxyCertificate.existingSecret().');
  });

  test('has no certificate where the tenant CA is not known', () => {
    const management = setUp();
    const chart = management.tenants.of(management.controlPlane('tenant-01', { platform: ControlPlanePlatform.kamaji() }), { clusterCa: undefined });
    expect(DeliveredTenant.of(chart)!.clusterCa.secretName).toBe('tenant-01-ca');
    const unknown = new DeliveredTenant(new Chart(Testing.app(), 'c'), { ...DeliveredTenant.of(chart)!, exposure: DeliveredTenant.of(chart)!.exposure, secrets: {} });
    expect(() => unknown.requestCertificate(chart, ISSUED)).toThrow('clusterCa: is not known for tenants/tenant-01: its platform does not say which Secret has the ' +
      'certificate authority. Name it, e.g. of(controlPlane, { clusterCa:');
  });

  test('changes its checksum with an object or a setting alone', () => {
    const checksum = (greeting: string, endpoints: boolean) => {
      const management = setUp();
      const chart = management.tenants.of(management.controlPlane());
      addConfigMap(chart, 'greeting', { greeting });
      if (endpoints) {
        DeliveredTenant.of(chart)!.ownKubernetesEndpoints();
      }
      return bundleOf(management, 'tenants.tenant-01').bundle.checksum;
    };
    expect(checksum('a', false)).toBe(checksum('a', false));
    expect(new Set([checksum('a', false), checksum('b', false), checksum('a', true)]).size).toBe(3);
  });

  test('warns once of a Secret, which would be readable in the management cluster', () => {
    const management = setUp();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token', namespace: 'default' } };
    ['tenant-01', 'tenant-02'].forEach(name => addObject(management.tenant(name), 'secret', secret));
    management.app.synth();
    expect(Warnings.of(management.app)).toEqual([expect.stringContaining('objects: the Secret "token" of a tenant goes through a ConfigMap of the management cluster')]);
  });
});

describe('a large bundle', () => {
  const LARGE = { text: 'x'.repeat(200_000) };

  test('is divided, and put together by the image', () => {
    const management = setUp();
    const chart = management.tenant();
    ['a', 'b', 'c'].forEach(name => addConfigMap(chart, name, LARGE));
    management.app.synth();
    const { bundle, objects, configMaps } = bundleOf(management, 'tenants.tenant-01');
    expect(bundle).toMatchObject({ parts: 3, configMaps: ['tenants.tenant-01', 'tenants.tenant-01.2', 'tenants.tenant-01.3'] });
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['greeting', 'a', 'b', 'c']);
    configMaps.forEach(expectValid);
  });

  test('has as many parts as it takes each time that it is synthesized', () => {
    const management = setUp();
    const chart = management.tenant();
    const parts = () => management.all('ConfigMap').length;
    expect(parts()).toBe(1);
    ['a', 'b', 'c'].forEach(name => addConfigMap(chart, name, LARGE));
    expect(parts()).toBe(3);
    ['b', 'c'].forEach(name => chart.node.tryRemoveChild(name));
    expect(parts()).toBe(1);
    expect(management.one('ConfigMap', 'tenants.tenant-01').data['objects.yaml']).toContain('name: a');
  });

  test('may shrink and grow again where each object has a file', () => {
    const management = new Management(TenantDelivery.sync(), { app: { outdir: mkdtempSync(join(tmpdir(), 'sync-')), yamlOutputType: YamlOutputType.FILE_PER_RESOURCE } });
    const chart = management.tenant();
    for (let i = 0; i < 2; i++) {
      ['a', 'b'].forEach(name => addConfigMap(chart, name, { text: 'x'.repeat(200_000) }));
      management.app.synth();
      ['a', 'b'].forEach(name => chart.node.tryRemoveChild(name));
      management.app.synth();
    }
    rmSync(management.app.outdir, { recursive: true });
  });

  test('is an error where one object alone is too large', () => {
    const management = setUp();
    addConfigMap(management.tenant(), 'huge', { text: 'x'.repeat(1_000_000) });
    expect(management.errors()).toContain('[management/tenants] tenants/tenant-01: "ConfigMap default/huge" has 977 KiB; a ConfigMap of the management cluster can carry an object of 900 KiB.');
  });
});

describe('a tenant', () => {
  test('cannot have more objects than the image keeps a list of', () => {
    const management = setUp();
    const chart = management.tenant();
    for (let i = 0; i < 3_000; i++) addConfigMap(chart, `config-${i}`);
    expect(management.errors()).toContain('tenants/tenant-01: "3001 objects" are more than one tenant can have: sync takes 3000. Deliver the tenant with');
  });

  test('cannot have more ConfigMaps with objects than the image takes', () => {
    const management = setUp();
    const chart = management.tenant();
    for (let i = 0; i < 101; i++) addConfigMap(chart, `config-${i}`, { text: 'x'.repeat(200_000) });
    expect(management.errors()).toContain('tenants/tenant-01: "101 ConfigMaps" are more than one tenant can have: sync takes 100. Deliver the tenant with');
  });
});

describe('names of bundles', () => {
  test('differ between tenants whose names look alike', () => {
    const management = setUp();
    management.tenant('b', { namespace: 'team-a', hostname: 'b.example.com', konnectivity: undefined });
    management.tenant('a-b', { namespace: 'team' });
    management.app.synth();
    expect(bundleOf(management, 'team-a.b').bundle.tenant).toEqual({ namespace: 'team-a', name: 'b' });
    expect(bundleOf(management, 'team.a-b').bundle.tenant).toEqual({ namespace: 'team', name: 'a-b' });
  });

  test('are labels that are valid and differ where a tenant has a long name', () => {
    const management = setUp();
    const names = ['a', 'b'].map(end => `${'n'.repeat(62)}${end}`);
    names.forEach(name => management.tenant(name, { hostname: `${name[62]}.example.com`, konnectivity: undefined }));
    management.app.synth();
    const configMaps = management.all('ConfigMap');
    configMaps.forEach(expectValid);
    expect(new Set(configMaps.map(({ metadata }) => metadata.labels['app.kubernetes.io/instance'])).size).toBe(2);
    expect(configMaps.map(({ metadata }) => metadata.name)).toEqual(names.map(name => `tenants.${name}`));
  });

  test('are an error where a status would have the same', () => {
    const management = setUp();
    management.tenant('a');
    management.tenant('a-status');
    expect(management.errors()).toContain('ConfigMap in cluster "management": "tenant-sync/tenants.a-status" is used by both management/tenants/tenants.a and management/tenants/tenants.a-status.');
  });
});

describe('two syncs', () => {
  test('cannot share a namespace', () => {
    const management = setUp();
    new TenantCharts(new Chart(management.app, 'other'), 'tenants', { delivery: TenantDelivery.sync({ name: 'other', createNamespace: false }) });
    expect(management.errors()).toContain('namespace of sync in cluster "management": "tenant-sync" is used by both management/tenants and other/tenants. ' +
      'Two would deliver every tenant of the namespace: give each TenantCharts a namespace, or all tenants one TenantCharts.');
  });

  test('may be in two namespaces, or two management clusters', () => {
    const management = setUp();
    new TenantCharts(new Chart(management.app, 'other'), 'tenants', { delivery: TenantDelivery.sync({ namespace: 'other' }) });
    new TenantCharts(management.chartFor('eu'), 'tenants', { delivery: TenantDelivery.sync() });
    management.app.synth();
  });

  test('of two namespaces need two names where they deliver control planes of one namespace', () => {
    const management = setUp();
    management.tenant('a');
    const other = new TenantCharts(management.chart, 'others', { delivery: TenantDelivery.sync({ namespace: 'other' }) });
    other.of(management.controlPlane('b'));
    expect(management.errors()).toContain('Role in cluster "management": "tenants/tenant-sync-secrets-tenants" is used by both management/others and management/tenants.');
  });
});

describe('a NetworkPolicy that keeps sync from a control plane', () => {
  const warnings = (namespaces: string[], platform = ControlPlanePlatform.kamaji()) => {
    const management = setUp();
    management.tenant('tenant-01', { networkPolicy: { namespaces }, platform });
    return Warnings.of(management.app);
  };

  test('is warned of', () => {
    expect(warnings(['haproxy'])).toEqual(['networkPolicy.namespaces: does not name "tenant-sync", so that sync cannot reach control planes at their Services. Add it.']);
  });

  test('is not where it lets sync in', () => {
    expect(warnings(['haproxy', 'tenant-sync'])).toEqual([]);
  });
});
