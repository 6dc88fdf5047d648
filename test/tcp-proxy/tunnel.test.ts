import { App, Chart, Testing } from 'cdk8s';
import fc from 'fast-check';
import { certificateRequest } from '../../images/tcp-proxy/src/sync/bundle';
import {
  ControlPlanePlatform, DnsTarget, GatewayTunnel, IngressController, IngressExposedControlPlane, SharedIngressGateway, SharedIngressGatewayProps,
  TcpProxyAddon, TcpProxyAddonProps, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, TenantCharts, TenantDelivery, TenantDns,
  TunnelCertificate,
} from '../../src';
import { LONGEST_COMMON_NAME } from '../../src/agent/contract/route-limits';
import { parseLine } from '../../src/agent/contract/routing-tables';
import { DeliveredTenant } from '../../src/delivery/delivered-tenant';
import { readPlatform } from '../../src/manifests/platform';
import { sourcesOf } from '../../src/manifests/source';
import { tunnelName } from '../../src/model/tunnel-name';
import { CONTROLLERS, GATEWAY } from '../conformance/matrix';
import { checkConfig, describeWithHaproxy } from '../support/haproxy';
import { expectValid } from '../support/schemas';

const HOST = 'tunnel.k8s.example.com';
const API_HOST = 'tenant-01.example.com';
const ISSUER = { name: 'tunnel', kind: 'ClusterIssuer' };

interface SetUp {
  readonly tunnel?: Partial<GatewayTunnel>;
  readonly gateway?: Partial<SharedIngressGatewayProps>;
  readonly proxy?: Partial<TcpProxyAddonProps>;
  readonly certificate?: TunnelCertificate;
  readonly delivery?: TenantDelivery;
  readonly name?: string;
  readonly register?: boolean;
  readonly allowedCidrs?: string[];
}

function setUp({ tunnel, gateway: more, proxy, certificate, delivery = TenantDelivery.sync(), name = 'tenant-01', register = true, allowedCidrs }: SetUp = {}) {
  const app: App = Testing.app();
  const management = new Chart(app, 'management');
  const traefik = IngressController.traefik();
  const gateway = new SharedIngressGateway(management, 'edge', {
    namespace: 'shared-ingress', loadBalancer: false, clusterIdRouting: false, tunnel: { host: HOST, controller: traefik, issuer: ISSUER, ...tunnel }, ...more,
  });
  const controlPlane = new IngressExposedControlPlane(management, name, {
    namespace: 'tenants', kubernetesVersion: '1.31.0', hostname: API_HOST, platform: ControlPlanePlatform.kamaji(), controller: traefik,
  });
  if (register) {
    gateway.register(controlPlane.exposure, { allowedCidrs });
  }
  const tenant = new TenantCharts(management, 'tenants', { delivery }).of(controlPlane);
  const addon = new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane, upstream: TcpProxyUpstream.tunnel({ gateway, certificate }), ...proxy });
  const pod: any = (addon.workload?.toJson() as any)?.spec.template.spec;
  return { app, gateway, controlPlane, addon, pod, tenant, management, synth: () => Testing.synth(management) as any[] };
}

const one = (manifests: any[], kind: string, name: string) => {
  const found = manifests.filter(object => object.kind === kind && object.metadata.name === name);
  expect(found).toHaveLength(1);
  return found[0];
};

describeWithHaproxy('the configurations of a tunnel', () => {
  test.each<[string, Partial<TcpProxyAddonProps>]>([
    ['a Deployment that owns the endpoints', {}],
    ['a DaemonSet with an advertise address', { placement: TcpProxyPlacement.everyNode(), endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }) }],
    ['a Service that selects it', { namespace: 'default', endpoints: TcpProxyEndpoints.kubernetesService() }],
    ['a static pod with a fixed address', { placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) }],
  ])('are taken by HAProxy, of %s', async (_, proxy) => {
    const { addon, gateway } = setUp({ proxy });
    expect(await checkConfig(addon.haproxyConfig)).toBe('');
    expect(await checkConfig(gateway.haproxyConfig)).toBe('');
    expect(addon.haproxyConfig).toContain(`server upstream ${HOST}:443 `);
    expect(addon.haproxyConfig).toContain(`verify required ca-file /run/tcp-proxy/tunnel/ca.crt sni str(${HOST}) verifyhost ${HOST} crt @tunnel/tls ssl-max-ver TLSv1.2`);
  });
});

