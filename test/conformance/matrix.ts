import { App, Chart } from 'cdk8s';
import { refusedTcpProxy } from './tcp-proxies';
import {
  ControlPlanePlatform, Exposure, HypershiftApiPublishing, HypershiftManagementCluster, IngressController, IngressExposedControlPlaneProps,
  K0smotronApiVersion, K0smotronServiceType, KubernetesServicePath, OperatorRoutes,
  PassthroughGateway, SharedIngressGateway, TlsRouteVersion,
} from '../../src';
import { exposureOf } from '../../src/control-plane/exposure-of';
import { ManagementCluster } from '../../src/synthesis/management-cluster';
import { PlainController, PlainPlatform } from '../support/plain';

export * from './tcp-proxies';

/*
 * What the conformance tests run over. A new platform, controller or kind of tcp-proxy is covered by a line here.
 */

/** The shared Gateway. */
export const GATEWAY = { name: 'public', namespace: 'gateways' };

/** A platform and what its control planes need beside it. */
export interface PlatformCase extends Pick<IngressExposedControlPlaneProps, 'platform' | 'network'>, Partial<Pick<IngressExposedControlPlaneProps,
  'kubernetesVersion' | 'tlsServices' | 'clusterId' | 'port' | 'konnectivity' | 'allowedCidrs' | 'networkPolicy' | 'kubernetesService'>> {}

/** What a control plane wants of the controller in front; says in the words of the error what is lacking. */
type Wish = (controller: IngressController, exposure: Exposure) => string | undefined;

/** A row of the matrix. */
interface PlatformRow {
  /** @param ownPort gives a port of the shared address that no other tenant has */
  readonly make: (ownPort: () => number) => PlatformCase;
  /** @default - every controller that can serve its routes will do */
  readonly wants?: Wish;
  /** What it wants of a controller that serves its routes. @default - nothing more */
  readonly wantsBeside?: Wish;
  /** What its tcp-proxies cannot be. @default - anything that its platform does not refuse */
  readonly refusesTcpProxy?: (name: string) => string | undefined;
}

const GATEWAY_OF_OPERATOR: Wish = ({ gatewayRef, displayName }) => gatewayRef ? undefined
  : `operatorRoutes: "gateway" needs a Gateway, which the ${displayName} controller is not. `
    + 'Use the Gateway API controller, or leave it out to have this library create the routes.';
const INGRESS_OF_OPERATOR: Wish = ({ passesIngressesThrough, displayName }) => passesIngressesThrough ? undefined
  : `operatorRoutes: "ingress" needs a controller that passes TLS through by an Ingress, which ${displayName} does not. `
    + 'Leave it out to have this library create the routes.';
/** Nodes' proxies of HyperShift send no host. */
const PORT_FOR_HYPERSHIFT: Wish = (controller, { routes: [api] }) => controller.routesByPort(api) ? undefined
  : `controller: "${controller.displayName}" does not lead port ${api.port} to the API server without a host name`;
const PODS_THAT_HYPERSHIFT_KEEPS_OUT: Wish = ({ servesOpenShiftRoutes }) => servesOpenShiftRoutes
  ? 'networkPolicy: {"namespaces":["edge"]} cannot select the pods of this platform' : undefined;
const PODS_THAT_HYPERSHIFT_LETS_IN: Wish = ({ servesOpenShiftRoutes, _gateway, displayName }) => servesOpenShiftRoutes || _gateway ? undefined
  : `networkPolicy: is not set, and the NetworkPolicies of HyperShift keep ${displayName} and the hosted cluster apart`;
const SHARED_INGRESS_OF_ARO: Wish = ({ servesOpenShiftRoutes, _gateway, displayName }) => servesOpenShiftRoutes ? undefined
  : _gateway ? 'clusterId: is not set, so HyperShift would choose one that the shared gateway does not know'
    : `controller: "${displayName}" is not HyperShift\'s own shared ingress`;

const TENANT_CONTROL_PLANES: { [name: string]: (operatorRoutes?: OperatorRoutes) => ControlPlanePlatform } = {
  'steward': operatorRoutes => ControlPlanePlatform.steward({ operatorRoutes }),
  'kamaji': operatorRoutes => ControlPlanePlatform.kamaji({ operatorRoutes }),
  'kamaji-control-plane': operatorRoutes => ControlPlanePlatform.kamajiControlPlane({ operatorRoutes }),
};
const WHO_MAKES_ROUTES: { [name: string]: { operatorRoutes?: OperatorRoutes; wants?: Wish } } = {
  '': {},
  ', routes of this library': { operatorRoutes: OperatorRoutes.NONE },
  ', routes of its Ingress': { operatorRoutes: OperatorRoutes.INGRESS, wants: INGRESS_OF_OPERATOR },
  ', routes of its Gateway': { operatorRoutes: OperatorRoutes.GATEWAY, wants: GATEWAY_OF_OPERATOR },
};

