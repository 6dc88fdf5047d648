import { Chart } from 'cdk8s';
import {
  ControlPlanePlatform, HypershiftApiPublishing, HypershiftManagementCluster, IngressController, IngressExposedControlPlaneProps,
  K0smotronApiVersion, K0smotronServiceType, OperatorRoutes,
  PassthroughGateway, SharedIngressGateway,
  TcpProxyAddonProps, TcpProxyEndpoints, TcpProxyPlacement, TcpProxyUpstream, TlsRouteVersion,
} from '../../src';
import { PlainController, PlainPlatform } from '../support/plain';

/*
 * What the conformance tests run over. A new platform, controller or kind of tcp-proxy is covered by a line here.
 */

/** The shared Gateway. */
export const GATEWAY = { name: 'public', namespace: 'gateways' };

/** A platform and what its control planes need beside it. */
export type PlatformCase = Pick<IngressExposedControlPlaneProps, 'platform' | 'network'> & Partial<Pick<IngressExposedControlPlaneProps,
  'kubernetesVersion' | 'tlsServices' | 'clusterId' | 'port' | 'konnectivity' | 'allowedCidrs' | 'networkPolicy'>>;

/** The platforms, each with every choice that changes who creates the routes. */
export const PLATFORMS: { [name: string]: () => PlatformCase } = {
  'steward': () => ({ platform: ControlPlanePlatform.steward() }),
  'steward, routes of this library': () => ({ platform: ControlPlanePlatform.steward({ operatorRoutes: OperatorRoutes.NONE }) }),
  'steward, routes of its Gateway': () => ({ platform: ControlPlanePlatform.steward({ operatorRoutes: OperatorRoutes.GATEWAY }) }),
  'kamaji': () => ({ platform: ControlPlanePlatform.kamaji() }),
  'kamaji, routes of its Ingress': () => ({ platform: ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.INGRESS }) }),
  'kamaji, routes of its Gateway': () => ({ platform: ControlPlanePlatform.kamaji({ operatorRoutes: OperatorRoutes.GATEWAY }) }),
  'kamaji, dual stack': () => ({ platform: ControlPlanePlatform.kamaji(), network: DUAL_STACK }),
  'kamaji-control-plane': () => ({ platform: ControlPlanePlatform.kamajiControlPlane() }),
  'kamaji-control-plane, routes of its Ingress':
    () => ({ platform: ControlPlanePlatform.kamajiControlPlane({ operatorRoutes: OperatorRoutes.INGRESS }) }),
  'kamaji-control-plane, routes of its Gateway':
    () => ({ platform: ControlPlanePlatform.kamajiControlPlane({ operatorRoutes: OperatorRoutes.GATEWAY }) }),
  'a platform of the user\'s own': () => ({ platform: new PlainPlatform() }),
};

/** Platforms that refuse a part of the matrix by themselves: versions, tcp-proxies, control planes without konnectivity. */
export const FURTHER_PLATFORMS: { [name: string]: () => PlatformCase } = {
  'k0smotron': () => ({ platform: ControlPlanePlatform.k0smotron(), kubernetesVersion: '1.34.3' }),
  'k0smotron, v1beta1': () => ({
    platform: ControlPlanePlatform.k0smotron({ apiVersion: K0smotronApiVersion.V1BETA1 }),
    kubernetesVersion: '1.34.3',
  }),
  'k0smotron, LoadBalancer':
    () => ({ platform: ControlPlanePlatform.k0smotron({ serviceType: K0smotronServiceType.LOAD_BALANCER }), kubernetesVersion: '1.34.3' }),
  'k0smotron-control-plane': () => ({ platform: ControlPlanePlatform.k0smotronControlPlane(), kubernetesVersion: '1.34.3' }),
  'kamaji, a port of the tenant': () => ({ platform: ControlPlanePlatform.kamaji(), port: ownPort(), konnectivity: { port: 443 } }),
  'kamaji, konnectivity at a port of the tenant': () => ({ platform: ControlPlanePlatform.kamaji(), konnectivity: { port: ownPort() } }),
  'kamaji-control-plane, ports of the tenant':
    () => ({ platform: ControlPlanePlatform.kamajiControlPlane(), port: ownPort(), konnectivity: { port: ownPort() }, allowedCidrs: ['203.0.113.0/24'] }),
  'hypershift': () => ({ ...HOSTED_CLUSTER, platform: ControlPlanePlatform.hypershift(RELEASE), port: ownPort() }),
  'hypershift, ports alone': () => ({
    ...HOSTED_CLUSTER,
    platform: ControlPlanePlatform.hypershift({ ...RELEASE, managementClusterType: HypershiftManagementCluster.KUBERNETES }),
    port: ownPort(),
    konnectivity: { hostname: 'edge.example.com', port: ownPort() },
    tlsServices: ['oauth', 'ignition-server'].map(name => ({ name, hostname: 'edge.example.com', port: ownPort() })),
    allowedCidrs: ['203.0.113.0/24', '2001:db8:113::/48'],
  }),
  'hypershift, LoadBalancer': () => ({
    ...HOSTED_CLUSTER,
    platform: ControlPlanePlatform.hypershift({ ...RELEASE, apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }),
    networkPolicy: { namespaces: ['edge'] },
  }),
  'hypershift, IBM Cloud': () => ({
    ...HOSTED_CLUSTER,
    platform: ControlPlanePlatform.hypershift({ ...RELEASE, platform: { type: 'IBMCloud', ibmcloud: {} } }),
    networkPolicy: { namespaces: ['edge'] },
  }),
  'hypershift, LoadBalancer beside the router of OpenShift': () => ({
    ...HOSTED_CLUSTER,
    platform: ControlPlanePlatform.hypershift({ ...RELEASE, apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }),
  }),
  'hypershift, ARO HCP': () => ({
    ...HOSTED_CLUSTER,
    platform: ControlPlanePlatform.hypershift({
      ...RELEASE,
      platform: { type: 'Azure', azure: { azureAuthenticationConfig: { azureAuthenticationConfigType: 'ManagedIdentities' } } },
    }),
  }),
};

