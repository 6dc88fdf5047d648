import { ReportedPlatform } from './platform';
import { ExposureReportDocument, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream } from '../../src';

function rows({ ports }: ExposureReportDocument): string[] {
  return ports.map(({ from, to, port }) => `${from} -> ${to} ${port}`);
}

describe('the ports to open', () => {
  test('name everything that connects, once for all control planes that need it', () => {
    const made = new ReportedPlatform();
    ['tenant-01', 'tenant-02'].forEach(name => made.tcpProxy(made.tenant(name)));

    const document = made.report().toJson();

    expect(rows(document)).toEqual([
      'administrators and CI -> shared address 443',
      'ingress controller -> control plane pods in namespace tenants 6443',
      'ingress controller -> control plane pods in namespace tenants 8132',
      'monitoring of the tenant cluster -> workers with a tcp-proxy 8404',
      'pods and nodes of the tenant cluster -> workers with a tcp-proxy 6443',
      'workers -> shared address 443',
    ]);
    expect(document.ports[5]).toMatchObject({
      purposes: ['konnectivity agent', 'kubelet and other clients of the public name', 'tcp-proxy: TLS with SNI'],
      controlPlanes: ['tenants/tenant-01', 'tenants/tenant-02'],
    });
  });

  test('lead to the kubelets where there is no konnectivity', () => {
    const made = new ReportedPlatform();
    made.tenant('tenant-01', { konnectivity: undefined });

    const report = made.report();

    expect(rows(report.toJson())).toContain('control plane pods in namespace tenants -> workers 10250');
    expect(report.markdown()).not.toContain('nothing connects from the management cluster');
  });

  test('follow the upstream and the addresses of the tcp-proxy', () => {
    const made = new ReportedPlatform();
    made.tcpProxy(made.tenant('tenant-01'), {
      upstream: TcpProxyUpstream.direct({ host: '10.40.0.201', port: 30443 }),
      placement: TcpProxyPlacement.everyNode(),
      endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['172.20.0.1'] }),
      listenPort: 7443,
      healthPort: 9404,
    });

    expect(rows(made.report().toJson())).toEqual(expect.arrayContaining([
      'monitoring of the tenant cluster -> workers 9404',
      'pods and nodes of the tenant cluster -> 172.20.0.1 of the same node 7443',
      'workers -> 10.40.0.201 30443',
    ]));
  });
});

describe('the DNS records', () => {
  function recordsOf(sharedAddresses?: string[]) {
    const made = new ReportedPlatform();
    made.tenant('tenant-01', { konnectivity: undefined });
    const report = made.report({ sharedAddresses });
    return { records: report.toJson().dnsRecords, markdown: report.markdown() };
  }

  test('lead every name to every address', () => {
    expect(recordsOf(['203.0.113.10', '2001:db8::10']).records).toEqual([
      { name: 'tenant-01.k8s.example.com', type: 'A', value: '203.0.113.10' },
      { name: 'tenant-01.k8s.example.com', type: 'AAAA', value: '2001:db8::10' },
    ]);
  });

  test('are aliases of the name that a load balancer has', () => {
    expect(recordsOf(['lb.example.net']).records).toEqual([{ name: 'tenant-01.k8s.example.com', type: 'CNAME', value: 'lb.example.net' }]);
  });

  test('are names alone while the addresses are not known', () => {
    const { records, markdown } = recordsOf();

    expect(records).toEqual([]);
    expect(markdown).toContain('Each of these names must resolve to the shared address.\n\n| name |\n| --- |\n| `tenant-01.k8s.example.com` |\n');
  });
});