/** The platforms, each with every choice that changes who creates the routes, or how they are found. */
export const PLATFORMS: { [name: string]: PlatformRow } = {
  ...Object.fromEntries(Object.entries(TENANT_CONTROL_PLANES).flatMap(([system, make]) =>
    Object.entries(WHO_MAKES_ROUTES).map(([suffix, { operatorRoutes, wants }]): [string, PlatformRow] =>
      [system + suffix, { make: () => ({ platform: make(operatorRoutes) }), wants }]))),
  'kamaji, dual stack': { make: () => ({ platform: ControlPlanePlatform.kamaji(), network: DUAL_STACK }) },
  'kamaji, a port of the tenant': { make: ownPort => ({ platform: ControlPlanePlatform.kamaji(), port: ownPort(), konnectivity: { port: 443 } }) },
  'kamaji, konnectivity at a port of the tenant': { make: ownPort => ({ platform: ControlPlanePlatform.kamaji(), konnectivity: { port: ownPort() } }) },
  'kamaji-control-plane, ports of the tenant': {
    make: ownPort => ({ platform: ControlPlanePlatform.kamajiControlPlane(), port: ownPort(), konnectivity: { port: ownPort() }, allowedCidrs: ['203.0.113.0/24'] }),
  },
  ...Object.fromEntries(Object.entries(TENANT_CONTROL_PLANES).map(([system, make]): [string, PlatformRow] => [
    `${system}, pods by a port`, { make: ownPort => ({ platform: make(), kubernetesService: atPort(ownPort) }) },
  ])),
  'kamaji, pods by a port, limited sources': {
    make: ownPort => ({ platform: ControlPlanePlatform.kamaji(), kubernetesService: atPort(ownPort), allowedCidrs: ['203.0.113.0/24', '2001:db8:113::/48'] }),
  },
  'kamaji, dual stack, pods by a port': {
    make: ownPort => ({ platform: ControlPlanePlatform.kamaji(), network: DUAL_STACK, kubernetesService: atPort(ownPort, '2001:db8::10') }),
  },
  'k0smotron, pods by a port': { make: ownPort => ({ ...K0S, platform: ControlPlanePlatform.k0smotron(), kubernetesService: atPort(ownPort) }) },
  'k0smotron': { make: () => ({ ...K0S, platform: ControlPlanePlatform.k0smotron() }) },
  'k0smotron, v1beta1': {
    make: () => ({ ...K0S, platform: ControlPlanePlatform.k0smotron({ apiVersion: K0smotronApiVersion.V1BETA1 }) }),
    refusesTcpProxy: () => 'apiVersion: "v1beta1" has no patches to take out k0smotron\'s own tcp-proxy',
  },
  'k0smotron, LoadBalancer': {
    // k0s brings the konnectivity agents itself from 1.35.1 on.
    make: () => ({ ...K0S, kubernetesVersion: '1.36.1', platform: ControlPlanePlatform.k0smotron({ serviceType: K0smotronServiceType.LOAD_BALANCER }) }),
  },
  'k0smotron-control-plane': { make: () => ({ ...K0S, platform: ControlPlanePlatform.k0smotronControlPlane() }) },
  'hypershift': {
    make: ownPort => ({ ...HOSTED_CLUSTER, platform: ControlPlanePlatform.hypershift(RELEASE), port: ownPort() }),
    wants: PORT_FOR_HYPERSHIFT,
    wantsBeside: PODS_THAT_HYPERSHIFT_LETS_IN,
  },
  'hypershift beside pods of the edge': {
    make: ownPort => ({ ...HOSTED_CLUSTER, platform: ControlPlanePlatform.hypershift(RELEASE), port: ownPort(), networkPolicy: { namespaces: ['edge'] } }),
    wants: PORT_FOR_HYPERSHIFT,
  },
  'hypershift, ports alone': {
    make: ownPort => ({
      ...HOSTED_CLUSTER,
      platform: ControlPlanePlatform.hypershift({ ...RELEASE, managementClusterType: HypershiftManagementCluster.KUBERNETES }),
      port: ownPort(),
      konnectivity: { hostname: 'edge.example.org', port: ownPort() },
      tlsServices: ['oauth', 'ignition-server'].map(name => ({ name, hostname: 'edge.example.org', port: ownPort() })),
      allowedCidrs: ['203.0.113.0/24', '2001:db8:113::/48'],
    }),
    wants: PORT_FOR_HYPERSHIFT,
  },
  'hypershift, LoadBalancer': {
    make: () => ({
      ...HOSTED_CLUSTER,
      platform: ControlPlanePlatform.hypershift({ ...RELEASE, apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }),
      networkPolicy: { namespaces: ['edge'] },
    }),
    wantsBeside: PODS_THAT_HYPERSHIFT_KEEPS_OUT,
  },
  'hypershift, IBM Cloud': {
    make: () => ({
      ...HOSTED_CLUSTER,
      platform: ControlPlanePlatform.hypershift({ ...RELEASE, platform: { type: 'IBMCloud', ibmcloud: {} } }),
      networkPolicy: { namespaces: ['edge'] },
    }),
    wantsBeside: PODS_THAT_HYPERSHIFT_KEEPS_OUT,
  },
  'hypershift, LoadBalancer beside the router of OpenShift': {
    make: () => ({
      ...HOSTED_CLUSTER,
      platform: ControlPlanePlatform.hypershift({ ...RELEASE, apiServerPublishing: HypershiftApiPublishing.LOAD_BALANCER }),
    }),
    wantsBeside: PODS_THAT_HYPERSHIFT_LETS_IN,
  },
  'hypershift, ARO HCP': {
    make: () => ({
      ...HOSTED_CLUSTER,
      platform: ControlPlanePlatform.hypershift({
        ...RELEASE,
        platform: {
          type: 'Azure',
          azure: {
            azureAuthenticationConfig: { azureAuthenticationConfigType: 'ManagedIdentities' },
            ...Object.fromEntries(['location', 'resourceGroup', 'subscriptionID', 'subnetID', 'securityGroupID', 'tenantID', 'vnetID'].map(field => [field, 'hosted'])),
          },
        },
      }),
    }),
    wants: SHARED_INGRESS_OF_ARO,
  },
  'a platform of the user\'s own': { make: () => ({ platform: new PlainPlatform() }) },
};

