import { annotations, Base, Bases, controlPlane, labels, plain } from './base';
import { ExternalTrafficPolicy, GatewayRef, IngressController, TcpRouteVersion, TlsRouteVersion } from '../../../src';

/** A controller whose routes are made for a control plane. */
function behind(props: object, further: object = {}): Base {
  return { args: () => [props], use: (controller: IngressController, management) => void controlPlane(management, { controller, ...further }) };
}

const ingress = { ingressClassName: 'public', port: 443, annotations: annotations() };
const gateway: GatewayRef = { name: 'edge', namespace: 'gateways' };
const portRange = { first: 30000, last: 30009 };

/** What every controller of a Gateway takes. */
const BEHIND_GATEWAY = [
  behind({
    gateway,
    listeners: [
      { name: 'api', hostname: '*.k8s.example.com', port: 8443, publicPort: 443, terminatesTls: false, tcp: false },
      { name: 'konnectivity', hostname: '*.konnectivity.example.com', port: 8443, publicPort: 443 },
    ],
    sameNamespaceOnly: false,
    listenerSets: true,
    portRange,
    tlsRouteVersion: TlsRouteVersion.V1,
    tcpRouteVersion: TcpRouteVersion.V1,
    sectionNames: { 'kube-apiserver': 'api' },
  }),
  behind({ gateway, sectionNames: { 'kube-apiserver': 'api', 'konnectivity-server': 'konnectivity' } }),
];

export const CONTROLLER_BASES: Bases = {
  'IngressController.cilium': [behind(ingress)],
  'IngressController.contour': [behind({ ingressClassName: 'public', port: 443 })],
  'IngressController.f5Nginx': [behind({ ingressClassName: 'public', port: 443, portRange, idleTimeout: '4h' })],
  'IngressController.kgateway': BEHIND_GATEWAY,
  'IngressController.gatewayApi': BEHIND_GATEWAY,
  'IngressController.generic': [behind(ingress)],
  'IngressController.haproxy': [behind(ingress, { allowedCidrs: ['203.0.113.0/24'] })],
  'IngressController.haproxyIngress': [behind({ ...ingress, ipv6: true, portRange })],
  'IngressController.ingressNginx': [behind(ingress)],
  'IngressController.istio': [
    behind({ selector: labels(), podNamespace: 'istio-ingress', port: 443, portRange }, { allowedCidrs: ['203.0.113.0/24'] }),
    behind({ gateway: 'edge/public', selector: labels(), podNamespace: 'istio-ingress', port: 443 }),
  ],
  'IngressController.openshift': [behind({ routeLabels: labels(), port: 443 })],
  'IngressController.traefik': [
    behind({ entryPoint: 'websecure', entryPointsByPort: { 8132: 'konnectivity' }, portRange, priority: 1000, ingressClassName: 'public' },
      { konnectivity: { port: 8132 } }),
    behind({ entryPoint: 'websecure', entryPointsByPort: { 8132: 'konnectivity' } }),
  ],
  'new PassthroughGateway': [plain({
    name: 'edge',
    namespace: 'gateways',
    gatewayClassName: 'cilium',
    listeners: [{ name: 'api', hostname: '*.k8s.example.com', port: 8443, publicPort: 443 }],
    routeNamespaceLabels: labels(),
    portRange,
    listenerSets: true,
    infrastructureAnnotations: annotations(),
    labels: labels(),
  })],
  'ControllerService.clusterIp': [plain({ annotations: annotations() })],
  'ControllerService.loadBalancer': [plain({
    annotations: annotations(),
    loadBalancerIp: '203.0.113.10',
    loadBalancerClass: 'service.k8s.aws/nlb',
    sourceRanges: ['203.0.113.0/24'],
    externalTrafficPolicy: ExternalTrafficPolicy.LOCAL,
  })],
};
