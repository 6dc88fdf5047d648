import { ApiObject, ApiObjectProps, App, Chart, Testing, YamlOutputType } from 'cdk8s';
import { IngressController, IngressExposedControlPlane, TcpProxyAddon } from '../../src';
import { PlainPlatform } from '../support/plain';

const HOST = 'tenant-01.k8s.example.com';
const GATEWAY = { name: 'public', namespace: 'gateways' };

/** An object of somebody else in the app. */
type Manifest = ApiObjectProps & { readonly spec: any };

const named = (apiVersion: string, kind: string, spec: any, metadata: any = {}): Manifest =>
  ({ apiVersion, kind, metadata: { name: 'web', namespace: 'apps', ...metadata }, spec });
const ingressRoute = (match: string, spec: any = {}, metadata: any = {}) =>
  named('traefik.io/v1alpha1', 'IngressRoute', { entryPoints: ['websecure'], routes: [{ match, kind: 'Rule' }], tls: {}, ...spec }, metadata);
const ingressRouteTcp = (match: string, priority?: number, spec: any = {}) =>
  named('traefik.io/v1alpha1', 'IngressRouteTCP', { entryPoints: ['websecure'], routes: [{ match, priority }], tls: { passthrough: true }, ...spec });
const ingress = (host: string, ingressClassName?: string, annotations?: any) =>
  named('networking.k8s.io/v1', 'Ingress', { ingressClassName, rules: [{ host }] }, { annotations });
const istioGateway = (hosts: string[], mode = 'SIMPLE', spec: any = {}) => named('networking.istio.io/v1', 'Gateway', {
  selector: { istio: 'ingressgateway' }, servers: [{ port: { number: 443, name: 'https', protocol: 'HTTPS' }, hosts, tls: { mode } }], ...spec,
});
const kubernetesGateway = (listener: any, metadata: any = GATEWAY) =>
  named('gateway.networking.k8s.io/v1', 'Gateway', { listeners: [{ name: 'other', port: 443, ...listener }] }, metadata);

const TRAEFIK = () => IngressController.traefik({ entryPointsByPort: { 6443: 'api' } });
const GATEWAY_API = () => IngressController.gatewayApi({ gateway: GATEWAY });

/** What takes the host away, by what is behind it. */
const TAKEN: [string, () => IngressController, Manifest][] = [
  ['a Traefik IngressRoute', TRAEFIK, ingressRoute(`Host(\`${HOST}\`)`)],
  ['a Traefik IngressRoute for a path of it', TRAEFIK, ingressRoute(`PathPrefix(\`/\`) && (Host(\`a.example.com\`) || Host("${HOST}"))`)],
  ['a Traefik IngressRoute for two hosts', TRAEFIK, ingressRoute(`Host(\`a.example.com\`, \`${HOST}\`)`)],
  ['a Traefik IngressRoute in capitals', TRAEFIK, ingressRoute(`HOST(\`${HOST.toUpperCase()}\`)`)],
  ['a Traefik IngressRouteTCP in capitals', TRAEFIK, ingressRouteTcp(`hostsni(\`${HOST.toUpperCase()}\`)`, 1000)],
  ['a Traefik IngressRoute at every entry point', TRAEFIK, ingressRoute(`Host(\`${HOST}\`)`, { entryPoints: undefined })],
  ['a Traefik IngressRoute of the old group', TRAEFIK, { ...ingressRoute(`Host(\`${HOST}\`)`), apiVersion: 'traefik.containo.us/v1alpha1' }],
  ['a Traefik IngressRoute of the class', () => IngressController.traefik({ ingressClassName: 'edge' }),
    ingressRoute(`Host(\`${HOST}\`)`, {}, { annotations: { 'kubernetes.io/ingress.class': 'edge' } })],
  ['a Traefik IngressRouteTCP of the priority', TRAEFIK, ingressRouteTcp(`HostSNI(\`${HOST}\`)`, 1000)],
  ['a Traefik IngressRouteTCP for every host, of a higher priority', TRAEFIK, ingressRouteTcp('HostSNI(`*`)', 1001)],
  ['a Traefik IngressRouteTCP for a pattern, of a higher priority', TRAEFIK, ingressRouteTcp('HostSNIRegexp(`^.+\\.k8s\\.example\\.com$`)', 2000)],
  ['an Ingress of Traefik', TRAEFIK, ingress(HOST, 'traefik')],
  ['an Ingress of haproxy', () => IngressController.haproxy(), ingress(HOST, 'haproxy')],
  ['an Ingress of the class by annotation', () => IngressController.haproxy(), ingress(HOST, undefined, { 'kubernetes.io/ingress.class': 'haproxy' })],
  ['a wildcard Ingress of haproxy that is passed through', () => IngressController.haproxy(),
    ingress('*.k8s.example.com', 'haproxy', { 'haproxy.org/ssl-passthrough': 'true' })],
  ['an Ingress of haproxy-ingress', () => IngressController.haproxyIngress(), ingress(HOST, 'haproxy')],
  ['an Ingress of ingress-nginx', () => IngressController.ingressNginx(), ingress(HOST, 'nginx')],
  ['an Ingress of Cilium', () => IngressController.cilium(), ingress(HOST, 'cilium')],
  ['an Ingress of a class of the user\'s own', () => IngressController.generic({ ingressClassName: 'edge' }), ingress(HOST, 'edge')],
  ['a VirtualServer of F5', () => IngressController.f5Nginx(), named('k8s.nginx.org/v1', 'VirtualServer', { host: HOST })],
  ['a TransportServer of F5', () => IngressController.f5Nginx(), named('k8s.nginx.org/v1', 'TransportServer', { host: HOST, ingressClassName: 'nginx' })],
  ['an Ingress of F5', () => IngressController.f5Nginx(), ingress(HOST, 'nginx')],
  ['an HTTPProxy of Contour', () => IngressController.contour(), named('projectcontour.io/v1', 'HTTPProxy', { virtualhost: { fqdn: HOST } })],
  ['a Route of OpenShift', () => IngressController.openshift(), named('route.openshift.io/v1', 'Route', { host: HOST })],
  ['an Istio Gateway', () => IngressController.istio(), istioGateway([HOST])],
  ['an Istio Gateway for every host', () => IngressController.istio(), istioGateway(['*'])],
  ['an Istio Gateway with mutual TLS for every host of a namespace', () => IngressController.istio(), istioGateway(['apps/*.example.com'], 'MUTUAL')],
  ['an Istio Gateway for all gateways', () => IngressController.istio(), istioGateway([HOST], 'SIMPLE', { selector: undefined })],
  ['a listener that opens TLS', GATEWAY_API, kubernetesGateway({ protocol: 'HTTPS', hostname: HOST })],
  ['a listener that ends TLS', GATEWAY_API, kubernetesGateway({ protocol: 'TLS', hostname: HOST, tls: { mode: 'Terminate' } })],
  ['another TLSRoute', GATEWAY_API, named('gateway.networking.k8s.io/v1', 'TLSRoute', { parentRefs: [GATEWAY], hostnames: [HOST] })],
];

