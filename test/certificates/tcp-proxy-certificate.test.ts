import { Chart, Testing } from 'cdk8s';
import { certificateRequest } from '../../images/tcp-proxy/src/sync/bundle';
import {
  ControlPlanePlatform, Exposure, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, TcpProxyAddon, TcpProxyAddonProps,
  TcpProxyCertificate, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, TenantChartOptions, TenantCharts, TenantDelivery, Warnings,
} from '../../src';
import { DeliveredTenant } from '../../src/delivery/delivered-tenant';
import { expectValid } from '../support/schemas';

interface SetUp {
  readonly delivery?: TenantDelivery;
  readonly controlPlane?: Partial<IngressExposedControlPlaneProps>;
  readonly tenant?: TenantChartOptions;
  readonly proxy?: Partial<TcpProxyAddonProps>;
}

function setUp({ delivery = TenantDelivery.sync(), controlPlane: props, tenant: options, proxy }: SetUp = {}) {
  const management = new Chart(Testing.app(), 'management');
  const tenants = new TenantCharts(management, 'tenants', { delivery });
  const controlPlane = new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain: 'example.com',
    platform: ControlPlanePlatform.kamaji(),
    controller: IngressController.traefik(),
    ...props,
  });
  const tenant = tenants.of(controlPlane, options);
  const addon = new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane, ...proxy });
  const volumes: any[] = (addon.workload?.toJson() as any)?.spec.template.spec.volumes;
  return {
    addon,
    tenant,
    volumes,
    request: DeliveredTenant.of(tenant)?.certificate,
    manifests: () => Testing.synth(management) as any[],
  };
}

/** The Secrets beside the control plane that some Role lets sync read. */
function readableSecrets(manifests: any[]): string[] {
  const rules: any[] = manifests.filter(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'tenants').flatMap(role => role.rules);
  return [...new Set<string>(rules.filter(rule => rule.resources.includes('secrets')).flatMap(rule => rule.resourceNames))].sort();
}

const CUSTOM_CA = { clusterCa: { secretName: 'pki', certificateKey: 'authority.pem', privateKeyKey: 'authority-key.pem' } };

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('a certificate issued by sync', () => {
  test('is what a proxy has in a chart that sync delivers, for all that pods call the API server', () => {
    const { request } = setUp();
    expect(request).toEqual({
      kind: 'issue',
      ca: { secretName: 'tenant-01-ca', certificateKey: 'ca.crt', privateKeyKey: 'ca.key' },
      namespace: 'kube-system',
      secretName: 'tcp-proxy-tls',
      caConfigMapName: 'tcp-proxy-ca',
      dnsNames: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
      ipAddresses: ['10.96.0.1'],
    });
    expect(certificateRequest.parse(request)).toEqual(request);
  });

  test('is for the cluster domain, both families and the addresses of the nodes', () => {
    const { request } = setUp({
      controlPlane: {
        network: {
          clusterDomain: 'corp.internal',
          serviceCidrs: ['10.100.0.0/16', 'fd00:10:100::/112'],
          podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'],
        },
      },
      proxy: {
        placement: TcpProxyPlacement.everyNode(),
        endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10', 'fd00:64::10'] }),
      },
    });
    expect(request).toMatchObject({
      dnsNames: expect.arrayContaining(['kubernetes.default.svc.corp.internal']),
      ipAddresses: ['10.100.0.1', 'fd00:10:100::1', '100.64.30.10', 'fd00:64::10'],
    });
    expect(JSON.stringify(request)).not.toContain('cluster.local');
  });

  test('is in the Secret and beside the CA that the pods mount, whatever they are called', () => {
    const { request, volumes } = setUp({ proxy: { name: 'api', namespace: 'proxies', certificate: TcpProxyCertificate.issuedBySync({ secretName: 'mine' }) } });
    expect(request).toMatchObject({ namespace: 'proxies', secretName: 'mine', caConfigMapName: 'api-ca' });
    expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'mine', defaultMode: 0o440 } });
    expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'api-ca', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
  });

  test('has sync read the Secret of the CA, and no other beside the kubeconfig', () => {
    expect(readableSecrets(setUp().manifests())).toEqual(['tenant-01-admin-kubeconfig', 'tenant-01-ca']);
  });

  test('is not asked for where TLS stays closed, and the CA is that of every pod', () => {
    const { request, volumes } = setUp({ proxy: { upstream: TcpProxyUpstream.direct({ host: '192.0.2.10' }) } });
    expect(request).toBeUndefined();
    expect(volumes.map(volume => volume.name)).not.toContain('tls');
    expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
  });

  test('is not asked for with a static pod, which has it in files of the nodes', () => {
    const { request, addon } = setUp({
      proxy: { placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) },
    });
    expect(request).toBeUndefined();
    expect(addon.nodeFiles.slice(-1)[0].content).toContain('path: /etc/kubernetes/tcp-proxy/tls');
  });
});