describe('a tunnel', () => {
  test('leads from the ingress controller to the gateway, which knows the tenant by its name', () => {
    const manifests = setUp().synth();
    manifests.forEach(expectValid);
    const route = one(manifests, 'IngressRouteTCP', 'edge-tunnel');
    expect(route.metadata.namespace).toBe('shared-ingress');
    expect(route.spec.routes[0]).toMatchObject({ match: `HostSNI(\`${HOST}\`)`, services: [{ name: 'edge-tunnel', port: 443 }] });
    expect(route.spec.tls).toEqual({ passthrough: true });
    expect(one(manifests, 'Service', 'edge-tunnel').spec).toMatchObject({ ports: [{ port: 443, targetPort: 'tunnel' }] });
    const lines = manifests.filter(({ kind, data }) => kind === 'ConfigMap' && data['tunnel.map']).map(({ data }) => data['tunnel.map']);
    expect(lines).toEqual(['tenants.tenant-01 tenant-01.tenants.svc.cluster.local:6443\n']);
    const pod = one(manifests, 'Deployment', 'edge').spec.template.spec;
    expect(pod.containers[0].args).toContain('--tunnel-dir=/etc/tcp-proxy/tunnel');
    expect(pod.volumes.find(({ name }: any) => name === 'tunnel').projected.sources[0].secret.name).toBe('edge-tunnel-tls');
    expect(one(manifests, 'NetworkPolicy', 'edge').spec.ingress[0].ports).toContainEqual({ port: 8444, protocol: 'TCP' });
    expect(one(manifests, 'Service', 'edge').spec.type).toBe('ClusterIP');
  });

  test('has cert-manager issue both certificates of one authority, each for its own use', () => {
    const manifests = setUp().synth();
    expect(one(manifests, 'Certificate', 'edge-tunnel').spec).toMatchObject({ secretName: 'edge-tunnel-tls', dnsNames: [HOST], usages: ['digital signature', 'server auth'], issuerRef: ISSUER });
    expect(one(manifests, 'Certificate', 'tenant-01-tcp-proxy-tunnel').spec).toMatchObject({
      secretName: 'tenant-01-tcp-proxy-tunnel-tls', commonName: 'tenants.tenant-01', usages: ['digital signature', 'client auth'], issuerRef: ISSUER,
    });
  });

  test('has sync copy the certificate alone, and no key that can be the API server', () => {
    const { tenant, synth, pod } = setUp();
    const request = DeliveredTenant.of(tenant)!.certificate!;
    expect(certificateRequest.parse(request)).toEqual({
      kind: 'copy',
      purpose: 'client',
      namespace: 'kube-system',
      secretName: 'tcp-proxy-tunnel',
      caConfigMapName: 'tcp-proxy-tunnel-ca',
      source: { secretName: 'tenant-01-tcp-proxy-tunnel-tls', certificateKey: 'tls.crt', privateKeyKey: 'tls.key' },
      ca: { secretName: 'tenant-01-tcp-proxy-tunnel-tls', certificateKey: 'ca.crt' },
    });
    const secrets = synth().filter(({ kind, metadata }) => kind === 'Role' && metadata.namespace === 'tenants').flatMap(({ rules }) => rules).flatMap(({ resourceNames }) => resourceNames);
    expect(secrets).toEqual(['tenant-01-admin-kubeconfig', 'tenant-01-tcp-proxy-tunnel-tls']);
    expect(pod.volumes.map(({ name }: any) => name)).toEqual(['haproxy-config', 'run', 'tunnel', 'ca']);
    expect(pod.volumes[2].projected.sources).toMatchObject([{ secret: { name: 'tcp-proxy-tunnel' } }, { configMap: { name: 'tcp-proxy-tunnel-ca' } }]);
  });

  test('takes a Secret that somebody else keeps, where sync delivers nothing or no issuer is known', () => {
    for (const options of [{ delivery: TenantDelivery.manifests() }, { tunnel: { issuer: undefined } }]) {
      const sources = setUp(options).pod.volumes[2].projected.sources;
      expect(sources).toEqual([{ secret: { name: 'tcp-proxy-tunnel', items: ['tls.crt', 'tls.key', 'ca.crt'].map(key => ({ key, path: key })) } }]);
    }
  });

  test('has its public name for DNS', () => {
    const { gateway, controlPlane } = setUp();
    const dns = new TenantDns({ exposures: [controlPlane.exposure, gateway.tunnelExposure!], target: DnsTarget.addresses(['192.0.2.10']), zones: ['example.com'] });
    expect(dns.names).toContain(HOST);
  });

  test('reaches a gateway of another app by its host', () => {
    const upstream = TcpProxyUpstream.tunnel({ host: HOST, port: 8443, certificate: TunnelCertificate.existingSecret('who-we-are') });
    const { addon, pod } = setUp({ proxy: { upstream } });
    expect(addon.haproxyConfig).toContain(`server upstream ${HOST}:8443 `);
    expect(pod.volumes[2].projected.sources[0].secret.name).toBe('who-we-are');
    const other = SharedIngressGateway.fromAttributes({ host: '192.0.2.1', tunnelHost: HOST });
    expect(setUp({ proxy: { upstream: TcpProxyUpstream.tunnel({ gateway: other }) } }).addon.haproxyConfig).toContain(`server upstream ${HOST}:443 `);
  });

  test('keeps the client authorities where the user says', () => {
    const manifests = setUp({ tunnel: { clientCaConfigMap: 'tunnel-cas', secretName: 'server' } }).synth();
    expect(one(manifests, 'Deployment', 'edge').spec.template.spec.volumes.find(({ name }: any) => name === 'tunnel').projected.sources).toMatchObject([
      { secret: { name: 'server', items: [{ key: 'tls.crt' }, { key: 'tls.key' }] } }, { configMap: { name: 'tunnel-cas', items: [{ key: 'ca.crt' }] } },
    ]);
  });

  test('is in no manifest of a gateway without one', () => {
    const { gateway } = setUp({ gateway: { tunnel: undefined, loadBalancer: undefined }, proxy: { upstream: TcpProxyUpstream.sni() } });
    expect(JSON.stringify(Testing.synth(Chart.of(gateway)))).not.toMatch(/tunnel-|tunnel\.map|@tunnel/);
  });
});