/** What leaves the host alone. */
const LEFT: [string, () => IngressController, Manifest][] = [
  ['a Traefik IngressRoute for another host', TRAEFIK, ingressRoute('Host(`www.example.com`)')],
  ['a Traefik IngressRoute for a part of its name', TRAEFIK, ingressRoute('Host(`k8s.example.com`)')],
  ['a Traefik IngressRoute at another entry point', TRAEFIK, ingressRoute(`Host(\`${HOST}\`)`, { entryPoints: ['web', 'api'] })],
  ['a Traefik IngressRoute of another class', TRAEFIK, ingressRoute(`Host(\`${HOST}\`)`, {}, { annotations: { 'kubernetes.io/ingress.class': 'edge' } })],
  ['a Traefik IngressRoute without a host', TRAEFIK, ingressRoute('PathPrefix(`/`)')],
  ['a Traefik IngressRouteTCP of a lower priority', TRAEFIK, ingressRouteTcp('HostSNI(`*`)', 1)],
  ['a Traefik IngressRouteTCP without a priority', TRAEFIK, ingressRouteTcp('HostSNI(`*`)')],
  ['a Traefik IngressRouteTCP without TLS', TRAEFIK, ingressRouteTcp('HostSNI(`*`)', 2000, { tls: undefined })],
  ['a Traefik IngressRouteTCP with a pattern that is none', TRAEFIK, ingressRouteTcp('HostSNIRegexp(`(`)', 2000)],
  ['an Ingress of another class', () => IngressController.haproxy(), ingress(HOST, 'nginx')],
  ['an Ingress without a host', () => IngressController.haproxy(), named('networking.k8s.io/v1', 'Ingress', { ingressClassName: 'haproxy', rules: [{}] })],
  ['a wildcard Ingress of haproxy that is HTTP', () => IngressController.haproxy(), ingress('*.k8s.example.com', 'haproxy')],
  ['a wildcard Ingress of another controller', () => IngressController.haproxyIngress(),
    ingress('*.k8s.example.com', 'haproxy', { 'haproxy-ingress.github.io/ssl-passthrough': 'true' })],
  ['a VirtualServer of another class', () => IngressController.f5Nginx(), named('k8s.nginx.org/v1', 'VirtualServer', { host: HOST, ingressClassName: 'x' })],
  ['an Istio Gateway that passes TLS through', () => IngressController.istio(), istioGateway([HOST], 'PASSTHROUGH')],
  ['an Istio Gateway of other pods', () => IngressController.istio(), istioGateway(['*'], 'SIMPLE', { selector: { istio: 'internal' } })],
  ['an Istio Gateway at another port', () => IngressController.istio(),
    istioGateway([], 'SIMPLE', { servers: [{ port: { number: 8443 }, hosts: ['*'], tls: { mode: 'SIMPLE' } }] })],
  ['a Gateway of another name', GATEWAY_API, kubernetesGateway({ protocol: 'HTTPS', hostname: HOST }, { name: 'other', namespace: 'gateways' })],
  ['a listener for a wildcard, which is less specific', GATEWAY_API, kubernetesGateway({ protocol: 'HTTPS', hostname: '*.example.com' })],
  ['a TLSRoute of another Gateway', GATEWAY_API,
    named('gateway.networking.k8s.io/v1', 'TLSRoute', { parentRefs: [{ name: 'public' }], hostnames: [HOST] })],
  ['an object without a spec', () => IngressController.haproxy(), named('networking.k8s.io/v1', 'Ingress', undefined)],
  ['a VirtualServer, of no concern to Traefik', TRAEFIK, named('k8s.nginx.org/v1', 'VirtualServer', { host: HOST })],
];

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

