import { App, Chart, Testing } from 'cdk8s';
import {
  ControlPlanePlatform, Exposure, ExposureReport, HostedControlPlaneAttributes, IngressController, IngressExposedControlPlane,
  IngressExposedControlPlaneProps, KubernetesServicePath, SharedIngressGateway, SynthesizedPlatform, TcpProxyAddon, TcpProxyCertificate,
  TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, Warnings,
} from '../../src';
import { GAPS_ANNOTATION } from '../../src/manifests/gaps';

const KUBERNETES_SERVICE = 'kubernetesService: no pod of the tenant reaches the Service kubernetes';
const KONNECTIVITY = 'konnectivity: is left out';

let app: App;
let management: Chart;
let emitted: jest.SpyInstance;
beforeEach(() => {
  app = Testing.app();
  management = new Chart(app, 'management');
  emitted = jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

function controlPlane(props: Partial<IngressExposedControlPlaneProps> = {}): IngressExposedControlPlane {
  return new IngressExposedControlPlane(management, props.name ?? 'tenant-01', {
    namespace: 'tenants', kubernetesVersion: '1.34.3', domain: 'example.com', platform: ControlPlanePlatform.kamaji(), controller: IngressController.haproxy(), ...props,
  });
}

const gapsOf = ({ platformObject }: IngressExposedControlPlane) => platformObject.toJson().metadata.annotations?.[GAPS_ANNOTATION];
const codes = () => SynthesizedPlatform.ofApp(app).findings().map(({ code }) => code).filter(code => ['HCP609', 'HCP627', 'HCP705'].includes(code));
const withProxy = (of: IngressExposedControlPlane, props = {}) => new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', {
  controlPlane: of, certificate: TcpProxyCertificate.existingSecret('tcp-proxy-tls'), ...props,
});

describe('a control plane without a tcp-proxy and konnectivity', () => {
  test('has a warning for each at synthesis, one for all that lack the same', () => {
    controlPlane();
    controlPlane({ name: 'tenant-02' });
    app.synth();
    expect(emitted.mock.calls.map(([text]) => text)).toEqual([
      expect.stringContaining(`management/tenant-01, management/tenant-02: ${KUBERNETES_SERVICE}`),
      expect.stringContaining(`management/tenant-01, management/tenant-02: ${KONNECTIVITY}`),
    ]);
  });

  test('has findings, and says so in the report', () => {
    const of = controlPlane();
    expect(gapsOf(of)).toBe('kubernetes-service,konnectivity');
    expect(codes()).toEqual(['HCP609', 'HCP705']);
    const report = new ExposureReport(app, 'report').markdown();
    expect(report).toContain('| pods reach the API server by | **none** |');
    expect(report).toContain('| way to the nodes | **none** |');
  });

  test('has none of it any more with both, also when the tcp-proxy comes after somebody asked', () => {
    const of = controlPlane({ konnectivity: {} });
    expect(Warnings.of(of)).toEqual([expect.stringContaining(KUBERNETES_SERVICE)]);
    withProxy(of);
    expect(Warnings.of(of)).toEqual([]);
    expect(gapsOf(of)).toBeUndefined();
    app.synth();
    expect(emitted).not.toHaveBeenCalled();
    expect(codes()).toEqual([]);
  });

  test('that another app made has the same warnings', () => {
    const imported = (props: Partial<HostedControlPlaneAttributes>) =>
      IngressExposedControlPlane.fromAttributes(management, props.name!, { namespace: 'tenants', domain: 'example.com', ...props });
    expect(Warnings.of(imported({ name: 'a' }))).toEqual([expect.stringContaining(KUBERNETES_SERVICE), expect.stringContaining(KONNECTIVITY)]);
    expect(Warnings.of(imported({ name: 'b', nodesReachable: true, kubernetesService: KubernetesServicePath.none({ reason: 'its own app has it' }) }))).toEqual([]);
    expect(Warnings.of(imported({ name: 'c', konnectivity: {}, platform: ControlPlanePlatform.steward({ tcpProxy: {}, coreDns: {}, kubeProxy: {} }) }))).toEqual([]);
  });
});