describe('an existing Secret', () => {
  test('is what a proxy has in a chart that the user made, and the CA is that of every pod, with a warning', () => {
    const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });
    const chart = new Chart(Testing.app(), 'by-hand');
    const addon = new TcpProxyAddon(chart, 'tcp-proxy', { exposure });
    const { volumes } = (addon.workload!.toJson() as any).spec.template.spec;
    expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'tcp-proxy-tls', defaultMode: 0o440 } });
    expect(volumes).toContainEqual({ name: 'ca', configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } });
    expect(Warnings.of(chart)).toEqual([
      'certificate: nothing of this app makes the Secret kube-system/tcp-proxy-tls, without which the pods of the tcp-proxy do not start: the chart is none of ' +
      'TenantCharts, so that nobody knows how to reach the tenant. Take it from TenantCharts.of(), for any delivery; or keep the Secret yourself and say so with ' +
      'TcpProxyCertificate.existingSecret("tcp-proxy-tls").',
    ]);
  });

  test('that the user names is no reason for a warning', () => {
    const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });
    const chart = new Chart(Testing.app(), 'by-hand');
    new TcpProxyAddon(chart, 'tcp-proxy', { exposure, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls') });
    expect(Warnings.of(chart)).toEqual([]);
  });

  test('may be chosen where sync delivers', () => {
    const { request, volumes } = setUp({ proxy: { certificate: TcpProxyCertificate.existingSecret('by-vault') } });
    expect(request).toBeUndefined();
    expect(volumes).toContainEqual({ name: 'tls', secret: { secretName: 'by-vault', defaultMode: 0o440 } });
  });
});

describe('a certificate of cert-manager', () => {
  const certificatesOf = (manifests: any[]) => manifests.filter(({ apiVersion }) => apiVersion === 'cert-manager.io/v1');

  test('is issued from the Secret of the CA in the management cluster, and copied', () => {
    const { request, manifests } = setUp({ proxy: { certificate: TcpProxyCertificate.certManager() } });
    const [issuer, certificate] = certificatesOf(manifests()).sort((a, b) => a.kind < b.kind ? 1 : -1);
    expect(issuer).toMatchObject({ kind: 'Issuer', metadata: { namespace: 'tenants', name: 'tenant-01-tcp-proxy' }, spec: { ca: { secretName: 'tenant-01-ca' } } });
    expect(certificate).toMatchObject({ kind: 'Certificate', metadata: { namespace: 'tenants', name: 'tenant-01-tcp-proxy' } });
    expect(certificate.spec).toEqual({
      secretName: 'tenant-01-tcp-proxy-tls',
      issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: 'tenant-01-tcp-proxy' },
      commonName: 'tcp-proxy',
      dnsNames: ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'],
      ipAddresses: ['10.96.0.1'],
      duration: '2160h',
      usages: ['digital signature', 'server auth'],
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
    });
    expect(request).toEqual({
      kind: 'copy',
      source: { secretName: 'tenant-01-tcp-proxy-tls', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      ca: { secretName: 'tenant-01-ca', certificateKey: 'ca.crt' },
      namespace: 'kube-system',
      secretName: 'tcp-proxy-tls',
      caConfigMapName: 'tcp-proxy-ca',
    });
    expect(certificateRequest.parse(request)).toEqual(request);
  });

  test('may be issued by an issuer that there is, for as long as one likes', () => {
    const { manifests } = setUp({
      tenant: CUSTOM_CA,
      proxy: { certificate: TcpProxyCertificate.certManager({ issuer: { name: 'tenants', kind: 'ClusterIssuer' }, duration: '24h' }) },
    });
    const certificates = certificatesOf(manifests());
    expect(certificates.map(({ kind }) => kind)).toEqual(['Certificate']);
    expect(certificates[0].spec).toMatchObject({ issuerRef: { group: 'cert-manager.io', kind: 'ClusterIssuer', name: 'tenants' }, duration: '24h' });
  });

  test('has sync read the Secret of cert-manager', () => {
    expect(readableSecrets(setUp({ proxy: { certificate: TcpProxyCertificate.certManager() } }).manifests())).toEqual(
      ['tenant-01-admin-kubeconfig', 'tenant-01-ca', 'tenant-01-tcp-proxy-tls']);
  });

  describe('as cert-manager defines it', () => {
    test('is valid', () => {
      certificatesOf(setUp({ proxy: { certificate: TcpProxyCertificate.certManager() } }).manifests()).forEach(expectValid);
    });
  });
});

