import { ApiObject, Chart, Testing } from 'cdk8s';
import { Management, titles } from './harness';
import { assemble, bundlePart } from '../../images/tcp-proxy/src/sync/bundle';
import { syncConfiguration } from '../../images/tcp-proxy/src/sync/configuration';
import {
  ControlPlanePlatform, IHostedControlPlane, IngressExposedControlPlane, TcpProxyAddon, TcpProxyCertificate, TcpProxyUpstream,
  TenantCertificates, TenantCharts, TenantChartOptions, TenantDelivery, Warnings,
} from '../../src';
import { expectValid } from '../support/schemas';

// Its lazy imports are in the dialect of the image's tsconfig.json.
const { syncCommand } = jest.requireActual('../../images/tcp-proxy/src/sync/command');

const FLUX = TenantDelivery.flux({ source: { name: 'fleet' } });
const OTHERS: [string, TenantDelivery][] = [
  ['manifests()', TenantDelivery.manifests()],
  ['flux()', FLUX],
  ['argoCd()', TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/fleet.git' })],
  ['clusterResourceSet()', TenantDelivery.clusterResourceSet()],
];
const KAMAJI_CAPI = { platform: ControlPlanePlatform.kamajiControlPlane() };

/** What `sync` reads of a tenant. */
function bundleOf(management: Management, name: string) {
  const configMap = management.all('ConfigMap').find(({ metadata }) => metadata.namespace === 'tenant-certificates' && metadata.name === name);
  return configMap && assemble([bundlePart(configMap)]).bundle;
}

function secretsRead(management: Management): string[] {
  return management.all('Role').filter(({ metadata }) => metadata.name.startsWith('tenant-certificates-secrets-')).flatMap(({ metadata, rules }) =>
    rules.flatMap(({ resourceNames, verbs }: any) => resourceNames.map((name: string) => `${verbs} ${metadata.namespace}/${name}`)));
}

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('the certificate of a tcp-proxy', () => {
  test.each(OTHERS)('is kept by sync beside %s, which the pods mount', (_, delivery) => {
    const management = new Management(delivery);
    const chart = management.tenantWithProxy('tenant-01', KAMAJI_CAPI);
    expect(bundleOf(management, 'tenants.tenant-01')).toMatchObject({
      tenant: { namespace: 'tenants', name: 'tenant-01' },
      kubeconfig: { secretName: 'tenant-01-admin-kubeconfig' },
      certificate: { kind: 'issue', namespace: 'kube-system', secretName: 'tcp-proxy-tls', caConfigMapName: 'tcp-proxy-ca', ca: { secretName: 'tenant-01-ca' } },
    });
    const { volumes } = Testing.synth(chart).find(({ kind }: any) => kind === 'Deployment').spec.template.spec;
    expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'tcp-proxy-tls', defaultMode: 0o440 } });
    expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'tcp-proxy-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
    expect(Warnings.of(management.chart)).toEqual([]);
  });

  test('brings one program, which may read the Secrets of its tenants by their names and no others', () => {
    const management = new Management(FLUX);
    management.tenantWithProxy('tenant-01');
    management.tenantWithProxy('tenant-02', { namespace: 'team-a' });
    management.tenant('tenant-03');
    expect(management.all('Deployment').map(({ metadata }) => metadata.name)).toEqual(['tenant-certificates']);
    expect(secretsRead(management).sort()).toEqual([
      'get team-a/tenant-02-admin-kubeconfig', 'get team-a/tenant-02-ca', 'get tenants/tenant-01-admin-kubeconfig', 'get tenants/tenant-01-ca',
    ]);
    management.tenants.objects.map(object => object.toJson()).forEach(expectValid);
    expect(titles(management.tenants.objects.map(object => object.toJson())).filter(title => title.startsWith('ClusterRole'))).toEqual([]);
  });

  test('has its program told to keep nothing else', async () => {
    const management = new Management(FLUX);
    management.tenantWithProxy();
    const [container] = management.one('Deployment', 'tenant-certificates').spec.template.spec.containers;
    let values: any;
    await syncCommand().action((given: any) => { values = given; }).parseAsync(
      [...container.args.slice(1), '--namespace=tenant-certificates', '--pod-name=a'], { from: 'user' });
    expect(syncConfiguration(values)).toMatchObject({ certificatesOnly: true, leaseName: 'tenant-certificates' });
    expect(JSON.stringify(bundleOf(management, 'tenants.tenant-01'))).not.toContain('kubernetesEndpoints');
  });

  test('has no program where no tcp-proxy opens TLS, or the user brings the certificates', () => {
    const management = new Management(FLUX);
    const direct = management.controlPlane('tenant-01');
    new TcpProxyAddon(management.tenants.of(direct), 'tcp-proxy', { controlPlane: direct, upstream: TcpProxyUpstream.direct({ host: '192.0.2.1' }) });
    const own = management.controlPlane('tenant-02');
    new TcpProxyAddon(management.tenants.of(own), 'tcp-proxy', { controlPlane: own, certificate: TcpProxyCertificate.existingSecret('mine') });
    expect(management.all('Deployment')).toEqual([]);
    expect(Warnings.of(management.chart)).toEqual([]);
  });

  test('changes the checksum of what sync reads with its names', () => {
    const checksums = ['10.96.0.0/12', '10.97.0.0/16'].map(serviceCidr => {
      const management = new Management(FLUX);
      management.tenantWithProxy('tenant-01', { network: { serviceCidrs: [serviceCidr] } });
      return bundleOf(management, 'tenants.tenant-01')!.checksum;
    });
    expect(new Set(checksums).size).toBe(2);
  });

  test('is kept for a control plane that another app made', () => {
    const management = new Management(FLUX);
    const controlPlane = IngressExposedControlPlane.fromAttributes(management.chart, 'tenant-01', {
      namespace: 'tenants', domain: 'example.com', platform: ControlPlanePlatform.kamaji(), endpointsOwnedByTcpProxy: true,
    });
    new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
    expect(bundleOf(management, 'tenants.tenant-01')).toMatchObject({ certificate: { kind: 'issue' } });
  });

  test('may be one of cert-manager, which sync copies', () => {
    const management = new Management(FLUX);
    const controlPlane = management.controlPlane();
    new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.certManager() });
    expect(titles(management.manifests())).toEqual(expect.arrayContaining(['Issuer tenants/tenant-01-tcp-proxy', 'Certificate tenants/tenant-01-tcp-proxy']));
    expect(bundleOf(management, 'tenants.tenant-01')).toMatchObject({ certificate: { kind: 'copy', source: { secretName: 'tenant-01-tcp-proxy-tls' } } });
    expect(secretsRead(management).sort()).toEqual(['get tenants/tenant-01-admin-kubeconfig', 'get tenants/tenant-01-ca', 'get tenants/tenant-01-tcp-proxy-tls']);
  });
});