describe('synthesis finds what takes the host of a control plane away', () => {
  test.each(TAKEN)('%s', (_, controller, manifest) => {
    const { type } = controller();
    expect(errorsWith(controller(), manifest).map(text => text.replace(', and 2 more,', ''))).toEqual([
      `SNI host: "${HOST}" of management/tenant-01 (kube-apiserver) is also taken by the ${manifest.kind} of apps/web, and ${type} may prefer that. ` +
      'Give the object a host of its own.',
    ]);
  });

  test.each(LEFT)('but not %s', (_, controller, manifest) => {
    expect(errorsWith(controller(), manifest)).toEqual([]);
  });

  test('among the hosts of konnectivity and TLS services too, and of every control plane', () => {
    const app = new App();
    const chart = new Chart(app, 'management');
    ['a', 'b'].forEach(name => expose(chart, name, IngressController.haproxy()));
    new ApiObject(new Chart(app, 'apps'), 'web', named('networking.k8s.io/v1', 'Ingress', {
      ingressClassName: 'haproxy', rules: [{ host: 'b.konnectivity.example.com' }, { host: 'a.trustd.example.com' }],
    }));
    expect(app.node.validate()).toEqual([
      'SNI host: "a.trustd.example.com" of management/a (trustd), and 1 more, is also taken by the Ingress of apps/web, and haproxy may prefer that. ' +
      'Give the object a host of its own.',
    ]);
  });

  test('in whichever order the objects were made, and in each synthesis anew', () => {
    const app = Testing.app({ yamlOutputType: YamlOutputType.FILE_PER_APP });
    new ApiObject(new Chart(app, 'apps'), 'web', ingressRoute('Host(`www.example.com`)'));
    const chart = new Chart(app, 'management');
    expose(chart, 'tenant-01', TRAEFIK());
    app.synth();
    new ApiObject(chart, 'late', ingressRoute(`Host(\`${HOST}\`)`));
    expect(() => app.synth()).toThrow(`SNI host: "${HOST}" of management/tenant-01 (kube-apiserver) is also taken by the IngressRoute of management/late`);
  });

  test('but not in another cluster', () => {
    const app = new App();
    const controlPlane = expose(new Chart(app, 'management'), 'tenant-01', TRAEFIK());
    const tenant = new Chart(app, 'tenant');
    new TcpProxyAddon(tenant, 'tcp-proxy', { controlPlane });
    new ApiObject(tenant, 'web', ingressRoute(`Host(\`${HOST}\`)`));
    expect(app.node.validate()).toEqual([]);
  });
});

function errorsWith(controller: IngressController, manifest: Manifest): string[] {
  const app = new App();
  expose(new Chart(app, 'management'), 'tenant-01', controller);
  new ApiObject(new Chart(app, 'apps'), 'web', manifest);
  return app.node.validate();
}

function expose(chart: Chart, name: string, controller: IngressController): IngressExposedControlPlane {
  return new IngressExposedControlPlane(chart, name, {
    namespace: 'tenants',
    domain: 'example.com',
    konnectivity: {},
    tlsServices: [{ name: 'trustd', servicePort: 50001 }],
    kubernetesVersion: '1.34.3',
    platform: new PlainPlatform(),
    controller,
  });
}