describe('saying that it is meant so', () => {
  test.each<[string, KubernetesServicePath, string]>([
    ['nobody uses the API', KubernetesServicePath.none({ reason: 'batch jobs *alone*' }), 'none: batch jobs \\*alone\\*'],
    ['some pods are injected', KubernetesServicePath.hostInjection(), 'the public host, in pods that KubernetesServiceHostInjection changes; others have none'],
  ])('as %s is silent, and in the report', (_, kubernetesService, text) => {
    const of = controlPlane({ kubernetesService, nodesReachable: true });
    expect(Warnings.of(of)).toEqual([]);
    expect(codes()).toEqual([]);
    const report = new ExposureReport(app, 'report').markdown();
    expect(report).toContain(`| pods reach the API server by | ${text} |`);
    expect(report).toContain('| way to the nodes | directly |');
  });

  test('a port of the tenant is a way', () => {
    const gateway = new SharedIngressGateway(management, 'edge', { namespace: 'edge', portRange: { first: 20000, last: 20999 } });
    const of = controlPlane({
      controller: gateway.asController(), konnectivity: {}, kubernetesService: KubernetesServicePath.port({ addresses: ['203.0.113.10'], port: 20001 }),
    });
    expect(Warnings.of(of).filter(text => text.startsWith('kubernetesService'))).toEqual([]);
    expect(new ExposureReport(app, 'report').markdown()).toContain('| pods reach the API server by | a port of the shared address that is the tenant\'s alone `203.0.113.10:20001` |');
  });

  test.each<[string, Partial<IngressExposedControlPlaneProps>]>([
    ['Steward', { platform: ControlPlanePlatform.steward({ tcpProxy: {}, coreDns: {}, kubeProxy: {} }) }],
    ['k0smotron', { platform: ControlPlanePlatform.k0smotron() }],
  ])('is not needed where %s brings a tcp-proxy', (_, props) => {
    expect(Warnings.of(controlPlane({ konnectivity: {}, ...props })).filter(text => text.startsWith('kubernetesService'))).toEqual([]);
    expect(new ExposureReport(app, 'report').markdown()).toContain('| pods reach the API server by | the tcp-proxy of the platform |');
  });

  test('twice is an error', () => {
    expect(() => controlPlane({ konnectivity: {}, nodesReachable: true })).toThrow(
      'management/tenant-01: nodesReachable: true is given beside konnectivity, which has the API server reach nodes through their agents. Give one of the two.');
  });
});

describe('a tcp-proxy without a certificate', () => {
  const tenantOf = (props: object) => new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { controlPlane: controlPlane({ konnectivity: {} }), ...props });
  const STATIC = { placement: TcpProxyPlacement.staticPod(), endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) };

  test.each<[string, object, string]>([
    ['in a chart of the user', {}, 'nothing of this app makes the Secret kube-system/tcp-proxy-tls'],
    ['in a static pod', STATIC, 'nothing of this app makes /etc/kubernetes/tcp-proxy/tls/tls.crt and tls.key on the nodes'],
  ])('%s has a warning, a finding and a word in the report', (_, props, text) => {
    const addon = tenantOf(props);
    expect(Warnings.of(addon)).toEqual([expect.stringContaining(`certificate: ${text}`)]);
    expect(codes()).toEqual(['HCP627']);
    expect(new ExposureReport(app, 'report').markdown()).toContain('| tcp-proxy certificate | **none** |');
  });

  test.each<[string, object, string]>([
    ['a Secret of the user', { certificate: TcpProxyCertificate.existingSecret('mine') }, '| tcp-proxy certificate | existingSecret("mine") |'],
    ['files of the nodes', { ...STATIC, certificate: TcpProxyCertificate.onNodes() }, '| tcp-proxy certificate | onNodes() |'],
    ['TLS that stays closed', { upstream: TcpProxyUpstream.direct({ host: '192.0.2.1' }) }, 'tcp-proxy upstream'],
  ])('is none with %s', (_, props, text) => {
    expect(Warnings.of(tenantOf(props))).toEqual([]);
    expect(codes()).toEqual([]);
    expect(new ExposureReport(app, 'report').markdown()).toContain(text);
  });

  test('cannot be one of the nodes in other pods', () => {
    expect(() => tenantOf({ certificate: TcpProxyCertificate.onNodes() })).toThrow('certificate: "onNodes()" is for static pods');
  });

  test('leads to a control plane of elsewhere, which has no gap of its own', () => {
    const exposure = new Exposure({ name: 'tenant-09', namespace: 'tenants', hostname: 'tenant-09.example.com' });
    const addon = new TcpProxyAddon(new Chart(app, 'tenant'), 'tcp-proxy', { exposure });
    expect(Warnings.of(addon)).toHaveLength(1);
  });
});