describe('where nobody can keep a certificate', () => {
  const custom = (management: Management, secrets: TenantChartOptions): IHostedControlPlane => {
    const controlPlane = IngressExposedControlPlane.fromAttributes(management.chart, 'tenant-01', { namespace: 'tenants', domain: 'example.com', endpointsOwnedByTcpProxy: true, nodesReachable: true });
    new TcpProxyAddon(management.tenants.of(controlPlane, secrets), 'tcp-proxy', { controlPlane });
    return controlPlane;
  };
  const adminKubeconfig = { secretName: 'kubeconfig', keys: ['value'] };

  test.each<[string, TenantChartOptions, string]>([
    ['the kubeconfig', {}, 'adminKubeconfig is not known for tenants/tenant-01: its platform does not say which Secret has the administrator\'s kubeconfig. Name it, e.g. '],
    ['the CA', { adminKubeconfig }, 'clusterCa is not known for tenants/tenant-01: its platform does not say which Secret has the certificate authority. Name it, e.g. '],
  ])('as %s is not known, there is a warning that says what to do', (_, secrets, text) => {
    const management = new Management(TenantDelivery.manifests());
    custom(management, secrets);
    expect(Warnings.of(management.chart)).toEqual([expect.stringContaining(`do not start: ${text}`)]);
    expect(Warnings.of(management.chart)).toEqual([expect.stringContaining('; or keep the Secret yourself and say so with TcpProxyCertificate.existingSecret("tcp-proxy-tls").')]);
    expect(management.all('Deployment')).toEqual([]);
  });

  test('naming both Secrets is enough', () => {
    const management = new Management(TenantDelivery.manifests());
    custom(management, { adminKubeconfig, clusterCa: { secretName: 'pki', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' } });
    expect(Warnings.of(management.chart)).toEqual([]);
    expect(secretsRead(management)).toEqual(['get tenants/kubeconfig', 'get tenants/pki']);
  });

  test('an explicit wish is an error instead', () => {
    const management = new Management(TenantDelivery.manifests());
    const controlPlane = IngressExposedControlPlane.fromAttributes(management.chart, 'tenant-01', { namespace: 'tenants', domain: 'example.com', endpointsOwnedByTcpProxy: true, nodesReachable: true });
    expect(() => new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.issuedBySync() }))
      .toThrow('clusterCa: is not known');
  });

  test('a chart with the Secret that sync keeps is an error', () => {
    const management = new Management(FLUX);
    const chart = management.tenantWithProxy();
    new ApiObject(chart, 'own', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tcp-proxy-tls', namespace: 'kube-system' } });
    expect(management.errors()).toContain('tenants-tenant-01: "Secret kube-system/tcp-proxy-tls" is kept by sync itself. Leave it out of the chart');
  });
});

describe('TenantCertificates', () => {
  const ARGO_CD = TenantDelivery.argoCd({ repoUrl: 'https://git.example.com/fleet.git' });

  test('that the user makes have their properties, and are the only ones', () => {
    const management = new Management(FLUX);
    const certificates = new TenantCertificates(management.chart, 'certificates', { namespace: 'pki', name: 'pki', replicas: 1 });
    management.tenantWithProxy();
    expect(management.all('Deployment')).toMatchObject([{ metadata: { name: 'pki', namespace: 'pki' }, spec: { replicas: 1 } }]);
    expect(titles(certificates.objects.map(object => object.toJson()))).toEqual(expect.arrayContaining(['ConfigMap pki/tenants.tenant-01', 'Role tenants/pki-secrets-tenants']));
  });

  test('are shared by TenantCharts of one chart', () => {
    const management = new Management(FLUX);
    const others = new TenantCharts(management.chart, 'others');
    management.tenantWithProxy('tenant-01');
    const controlPlane = management.controlPlane('tenant-02');
    new TcpProxyAddon(others.of(controlPlane), 'tcp-proxy', { controlPlane });
    expect(management.all('Deployment')).toHaveLength(1);
    expect(secretsRead(management)).toHaveLength(4);
  });

  test('have to be made by the user where TenantCharts of one cluster are in two charts', () => {
    const management = new Management(TenantDelivery.manifests());
    management.tenantWithProxy('tenant-01');
    const other = new Chart(management.app, 'other');
    const controlPlane = management.controlPlane('tenant-02', {}, other);
    new TcpProxyAddon(new TenantCharts(other, 'tenants', { outputFolder: 'other' }).of(controlPlane), 'tcp-proxy', { controlPlane });
    expect(Warnings.of(management.app)).toEqual([expect.stringContaining('would need a second sync for certificates in the cluster "management", beside that of management/tenants. ' +
      'Make new TenantCertificates() once')]);
  });

  test('are where the control planes are, when Argo CD is elsewhere', () => {
    const management = new Management(ARGO_CD, { cluster: 'hub' });
    const eu = management.chartFor('eu');
    new TenantCertificates(eu, 'certificates');
    const controlPlane = management.controlPlane('tenant-01', {}, eu);
    new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane, certificate: TcpProxyCertificate.certManager() });
    expect(Warnings.of(management.app)).toEqual([]);
    expect(titles(Testing.synth(eu))).toEqual(expect.arrayContaining([
      'Deployment tenant-certificates/tenant-certificates', 'ConfigMap tenant-certificates/tenants.tenant-01', 'Certificate tenants/tenant-01-tcp-proxy',
    ]));
    expect(titles(management.manifests())).toEqual(['Application argocd/eu.tenants.tenant-01']);
  });

  test('are asked for where Argo CD is elsewhere and there are none', () => {
    const management = new Management(ARGO_CD, { cluster: 'hub' });
    const controlPlane = management.controlPlane('tenant-01', {}, management.chartFor('eu'));
    new TcpProxyAddon(management.tenants.of(controlPlane), 'tcp-proxy', { controlPlane });
    expect(Warnings.of(management.app)).toEqual([expect.stringContaining('Make new TenantCertificates() in a chart for the cluster "eu", before the tcp-proxies')]);
  });

  test('cannot be two in a cluster, nor share the namespace of a sync that delivers', () => {
    const management = new Management(FLUX);
    management.tenantWithProxy();
    expect(() => new TenantCertificates(management.chart, 'late')).toThrow('management/late: scope: "management" is in a chart for the cluster "management", which has sync for ' +
      'certificates already, that of management/tenants. Make one for each management cluster, before the tcp-proxies.');
    const other = new Management(TenantDelivery.sync());
    new TenantCertificates(other.chart, 'certificates', { namespace: 'tenant-sync' });
    expect(other.errors()).toContain('namespace of sync in cluster "management"');
  });

  test('are kept away from by a NetworkPolicy that does not let them in, with a warning', () => {
    const management = new Management(FLUX);
    management.tenantWithProxy('tenant-01', { networkPolicy: { namespaces: ['haproxy'] } });
    expect(Warnings.of(management.chart)).toEqual([expect.stringContaining('does not name "tenant-certificates", so that sync cannot reach')]);
  });
});