describe('the host of a tunnel', () => {
  const others = Object.keys(CONTROLLERS).filter(name => !['the shared gateway of this library', 'a controller of the user\'s own'].includes(name));

  test.each(others)('is passed through to the gateway by %s', controller => {
    const chart = Testing.chart();
    new SharedIngressGateway(chart, 'edge', { namespace: GATEWAY.namespace, tunnel: { host: HOST, controller: CONTROLLERS[controller](chart, 'example.com') } });
    const { routes } = readPlatform((Testing.synth(chart) as any[]).flatMap(object => sourcesOf(object, 'edge.yaml', 1)));
    const found = routes.map(({ host, backend, passthrough: { state } }) =>
      ({ host: host!.host, service: backend!.service, port: backend!.port!.value, state }));
    expect(found)
      // Routes of OpenShift name the port of the pods.
      .toEqual([{ host: HOST, service: 'edge-tunnel', port: controller === 'openshift' ? 8444 : 443, state: 'yes' }]);
  });
});

describe('what cannot work with a tunnel', () => {
  test.each<[string, () => unknown, string]>([
    ['a gateway without one', () => setUp({ gateway: { tunnel: undefined, loadBalancer: true } }), 'upstream: "gateway" takes no tunnels'],
    ['neither gateway nor host', () => TcpProxyUpstream.tunnel({}), 'upstream: must have exactly one of gateway and host'],
    ['a port beside a gateway', () => TcpProxyUpstream.tunnel({ gateway: setUp().gateway, port: 443 }), 'upstream.port: 443 is that of the gateway'],
    ['the host of the tenant itself', () => setUp({ proxy: { upstream: TcpProxyUpstream.tunnel({ host: API_HOST }) } }), 'upstream.host: "tenant-01.example.com" is a host of the control plane itself'],
    ['a serving certificate', () => setUp({ proxy: { http2: true } }), 'http2: true has no effect on an upstream whose TLS stays closed'],
    ['a Secret for a static pod', () => setUp({
      proxy: { placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) }, certificate: TunnelCertificate.existingSecret('x'),
    }), 'upstream.certificate: "of the tunnel" cannot be used by a static pod'],
    ['certManager() without sync', () => setUp({ delivery: TenantDelivery.manifests(), certificate: TunnelCertificate.certManager() }), 'upstream.certificate: "certManager()" is kept by sync'],
    ['certManager() without an issuer', () => setUp({ tunnel: { issuer: undefined }, certificate: TunnelCertificate.certManager() }), 'upstream.certificate.issuer: is not given'],
    ['no load balancer without a tunnel', () => setUp({ gateway: { tunnel: undefined } }), 'loadBalancer: false leaves no way to the gateway'],
    ['a class of no load balancer', () => setUp({ gateway: { loadBalancerClass: 'x' } }), 'loadBalancerClass: "x" has no effect without a load balancer'],
    ['a gateway in front of itself', () => setUp({ tunnel: { controller: setUp().gateway.asController() } }), 'tunnel.controller: "shared-gateway" is a gateway of this library'],
  ])('%s is refused', (_, make, message) => {
    expect(make).toThrow(message);
  });

  test('a tenant that is not at the gateway is an error of the synthesis', () => {
    expect(() => setUp({ register: false }).app.synth()).toThrow('name: "tenant-01" of tenants/tenant-01 is not known at the gateway');
  });

  test('a list of sources needs an ingress controller that tells them', () => {
    expect(() => setUp({ allowedCidrs: ['203.0.113.0/24'] }).app.synth()).toThrow('allowedCidrs: ["203.0.113.0/24"] of tenants/tenant-01 cannot be enforced: in the tunnel every source');
    expect(setUp({ allowedCidrs: ['203.0.113.0/24'], tunnel: { proxyProtocolCidrs: ['10.0.0.0/8'] } }).gateway.haproxyConfig).toContain('expect-proxy');
  });

  test('a tenant with the host of the tunnel is an error', () => {
    expect(() => setUp({ tunnel: { host: API_HOST }, proxy: { upstream: TcpProxyUpstream.sni() } }).app.synth()).toThrow('SNI host');
  });
});

describe('the name of a tenant in the tunnel', () => {
  const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);

  test('fits into a common name, is a key of the map, and is never that of another tenant', () => {
    fc.assert(fc.property(label, label, label, label, (namespace, name, otherNamespace, otherName) => {
      const [one1, two] = [tunnelName({ namespace, name }), tunnelName({ namespace: otherNamespace, name: otherName })];
      expect(one1.length).toBeLessThanOrEqual(LONGEST_COMMON_NAME);
      expect(parseLine('tunnel', `${one1} a.b.svc.cluster.local:6443`)).toBeDefined();
      expect(one1 === two).toBe(namespace === otherNamespace && name === otherName);
    }));
  });

  test('is the namespace and the name where these fit, and else has a hash that never changes', () => {
    expect(tunnelName({ namespace: 'a'.repeat(32), name: 'b'.repeat(31) })).toBe(`${'a'.repeat(32)}.${'b'.repeat(31)}`);
    expect(tunnelName({ namespace: 'a'.repeat(32), name: 'b'.repeat(32) })).toBe('bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-53cafe7ecc25ef0b67b32230ee4016ac');
  });
});
