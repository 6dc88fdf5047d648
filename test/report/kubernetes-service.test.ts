import { App, Chart } from 'cdk8s';
import {
  ControlPlanePlatform, ExposureReport, IngressController, IngressExposedControlPlane, IngressExposedControlPlaneProps, KubernetesServiceEndpoints,
  KubernetesServicePath, SharedIngressGateway, TcpProxyAddon, TcpProxyUpstream, TunnelCertificate,
} from '../../src';
import { PlainPlatform } from '../support/plain';

const IPV6 = { serviceCidrs: ['fd00:10:96::/112'], podCidrs: ['fd00:10:244::/56'] };

function setUp() {
  const app = new App({ outdir: 'unwritten' });
  const management = new Chart(app, 'management');
  const gateway = new SharedIngressGateway(management, 'edge', {
    namespace: 'edge', portRange: { first: 20000, last: 20999 }, addressRange: { prefix: '2001:db8:1::/64' },
  });
  const add = (props: Partial<IngressExposedControlPlaneProps> = {}) => new IngressExposedControlPlane(management, 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', platform: new PlainPlatform(), controller: gateway.asController(), clusterId: 'a', ...props,
  });
  const tenant = new Chart(app, 'tenant');
  const report = new ExposureReport(app, 'report');
  const row = (name: string) => report.markdown().split('\n').find(line => line.startsWith(`| ${name} |`));
  return { gateway, add, tenant, document: () => report.toJson(), row };
}

const service = ({ document }: ReturnType<typeof setUp>) => document().controlPlanes[0].kubernetesService;

