import { ReportedPlatform } from './platform';
import { ControlPlanePlatform, ExposureReportDocument, IngressController, ServingCertificate, SharedIngressGateway } from '../../src';

const CIDRS = ['10.0.0.0/8'];

function made(): ReportedPlatform {
  const platform = new ReportedPlatform();
  platform.tenant('tenant-01', {
    platform: ControlPlanePlatform.kamaji(),
    domain: undefined,
    hostname: 'tenant-01.k8s.example.com',
    allowedCidrs: CIDRS,
    konnectivity: { hostname: 'agents.example.net', controller: IngressController.haproxy() },
    furtherEntries: [
      { name: 'public', hostname: 'tenant-01.example.net', controller: IngressController.contour(), port: 443 },
      { name: 'customer', hostname: 'k8s.customer.example', certificate: ServingCertificate.existingSecret('customer'), allowedCidrs: ['192.0.2.0/24'] },
    ],
  });
  return platform;
}

test('a report has each entry with its hosts, controller, sources and certificate', () => {
  const { controlPlanes: [{ dnsNames, entries, routes, kubeconfigServer }] } = made().report().toJson();
  expect([dnsNames, kubeconfigServer]).toEqual([['tenant-01.k8s.example.com'], 'https://tenant-01.k8s.example.com:443']);
  expect(entries).toEqual([
    { name: 'konnectivity', dnsNames: ['agents.example.net'], controller: 'haproxy', allowedCidrs: CIDRS },
    { name: 'public', dnsNames: ['tenant-01.example.net'], kubeconfigServer: 'https://tenant-01.example.net:443', controller: 'contour' },
    {
      name: 'customer',
      dnsNames: ['k8s.customer.example'],
      kubeconfigServer: 'https://k8s.customer.example:443',
      controller: 'traefik',
      allowedCidrs: ['192.0.2.0/24'],
      certificate: 'existingSecret("customer")',
    },
  ]);
  expect(routes.map(({ name, entry }) => `${name} ${entry}`)).toEqual(['kube-apiserver undefined', 'konnectivity-server konnectivity', 'kube-apiserver-public public', 'kube-apiserver-customer customer']);
});

test('DNS records lead each name to the address of its entry', () => {
  const { dnsRecords } = made().report({ sharedAddresses: ['10.0.0.10'], entryAddresses: { public: ['203.0.113.10'], customer: ['lb.example.org'], konnectivity: ['203.0.113.11'] } }).toJson();
  expect(dnsRecords.map(({ name, type, value }) => `${name} ${type} ${value}`)).toEqual([
    'tenant-01.k8s.example.com A 10.0.0.10', 'agents.example.net A 203.0.113.11', 'tenant-01.example.net A 203.0.113.10', 'k8s.customer.example CNAME lb.example.org',
  ]);
});

test('a name whose address nobody gives is listed with its entry, whether that of the others is known or not', () => {
  for (const props of [{}, { sharedAddresses: ['10.0.0.10'] }]) {
    const markdown = made().report({ ...props, entryAddresses: { public: ['203.0.113.10'] } }).markdown();
    expect(markdown).toMatch(/must resolve to the address of its entry\.\n\n(.*\n){2}\| `agents\.example\.net` \| `konnectivity` \|\n\| `k8s\.customer\.example` \| `customer` \|/);
    expect(markdown).toMatch(/\| `tenant-01\.example\.net` \| A \| `203\.0\.113\.10` \|/);
  }
});

test('addresses of an entry are checked as those of the main one', () => {
  expect(() => made().report({ entryAddresses: { public: ['lb.example.org', '203.0.113.10'] } })).toThrow(/entryAddresses\["public"\]: .* has the DNS name "lb\.example\.org" beside another address/);
});

test('addresses of an entry that no control plane has are an error at synthesis, which names those that there are', () => {
  const platform = made();
  platform.report({ entryAddresses: { pubilc: ['203.0.113.10'] } });
  expect(() => platform.app.synth()).toThrow(/entryAddresses: "pubilc" is the name of no entry of these control planes.* Name one of "konnectivity", "public", "customer"/);
});

test('the ports to open name the address of the entry', () => {
  const rows = made().report().toJson().ports.map(({ from, to, port }) => `${from} -> ${to} ${port}`);
  expect(rows).toEqual(expect.arrayContaining([
    'workers -> shared address 443', 'workers -> address of the entry konnectivity 443', 'clients of kube-apiserver-public -> address of the entry public 443',
  ]));
  expect(rows.filter(row => row.startsWith('ingress controller'))).toEqual([6443, 8132].map(port => `ingress controller -> control plane pods in namespace tenants ${port}`));
});

test('the topologies lead through the entries, and only those who use them', () => {
  const [whole, one] = made().report().markdown().split('```mermaid').slice(1);
  expect(whole).toContain('["address of the entry konnectivity"]');
  expect(whole).toMatch(/workers -->.*SNI, 443.* entry1\n/);
  expect(whole).toMatch(/admins -->.* entry0\n.*entry0 --> group0/s);
  expect(one).toMatch(/agents -->.* entry0\n/);
  expect(one).toMatch(/clients0 -->.* entry1\n/);
  expect(one).toMatch(/entry0 --> route1\n/);
  expect(one).toMatch(/edge --> route0\n/);
});

test('a Secret of a certificate must exist before, unless cert-manager makes it', () => {
  const secrets = ({ prerequisites }: ExposureReportDocument) => prerequisites.filter(({ kind }) => kind === 'Secret').map(({ namespace, name }) => `${namespace}/${name}`);
  expect(secrets(made().report().toJson())).toEqual(['tenants/customer']);
  const platform = new ReportedPlatform();
  const gateway = new SharedIngressGateway(platform.management, 'edge', { namespace: 'edge', portRange: { first: 30000, last: 30085 } });
  platform.tenant('tenant-01', {
    platform: ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' }),
    controller: gateway.asController(),
    port: 30001,
    furtherEntries: [
      { name: 'own', hostname: 'own.example.net', certificate: ServingCertificate.existingSecret('own') },
      { name: 'made', hostname: 'made.example.net', certificate: ServingCertificate.certManager({ issuer: { kind: 'ClusterIssuer', name: 'letsencrypt' } }) },
    ],
  });
  expect(secrets(platform.report().toJson())).toEqual(['tenants/own', 'tenants/pull-secret']);
});