const RELEASE = { releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' };
/** OAuth and ignition come from the platform, and no node of HyperShift sends a cluster ID outside of ARO HCP. */
const HOSTED_CLUSTER = { tlsServices: [], clusterId: undefined };
/** Node ports that Kubernetes gives to nobody who asks for any. */
const PORT_RANGE = { first: 30000, last: 30085 };

let ports = 0;

/** Another port at each call, for more calls than one app makes. */
function ownPort(): number {
  return PORT_RANGE.first + ports++ % (PORT_RANGE.last - PORT_RANGE.first + 1);
}

const DUAL_STACK = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };

/** The controllers; what they need beside control planes goes into the chart. */
export const CONTROLLERS: { [name: string]: (chart: Chart, domain: string) => IngressController } = {
  'traefik': () => IngressController.traefik(),
  'haproxy': () => IngressController.haproxy(),
  'haproxy-ingress': () => IngressController.haproxyIngress(),
  'ingress-nginx': () => IngressController.ingressNginx(),
  'f5-nginx': () => IngressController.f5Nginx(),
  'gateway-api': () => IngressController.gatewayApi({ gateway: GATEWAY }),
  'gateway-api v1alpha3': () => IngressController.gatewayApi({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA3 }),
  'gateway-api v1alpha2': () => IngressController.gatewayApi({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA2 }),
  'a gateway of this library': (chart, domain) => new PassthroughGateway(chart, GATEWAY.name, {
    namespace: GATEWAY.namespace,
    gatewayClassName: 'cilium',
    routeNamespaceLabels: {},
    listeners: [
      { name: 'k8s', hostname: `*.k8s.${domain}` },
      { name: 'konnectivity', hostname: `*.konnectivity.${domain}` },
      { name: 'trustd', hostname: `*.trustd.${domain}` },
      { name: 'kube-apiserver', hostname: `*.k8s.${domain}`, port: 6443 },
      // Kamaji's host of konnectivity is that of the API server.
      { name: 'konnectivity-server', hostname: `*.${domain}`, port: 8132 },
    ],
  }).asController(),
  'the shared gateway of this library': chart => new SharedIngressGateway(chart, 'edge', { namespace: GATEWAY.namespace, portRange: PORT_RANGE }).asController(),
  'contour': () => IngressController.contour(),
  'istio': () => IngressController.istio(),
  'openshift': () => IngressController.openshift(),
  'cilium': () => IngressController.cilium(),
  'generic': () => IngressController.generic({ ingressClassName: 'edge', annotations: { 'edge.test/passthrough': 'on' } }),
  'a controller of the user\'s own': () => new PlainController(),
};

/** A route that only some platforms would know of. */
export const TLS_SERVICE = { name: 'trustd', port: 443, serviceName: 'trustd', servicePort: 50001 };

