import { ReportedPlatform } from './platform';
import { TcpProxyUpstream } from '../../src';

/** Everything between the fences of the n-th diagram. */
function diagrams(markdown: string): string[] {
  return [...markdown.matchAll(/```mermaid\n([\s\S]*?)```/g)].map(([, diagram]) => diagram);
}

function platformOf(tenants: number, namespaceOf: (i: number) => string): ReportedPlatform {
  const made = new ReportedPlatform();
  for (let i = 0; i < tenants; i++) {
    made.tenant(`tenant-${i}`, { namespace: namespaceOf(i) });
  }
  return made;
}

test('up to the limit there is a node for each control plane, and a topology for each tenant', () => {
  const [platform, ...tenants] = diagrams(platformOf(3, () => 'tenants').report({ topologyLimit: 3 }).markdown());

  expect(platform).toContain('group2["tenants/tenant-2<br/>tenant-2.k8s.example.com<br/>tenant-2.konnectivity.example.com"]');
  expect(platform).toContain('edge --> group2');
  expect(tenants).toHaveLength(3);
});

test('above the limit there is one node for a namespace, and no topology for each tenant', () => {
  const [platform, ...tenants] = diagrams(platformOf(4, i => i === 0 ? 'alone' : 'tenants').report({ topologyLimit: 3 }).markdown());

  expect(platform).toContain('group0["namespace alone<br/>control planes: 1<br/>SNI hosts: 2"]');
  expect(platform).toContain('group1["namespace tenants<br/>control planes: 3<br/>SNI hosts: 6"]');
  expect(platform).not.toContain('tenant-0');
  expect(tenants).toEqual([]);
});

test('above the limit of namespaces the others share one node', () => {
  const [platform] = diagrams(platformOf(6, i => `team-${i}`).report({ topologyLimit: 3 }).markdown());

  expect(platform.match(/group\d+\[.*/g)).toEqual([
    'group0["namespace team-0<br/>control planes: 1<br/>SNI hosts: 2"]',
    'group1["namespace team-1<br/>control planes: 1<br/>SNI hosts: 2"]',
    'group2["4 further namespaces<br/>control planes: 4<br/>SNI hosts: 8"]',
  ]);
});

test('a tcp-proxy that connects directly goes past the shared address', () => {
  const made = new ReportedPlatform();
  made.tcpProxy(made.tenant('tenant-01'), { upstream: TcpProxyUpstream.direct({ host: '10.40.0.201', port: 30443 }) });

  const [platform, tenant] = diagrams(made.report().markdown());

  expect(platform).toContain('proxies -->|"10.40.0.201, 30443"| group0');
  expect(platform).not.toContain('proxies -->|"SNI');
  expect(tenant).toContain('proxy -->|"10.40.0.201<br/>direct, 30443"| route0');
});

test('a tenant without konnectivity or tcp-proxy has neither in its topology', () => {
  const made = new ReportedPlatform();
  made.tenant('tenant-01', { konnectivity: undefined });

  const [platform, tenant] = diagrams(made.report().markdown());

  expect(platform).not.toContain('proxies');
  expect(tenant).not.toMatch(/proxy|agents|pods/);
});

test('an app without control planes has a report that says so', () => {
  const markdown = new ReportedPlatform().report().markdown();

  expect(markdown).toContain('0 control planes behind one shared address.');
  expect(diagrams(markdown)[0]).not.toContain('-->');
});