describe("a copy of the API server's certificate", () => {
  test('is made of the Secret of the platform, with a warning of the key that goes with it', () => {
    const { addon, request } = setUp({ proxy: { certificate: TcpProxyCertificate.copyApiServerCertificate() } });
    expect(request).toMatchObject({
      kind: 'copy', source: { secretName: 'tenant-01-api-server-certificate', certificateKey: 'apiserver.crt', privateKeyKey: 'apiserver.key' },
    });
    expect(Warnings.of(addon)).toEqual([
      'certificate: the private key of the API server is copied into the tenant cluster, where whoever reads Secrets of the ' +
      'namespace "kube-system" can pose as the API server. TcpProxyCertificate.issuedBySync() gives the proxy a key of its own.',
    ]);
  });

  describe('of an address that every node has', () => {
    const build = (endpoints: TcpProxyEndpoints, certSans: string[]) => setUp({
      controlPlane: { certSans },
      proxy: { certificate: TcpProxyCertificate.copyApiServerCertificate(), placement: TcpProxyPlacement.everyNode(), endpoints },
    });

    test('needs the address in it', () => {
      const endpoints = TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] });
      expect(() => build(endpoints, [])).toThrow('certSans: "100.64.30.10" is missing, while nodes know the API server by that address too, and the certificate ' +
        'that is copied must carry it. Add it to certSans of the control plane, or choose TcpProxyCertificate.issuedBySync().');
      expect(build(endpoints, ['100.64.30.10']).request).toMatchObject({ kind: 'copy' });
    });

    test('has it already when the API server advertises the address', () => {
      expect(build(TcpProxyEndpoints.fixedAddress({ addresses: ['100.64.30.10'] }), []).request).toMatchObject({ kind: 'copy' });
    });
  });

  test('is the only one with a warning', () => {
    expect(Warnings.of(setUp().addon)).toEqual([]);
    expect(Warnings.of(setUp({ proxy: { certificate: TcpProxyCertificate.certManager() } }).addon)).toEqual([]);
  });
});

describe('errors tell what to change:', () => {
  const NOT_DELIVERED = 'is kept by sync, which does not know the tenant of this chart. ' +
    'Take the chart from TenantCharts.of(), or name a Secret with TcpProxyCertificate.existingSecret().';

  test.each<[string, TcpProxyCertificate]>([
    ['issuedBySync()', TcpProxyCertificate.issuedBySync()],
    ['certManager()', TcpProxyCertificate.certManager()],
    ['copyApiServerCertificate()', TcpProxyCertificate.copyApiServerCertificate()],
  ])('%s in a chart that is none of TenantCharts', (title, certificate) => {
    const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });
    expect(() => new TcpProxyAddon(new Chart(Testing.app(), 'by-hand'), 'tcp-proxy', { exposure, certificate })).toThrow(`certificate: "${title}" ${NOT_DELIVERED}`);
  });

  test('a second certificate from sync', () => {
    const { tenant } = setUp();
    const exposure = new Exposure({ name: 'tenant-01', namespace: 'tenants', hostname: 'tenant-01.k8s.example.com' });
    expect(() => new TcpProxyAddon(tenant, 'other', { exposure, name: 'other' })).toThrow('can have none from sync, as tenants/tenant-01 already has that of ');
  });

  test('a CA that cert-manager cannot read', () => {
    expect(() => setUp({ tenant: CUSTOM_CA, proxy: { certificate: TcpProxyCertificate.certManager() } })).toThrow(
      'certificate: "certManager()" cannot sign with the Secret "pki": an issuer of cert-manager reads the keys tls.crt and tls.key, and the CA is under ' +
      '"authority.pem". Give the issuer property an issuer of your own, or choose TcpProxyCertificate.issuedBySync().');
  });

  test("a platform that does not say which Secret has the API server's certificate", () => {
    expect(() => setUp({
      controlPlane: { platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3', konnectivity: {} },
      proxy: { certificate: TcpProxyCertificate.copyApiServerCertificate() },
    })).toThrow('certificate: "copyApiServerCertificate()" has nothing to copy: the platform of tenants/tenant-01 does not say which Secret has the API ' +
      'server\'s certificate. Choose TcpProxyCertificate.issuedBySync(), or name it, e.g. of(controlPlane, { apiServerCertificate: { ' +
      'secretName: "tenant-01-apiserver", certificateKey: "tls.crt", privateKeyKey: "tls.key" } }).');
  });

  test.each<[string, () => void, string]>([
    ['a Secret that cannot be', () => TcpProxyCertificate.existingSecret('Bad Name'), 'certificate.secretName: "Bad Name" is not the name of an object'],
    ['a Secret of sync that cannot be', () => TcpProxyCertificate.issuedBySync({ secretName: 'a_b' }),
      'certificate.secretName: "a_b" is not the name of an object'],
    ['an issuer that cannot be', () => setUp({ proxy: { certificate: TcpProxyCertificate.certManager({ issuer: { name: 'A' } }) } }),
      'certificate.issuer.name: "A" is not the name of an object'],
    ['a duration that is none', () => setUp({ proxy: { certificate: TcpProxyCertificate.certManager({ duration: '90d' }) } }),
      'certificate.duration: "90d" is not a duration. Give numbers with units, e.g. "10m" or "1h30m".'],
    ['a certificate that is too short', () => setUp({ proxy: { certificate: TcpProxyCertificate.certManager({ duration: '59m59.9s' }) } }),
      'certificate.duration: "59m59.9s" is less than an hour, which cert-manager refuses. Give "1h" or more, or leave it out for 90 days.'],
  ])('%s', (_, build, message) => {
    expect(build).toThrow(message);
  });
});
