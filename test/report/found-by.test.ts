import { ExposureReport, HypershiftApiPublishing } from '../../src';
import { HypershiftTenant } from '../platforms/hypershift/hypershift-tenant';

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function report(tenant: HypershiftTenant): { markdown: string; ports: string[]; foundBy: string[]; dnsNames: string[] } {
  const made = new ExposureReport(tenant.app, 'report', { sharedAddresses: ['203.0.113.10'] });
  const { controlPlanes: [{ routes, dnsNames }], ports } = made.toJson();
  return {
    markdown: made.markdown(),
    ports: ports.map(({ from, to, port }) => `${from} -> ${to} ${port}`),
    foundBy: routes.map(({ name, foundBy }) => `${name} ${foundBy}`),
    dnsNames,
  };
}

test('a port of a tenant is said to be found by its port, and not by SNI', () => {
  const { markdown, ports, foundBy, dnsNames } = report(new HypershiftTenant());
  expect(foundBy).toEqual(['kube-apiserver port', 'konnectivity-server sni', 'oauth sni', 'ignition-server sni']);
  expect(markdown).toContain('| `kube-apiserver` | `tenant-01.k8s.example.com` | port | 30001 | `tenants-tenant-01/kube-apiserver` | 6443 | 6443 |');
  expect(markdown).toContain('kubelets -->|"port 30001"| edge');
  expect(markdown).toContain('agents -->|"SNI, 443"| edge');
  expect(markdown).toContain('workers -->|"SNI, 443<br/>port 30001"| edge');
  expect(ports).toContain('workers -> shared address 30001');
  expect(dnsNames).toContain('tenant-01.k8s.example.com');
});

test('many ports of tenants are counted', () => {
  const tenant = new HypershiftTenant();
  [2, 3, 4].forEach(i => tenant.add(`tenant-0${i}`, { port: 30000 + i }));
  expect(report(tenant).markdown).toContain('admins -->|"4 ports, 30001 to 30004"| edge');
});

test('an address of its own is none of the shared one, nor are its names', () => {
  const { markdown, ports, foundBy, dnsNames } = report(new HypershiftTenant({
    platform: { apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }, controlPlane: { port: undefined },
  }));
  expect(foundBy[0]).toBe('kube-apiserver own-address');
  expect(ports).toContain('workers -> load balancer of tenant-01.k8s.example.com 6443');
  expect(ports).not.toContain('workers -> shared address 6443');
  expect(markdown).toContain('admins -->|"port 6443"| route0');
  expect(markdown).not.toContain('edge --> route0');
  expect(dnsNames).not.toContain('tenant-01.k8s.example.com');
});