const UPSTREAMS: { [name: string]: () => TcpProxyUpstream } = {
  'sni': () => TcpProxyUpstream.sni(),
  'direct to an address': () => TcpProxyUpstream.direct({ host: '10.40.0.201', port: 30443 }),
  'shared gateway': () => TcpProxyUpstream.sharedGateway(SharedIngressGateway.fromAttributes({ host: 'edge.internal' })),
  'direct to a name': () => TcpProxyUpstream.direct({ host: 'nodes.internal', port: 30443 }),
};
const PLACEMENTS: { [name: string]: () => TcpProxyPlacement } = {
  'replicas': () => TcpProxyPlacement.replicas(),
  'every node': () => TcpProxyPlacement.everyNode(),
  'static pod': () => TcpProxyPlacement.staticPod(),
};
const ENDPOINTS: { [name: string]: () => Pick<TcpProxyAddonProps, 'endpoints' | 'namespace'> } = {
  'owned': () => ({ endpoints: TcpProxyEndpoints.owned() }),
  'owned advertise address': () => ({ endpoints: TcpProxyEndpoints.ownedAdvertiseAddress({ addresses: ['100.64.30.10'] }) }),
  'Service kubernetes': () => ({ endpoints: TcpProxyEndpoints.kubernetesService(), namespace: 'default' }),
  'fixed address': () => ({ endpoints: TcpProxyEndpoints.fixedAddress({ addresses: ['172.20.0.1'] }) }),
};
/** Switches of the addon that change its manifests or its configuration. */
const SWITCHES: { [name: string]: () => Partial<TcpProxyAddonProps> } = {
  'without HTTP/2': () => ({ http2: false }),
  'with host aliases': () => ({ hostAliases: [{ ip: '192.0.2.10', hostnames: ['tenant-01.k8s.example.com', 'tenants-tenant-01.k8s.example.com'] }] }),
  'with a network policy': () => ({ networkPolicy: true }),
};

/** What a tcp-proxy is made with. */
export type TcpProxyCase = Omit<TcpProxyAddonProps, 'controlPlane' | 'exposure'>;

/** Every tcp-proxy: upstream × placement × endpoints, and each switch alone. */
export const TCP_PROXIES: { [name: string]: () => TcpProxyCase } = {
  ...Object.fromEntries(
    Object.entries(UPSTREAMS).flatMap(([upstream, makeUpstream]) =>
      Object.entries(PLACEMENTS).flatMap(([placement, makePlacement]) =>
        Object.entries(ENDPOINTS).map(([endpoints, makeEndpoints]) =>
          [`${upstream}, ${placement}, ${endpoints}`, () => ({ upstream: makeUpstream(), placement: makePlacement(), ...makeEndpoints() })])))),
  ...SWITCHES,
};

/** The kinds that are different to a control plane: each choice at least once, and none at all. */
export const TCP_PROXY_KINDS: (string | undefined)[] = [
  undefined,
  'sni, replicas, owned',
  'direct to an address, every node, owned advertise address',
  'direct to a name, static pod, fixed address',
  'sni, static pod, Service kubernetes',
  'shared gateway, every node, owned',
];

const GATEWAY_CONTROLLERS = ['gateway-api', 'gateway-api v1alpha3', 'gateway-api v1alpha2', 'a gateway of this library'];
const INGRESS_CONTROLLERS = ['haproxy', 'haproxy-ingress', 'ingress-nginx', 'cilium', 'generic'];

/** The controllers that have another name here than they call themselves. */
const TYPES: { [controller: string]: string } = {
  'the shared gateway of this library': 'shared-gateway',
  'a controller of the user\'s own': 'plain',
};

/** The error that a pair of platform and controller is meant to give, or undefined for a pair that works. */
export function refusedRoutes(platform: string, controller: string): string | undefined {
  const type = GATEWAY_CONTROLLERS.includes(controller) ? 'gateway-api' : TYPES[controller] ?? controller;
  if (platform.endsWith('routes of its Gateway') && !GATEWAY_CONTROLLERS.includes(controller)) {
    return `operatorRoutes: "gateway" needs a Gateway, which the ${type} controller is not. `
      + 'Use the Gateway API controller, or leave it out to have this library create the routes.';
  }
  if (platform.endsWith('routes of its Ingress') && !INGRESS_CONTROLLERS.includes(controller)) {
    return `operatorRoutes: "ingress" needs a controller that passes TLS through by an Ingress, which ${type} does not. `
      + 'Leave it out to have this library create the routes.';
  }
  return undefined;
}

/** The error that a tcp-proxy is meant to give, or undefined for one that works. */
export function refusedTcpProxy(tcpProxy: string): string | undefined {
  const [, placement, endpoints] = tcpProxy.split(', ');
  if (placement === 'replicas' && ['owned advertise address', 'fixed address'].includes(endpoints)) {
    return 'placement: "replicas" leaves nodes without a proxy, and each node has the advertise address for itself. '
      + 'Choose TcpProxyPlacement.everyNode() or staticPod(), or TcpProxyEndpoints.owned().';
  }
  if (placement === 'static pod' && endpoints.startsWith('owned')) {
    return 'placement: "static pod" has no service account, so its agent cannot own default/kubernetes. '
      + 'Choose TcpProxyEndpoints.fixedAddress() or kubernetesService(), or TcpProxyPlacement.everyNode().';
  }
  return undefined;
}