/** A port of the tenant that its pods are led to. */
function atPort(ownPort: () => number, ...further: string[]): KubernetesServicePath {
  return KubernetesServicePath.port({ addresses: ['203.0.113.10', ...further], port: ownPort() });
}

const RELEASE = { releaseImage: 'quay.io/ocp-release:4.20.0', pullSecretName: 'pull-secret' };
/** k0smotron runs konnectivity always. */
const K0S = { kubernetesVersion: '1.34.3', konnectivity: {} };
/** OAuth and ignition come from the platform, and no node of HyperShift sends a cluster ID outside of ARO HCP. */
const HOSTED_CLUSTER = { tlsServices: [], clusterId: undefined, konnectivity: {} };
/** Node ports that Kubernetes gives to nobody who asks for any. */
const PORT_RANGE = { first: 30000, last: 30085 };

/** Gives the ports of a tenant, other ones than those of the tenants next to it. */
function portsOf(name: string): () => number {
  let port = Number(/\d+$/.exec(name)) * 8;
  return () => PORT_RANGE.first + port++ % (PORT_RANGE.last - PORT_RANGE.first + 1);
}

/** Whether a tenant of the platform has ports of the shared address for itself. */
export function hasOwnPorts(platform: string): boolean {
  let asked = false;
  PLATFORMS[platform].make(() => {
    asked = true;
    return PORT_RANGE.first;
  });
  return asked;
}

const DUAL_STACK = { serviceCidrs: ['10.96.0.0/16', 'fd00:10:96::/112'], podCidrs: ['10.244.0.0/16', 'fd00:10:244::/56'] };