describe('how pods reach the API server', () => {
  test('by a port: nothing is opened, client certificates arrive, and the port is one to open', () => {
    const all = setUp();
    const controlPlane = all.add({ kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001 }) });
    new KubernetesServiceEndpoints(all.tenant, 'endpoints', { controlPlane });
    expect(service(all)).toMatchObject({
      way: 'port', endpoints: ['203.0.113.10:20001'], opensTls: false, clientCertificates: true, apiServerKeys: 'the API server alone', recommended: 'port',
    });
    expect(service(all).alternatives.map(({ way }) => way)).toEqual(['ipv6-address', 'tcp-proxy', 'tunnel', 'host-injection']);
    expect(all.document().ports).toContainEqual({
      from: 'pods and nodes of the tenant cluster', to: '203.0.113.10', port: 20001, purposes: ['kubernetes.default.svc'], controlPlanes: ['tenants/tenant-01'],
    });
    expect(all.row('recommended way')).toBeUndefined();
  });

  test('by an IPv6 address, which a tenant with IPv6 first is recommended at a gateway that has some', () => {
    const all = setUp();
    const controlPlane = all.add({ network: IPV6, kubernetesService: KubernetesServicePath.ipv6Address({ address: '2001:db8:1::10' }) });
    new KubernetesServiceEndpoints(all.tenant, 'endpoints', { controlPlane });
    expect(service(all)).toMatchObject({ way: 'ipv6-address', endpoints: ['[2001:db8:1::10]:7443'], opensTls: false, recommended: 'ipv6-address' });
    expect(all.document().ports).toContainEqual(expect.objectContaining({ to: '[2001:db8:1::10]', port: 7443 }));
    expect(all.row('pods reach the API server by')).toMatch(/2001:db8:1::10.*7443/);
  });

  test('by a proxy that opens TLS, where the gateway has a better way', () => {
    const all = setUp();
    new TcpProxyAddon(all.tenant, 'tcp-proxy', { controlPlane: all.add() });
    expect(service(all)).toMatchObject({
      way: 'tcp-proxy',
      endpoints: [],
      opensTls: true,
      clientCertificates: false,
      recommended: 'port',
      apiServerKeys: 'the API server, and whoever has the serving key of the tcp-proxy in the tenant',
    });
    expect(service(all).alternatives.find(({ way }) => way === 'port')!.needs).toBe('nothing more than one of the ports 20000 to 20999 of shared-gateway, open from the tenant\'s nodes');
    expect(all.row('recommended way')).toBe('| recommended way | port |');
  });

  test('by a proxy that passes the bytes', () => {
    const all = setUp();
    new TcpProxyAddon(all.tenant, 'tcp-proxy', { controlPlane: all.add(), upstream: TcpProxyUpstream.sharedGateway(all.gateway) });
    expect(service(all)).toMatchObject({ way: 'tcp-proxy', opensTls: false, clientCertificates: true, apiServerKeys: 'the API server alone' });
  });

  test('by a proxy with a tunnel, which others could have', () => {
    const all = setUp();
    const certificate = TunnelCertificate.existingSecret('who-we-are');
    new TcpProxyAddon(all.tenant, 'tcp-proxy', { controlPlane: all.add(), upstream: TcpProxyUpstream.tunnel({ host: 'tunnel.example.com', certificate }) });
    expect(service(all)).toMatchObject({ way: 'tcp-proxy', description: 'a tcp-proxy in the tenant (tunnel)', opensTls: false, clientCertificates: true });
    expect(service(all).alternatives.map(({ way }) => way)).toEqual(['ipv6-address', 'port', 'tcp-proxy', 'host-injection']);
  });

  test('by a proxy of elsewhere, of which nothing is claimed', () => {
    const all = setUp();
    all.add({ controller: IngressController.haproxy() });
    expect(service(all)).toMatchObject({ way: 'tcp-proxy', description: 'none', recommended: 'tcp-proxy' });
    expect([service(all).opensTls, service(all).clientCertificates]).toEqual([undefined, undefined]);
    expect(all.row('TLS opened on the way')).toBe('| TLS opened on the way | not known |');
    expect(service(all).alternatives.find(({ way }) => way === 'port')!.needs).toBe('a controller that serves ports, which haproxy does not here');
    expect(service(all).alternatives.find(({ way }) => way === 'ipv6-address')!.needs).toBe(
      'a tenant made anew whose Services are IPv6 first (those are 10.96.0.0/16), and a SharedIngressGateway with an addressRange that is routed to its nodes');
  });

  test('by the proxies that a platform always brings, which nothing but injection goes past', () => {
    const all = setUp();
    const platform = ControlPlanePlatform.hypershift({ releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret', serviceNodePortRange: '20000-20999' });
    all.add({ platform, port: 20001, konnectivity: {}, network: IPV6, clusterId: undefined });
    expect(service(all)).toMatchObject({ way: 'tcp-proxy', description: 'the tcp-proxy of the platform', opensTls: false, clientCertificates: true, recommended: 'tcp-proxy' });
    expect(service(all).alternatives.map(({ way }) => way)).toEqual(['host-injection']);
  });

  test('by the proxies that a platform need not bring, which the other ways leave out', () => {
    const all = setUp();
    all.add({ platform: ControlPlanePlatform.steward({ tcpProxy: {}, coreDns: {}, kubeProxy: {} }) });
    expect(service(all)).toMatchObject({ way: 'tcp-proxy', recommended: 'tcp-proxy' });
    const needs = Object.fromEntries(service(all).alternatives.map(other => [other.way, other.needs]));
    expect(needs.port).toBe('the platform without tcpProxy, and nothing more than one of the ports 20000 to 20999 of shared-gateway, open from the tenant\'s nodes');
    expect(needs.tunnel).toMatch(/^the platform without tcpProxy, and a TcpProxyAddon with /);
    expect(needs['host-injection']).toMatch(/^MutatingAdmissionPolicy/);
  });

  test.each([
    ['host-injection', KubernetesServicePath.hostInjection(), 'the public host, in pods that KubernetesServiceHostInjection changes; others have none'],
    ['none', KubernetesServicePath.none({ reason: 'batch | jobs' }), 'none: batch | jobs'],
  ])('by %s, in the words of its user', (way, kubernetesService, description) => {
    const all = setUp();
    all.add({ kubernetesService });
    expect(service(all)).toMatchObject({ way, description, opensTls: false });
    expect(all.row('pods reach the API server by')).toMatch(/^\| [^|]+ \| ([^|]|\\\|)+ \|$/);
  });
});
