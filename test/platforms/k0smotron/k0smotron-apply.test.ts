import { App, Chart } from 'cdk8s';
import { HOSTS, K0smotronTenant } from './k0smotron-harness';
import {
  ControlPlanePlatform, HetznerAccess, HetznerHostedCluster, HetznerRegion, IngressController, IngressExposedControlPlane, K0smotronApiVersion,
  K0smotronCertificate, K0smotronClusterProps, K0smotronStorage, SharedIngressGateway, TcpProxyAddon, TcpProxyUpstream, Warnings,
} from '../../../src';

const standalone = (props?: K0smotronClusterProps) => ControlPlanePlatform.k0smotron(props);
const VERSIONS = Object.values(K0smotronApiVersion);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('labels, which k0smotron copies into selectors', () => {
  const labels = { 'team': 'a', 'argocd.argoproj.io/instance': 'platform' };

  function labelled(platform: ControlPlanePlatform) {
    const chart = new Chart(new App(), 'management', { labels: { chart: 'management' } });
    return new IngressExposedControlPlane(chart, 'tenant-01', {
      namespace: 'tenants', kubernetesVersion: '1.34.3', controller: IngressController.traefik(), ...HOSTS, platform, labels,
    });
  }

  test.each(VERSIONS)('are kept off the Cluster, those of the user and of the chart, in %s', apiVersion => {
    const { platformObject, routeObjects } = labelled(standalone({ apiVersion }));
    expect(platformObject.toJson().metadata).toEqual({ name: 'tenant-01', namespace: 'tenants' });
    expect(routeObjects[0].toJson().metadata.labels).toMatchObject({ ...labels, chart: 'management' });
  });

  test('can still be given to one Cluster, which was made with them', () => {
    const { platformObject } = labelled(standalone());
    platformObject.metadata.addLabel('app.kubernetes.io/instance', 'tenant-01');
    platformObject.metadata.addLabel('chart', 'management');
    expect(platformObject.toJson().metadata.labels).toEqual({ 'app.kubernetes.io/instance': 'tenant-01', 'chart': 'management' });
  });

  test('stay on a K0smotronControlPlane, whose Cluster does not get them', () => {
    expect(labelled(ControlPlanePlatform.k0smotronControlPlane()).platformObject.toJson().metadata.labels).toMatchObject({ ...labels, chart: 'management' });
  });
});

describe('the names for the certificate, which k0smotron writes back into the Cluster', () => {
  const sansOf = (resource: any): string[] | undefined => resource.spec.k0sConfig.spec.api?.sans;
  const platforms = [['a Cluster', standalone], ['a K0smotronControlPlane', ControlPlanePlatform.k0smotronControlPlane]] as const;

  test.each(platforms)('are left to k0smotron and k0s in %s, without tcp-proxy and behind one that opens TLS', (_, platform) => {
    const tenant = new K0smotronTenant(platform());
    expect(sansOf(tenant.resource())).toBeUndefined();
    new TcpProxyAddon(new Chart(tenant.app, 'tenant'), 'tcp-proxy', { controlPlane: tenant.controlPlane });
    expect(sansOf(tenant.resource())).toBeUndefined();
  });

  test.each(platforms)('are those that the user adds in %s', (_, platform) => {
    const tenant = new K0smotronTenant(platform(), { certSans: ['api.internal.example.com', HOSTS.hostname, '192.0.2.10'] });
    expect(sansOf(tenant.resource())).toEqual(['api.internal.example.com', '192.0.2.10']);
  });

  test.each([
    ['a direct upstream', (_chart: Chart) => TcpProxyUpstream.direct({ host: '192.0.2.1' })],
    ['a shared gateway', (chart: Chart) => TcpProxyUpstream.sharedGateway(new SharedIngressGateway(chart, 'gateway', { namespace: 'gateway' }))],
  ])('are with %s, where pods see this certificate, the one that k0s lacks', (_, upstream) => {
    const tenant = new K0smotronTenant(standalone(), { clusterId: 'tenant-01', network: { clusterDomain: 'tenant.internal' } });
    new TcpProxyAddon(new Chart(tenant.app, 'tenant'), 'tcp-proxy', { controlPlane: tenant.controlPlane, upstream: upstream(tenant.chart) });
    expect(sansOf(tenant.controlPlane.platformObject.toJson())).toEqual(['kubernetes.default.svc.tenant.internal']);
  });

  test('are with an address of its own, where pods see this certificate too, the one that k0s lacks', () => {
    const cluster = new HetznerHostedCluster(new Chart(new App(), 'management'), 'cluster01', {
      namespace: 'clusters',
      k0sVersion: '1.34.3',
      access: HetznerAccess.nodePort({ host: '203.0.113.20' }),
      region: HetznerRegion.NBG1,
      workers: { type: 'cpx22' },
      sshKeyNames: ['ops'],
    });
    expect(sansOf(cluster.controlPlaneObject.toJson())).toEqual(['kubernetes.default.svc.cluster.local']);
  });
});

describe('a list to which k0smotron adds', () => {
  const warnings = (props: K0smotronClusterProps, certSans?: string[]) => new K0smotronTenant(standalone(props), { certSans }).warnings();
  const etcdClient = { type: K0smotronCertificate.ETCD_CLIENT, secretName: 'client' };
  const ca = { type: K0smotronCertificate.CA, secretName: 'ca' };
  const manifests = [{ name: 'cni', configMapName: 'cni' }];

  test.each<[field: string, path: string, props: K0smotronClusterProps, certSans: string[]]>([
    ['certSans', '/spec/k0sConfig/spec/api/sans', {}, ['api.internal.example.com']],
    ['manifests', '/spec/manifests', { manifests }, []],
    ['certificateRefs', '/spec/certificateRefs', { certificateRefs: [ca] }, []],
  ])('is warned of when the user has items in %s', (field, path, props, certSans) => {
    expect(warnings(props, certSans)).toEqual([expect.stringMatching(new RegExp(`^${field}: k0smotron adds items of its own to ${path} of the Cluster.*force-conflicts`))]);
  });

  test.each<[string, K0smotronClusterProps, string[]]>([
    ['nothing of the user\'s', { manifests: [] }, [HOSTS.hostname, 'kubernetes']],
    ['the certificate that it would add', { certificateRefs: [ca, etcdClient] }, []],
    ['certificates, and no etcd', { certificateRefs: [ca], storage: K0smotronStorage.kine('database') }, []],
  ])('is not warned of with %s', (_, props, certSans) => {
    expect(warnings(props, certSans)).toEqual([]);
  });

  test('is not warned of in a K0smotronControlPlane, of which k0smotron makes a Cluster to write to', () => {
    const tenant = new K0smotronTenant(ControlPlanePlatform.k0smotronControlPlane({ manifests, certificateRefs: [ca] }), { certSans: ['a.example.com'] });
    expect(Warnings.of(tenant.controlPlane)).toEqual([]);
  });
});