/** The controllers; what they need beside control planes goes into the chart. */
export const CONTROLLERS: { [name: string]: (chart: Chart, domain: string) => IngressController } = {
  'traefik': () => IngressController.traefik({ portRange: PORT_RANGE }),
  'haproxy': () => IngressController.haproxy(),
  'haproxy-ingress': () => IngressController.haproxyIngress({ portRange: PORT_RANGE }),
  'ingress-nginx': () => IngressController.ingressNginx(),
  'f5-nginx': () => IngressController.f5Nginx({ portRange: PORT_RANGE }),
  'gateway-api': () => IngressController.gatewayApi({ gateway: GATEWAY, portRange: PORT_RANGE }),
  'gateway-api v1alpha3': () => IngressController.gatewayApi({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA3 }),
  'gateway-api v1alpha2': () => IngressController.gatewayApi({ gateway: GATEWAY, tlsRouteVersion: TlsRouteVersion.V1ALPHA2 }),
  'a gateway of this library': (chart, domain) => new PassthroughGateway(chart, GATEWAY.name, {
    namespace: GATEWAY.namespace,
    gatewayClassName: 'cilium',
    routeNamespaceLabels: {},
    portRange: PORT_RANGE,
    listenerSets: true,
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
  'kgateway': () => IngressController.kgateway({ gateway: GATEWAY, portRange: PORT_RANGE }),
  'contour': () => IngressController.contour(),
  'istio': () => IngressController.istio({ portRange: PORT_RANGE }),
  'openshift': () => IngressController.openshift(),
  'cilium': () => IngressController.cilium(),
  'generic': () => IngressController.generic({ ingressClassName: 'edge', annotations: { 'edge.test/passthrough': 'on' } }),
  'a controller of the user\'s own': () => new PlainController(),
};

/** A route that only some platforms would know of. */
export const TLS_SERVICE = { name: 'trustd', port: 443, serviceName: 'trustd', servicePort: 50001 };

/** A cell of the matrix, by the names of its parts. */
export interface Cell {
  readonly platform: string;
  readonly controller: string;
  readonly konnectivity: boolean;
  /** @default - no tcp-proxy */
  readonly tcpProxy?: string;
  /** @default example.com */
  readonly domain?: string;
}

/** What the control planes of a cell are made with, beside their name and controller. */
export function controlPlaneOf({ platform, konnectivity, domain = 'example.com' }: Cell, name: string) {
  return {
    namespace: 'tenants',
    kubernetesVersion: '1.31.0',
    domain,
    konnectivity: konnectivity ? {} : undefined,
    tlsServices: [TLS_SERVICE],
    clusterId: name,
    ...PLATFORMS[platform].make(portsOf(name)),
  };
}

/**
 * What the error begins with that a pair of platform and controller is meant to give, undefined for a pair that works: what the
 * platform wants and the controller lacks, then what the controller says of the routes by itself.
 */
export function refusedRoutes(cell: Cell): string | undefined {
  const key = JSON.stringify([cell.platform, cell.controller, cell.konnectivity, cell.domain]);
  if (!refusals.has(key)) {
    refusals.set(key, findRefusal(cell));
  }
  return refusals.get(key);
}

/** Cells are asked for once for each tcp-proxy and test. */
const refusals = new Map<string, string | undefined>();

function findRefusal(cell: Cell): string | undefined {
  const chart = new Chart(new App(), 'management');
  const controller = CONTROLLERS[cell.controller](chart, cell.domain ?? 'example.com');
  const { platform, ...wishes } = controlPlaneOf(cell, 'tenant-01');
  const exposure = exposureOf('tenant-01', wishes, platform.defaults('tenant-01', wishes.namespace),
    { cluster: ManagementCluster.of(chart), controller });
  const { wants, wantsBeside } = PLATFORMS[cell.platform];
  const lacking = wants?.(controller, exposure);
  if (lacking !== undefined) {
    return lacking;
  }
  const routes = exposure.routes.filter(route => !route.ownAddress);
  const madeByOperator = wishes.allowedCidrs ? [] : platform.operatorRoutes(exposure, controller);
  const operatorRoutes = routes.filter(({ name }) => madeByOperator.includes(name));
  const { portRoute } = exposure;
  return messageOf(() => controller.validateRoutes({ exposure, routes, operatorRoutes }))
    ?? (wishes.allowedCidrs && messageOf(() => controller.bind(chart, { exposure, routes, allowedCidrs: wishes.allowedCidrs })))
    ?? (portRoute && messageOf(() => controller.bindPort(new Chart(new App(), 'ports'), { exposure, route: portRoute, allowedCidrs: wishes.allowedCidrs })))
    ?? wantsBeside?.(controller, exposure);
}

function messageOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What the error begins with that a cell is meant to give, undefined for one that works. */
export function refused(cell: Cell): string | undefined {
  return refusedRoutes(cell) ?? (cell.tcpProxy === undefined ? undefined : refusedTcpProxyOf(cell.platform, cell.tcpProxy));
}

/** What a platform says of a tcp-proxy that would work elsewhere. */
function refusedTcpProxyOf(name: string, tcpProxy: string): string | undefined {
  const { make, refusesTcpProxy } = PLATFORMS[name];
  const { platform, kubernetesService } = make(() => PORT_RANGE.first);
  if (platform.bringsTcpProxy || kubernetesService) {
    return 'controlPlane: ';
  }
  const fixed = tcpProxy.endsWith('fixed address') ? messageOf(() => platform._validateAdvertiseAddress('172.20.0.1')) : undefined;
  return fixed ?? refusedTcpProxy(tcpProxy) ?? refusesTcpProxy?.(tcpProxy);
}
