import { absent, call, Construction, Expression, factory, flag, map, number, struct, Struct, structs, text, texts, variable } from './code';
import { Settings } from './settings';

/** A release that each platform runs. */
const KUBERNETES_VERSION = '1.34.3';
/** The release image decides of HyperShift's. */
const HYPERSHIFT = { kubernetesVersion: '1.33.0', releaseImage: 'quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64', pullSecretName: 'pull-secret' };
/** Namespace of what is at the shared address. */
const EDGE_NAMESPACE = 'gateways';
/** Each port leads to one tenant; Kubernetes gives none of these node ports to a Service that asks for any. */
const PORTS = { first: 30000, last: 30019 };
/** Beside the folder that has the manifests of the management cluster. */
export const TENANTS_FOLDER = 'tenants';

const ADDONS = { coreDns: struct('AddonImage'), kubeProxy: struct('AddonImage') };

const PLATFORM: { readonly [name: string]: Expression } = {
  'steward': factory('ControlPlanePlatform', 'steward', struct('StewardProps', ADDONS)),
  'kamaji': factory('ControlPlanePlatform', 'kamaji', struct('KamajiProps', ADDONS)),
  'kamaji-capi': factory('ControlPlanePlatform', 'kamajiControlPlane', struct('KamajiControlPlaneProps', ADDONS)),
  'k0smotron': factory('ControlPlanePlatform', 'k0smotron', absent),
  'k0smotron-capi': factory('ControlPlanePlatform', 'k0smotronControlPlane', absent),
  'hypershift': factory('ControlPlanePlatform', 'hypershift', struct('HypershiftProps', {
    releaseImage: text(HYPERSHIFT.releaseImage), pullSecretName: text(HYPERSHIFT.pullSecretName),
  })),
};

type Fields = Struct['fields'];

/** The constructs of the app, in the order in which they are made. */
export function constructionsOf(settings: Settings): Construction[] {
  const { tcpProxy } = settings.platform;
  return [
    { module: 'cdk8s', class: 'Chart', variable: 'management', scope: variable('app'), id: 'management', comment: ['What goes to the management cluster.'] },
    ...edge(settings),
    ...tcpProxy ? [tenantCharts(settings)] : [],
    controlPlane(settings),
    ...tcpProxy ? [proxy()] : [],
    {
      module: 'library',
      class: 'ExposureReport',
      scope: variable('app'),
      id: 'report',
      comment: ['Routes, DNS records and what must exist before, in dist/report/exposure-report.md.'],
    },
  ];
}

/** The namespaces that must exist before. */
export function namespacesOf({ controller, namespace }: Settings): string[] {
  return controller.portsOfTenants ? [namespace, EDGE_NAMESPACE] : [namespace];
}

function edge(settings: Settings): Construction[] {
  const { controller, platform } = settings;
  if (!controller.portsOfTenants) return [];
  const portRange: Fields = platform.tcpProxy ? {} : { portRange: struct('PortRange', { first: number(PORTS.first), last: number(PORTS.last) }) };
  const clusterIds: Fields = platform.tcpProxy ? {} : { clusterIdRouting: flag(false) };
  const made = { module: 'library', variable: 'edge', scope: variable('management'), id: 'control-planes' } as const;
  return controller.gateway ? [{
    ...made,
    class: 'PassthroughGateway',
    comment: ['The shared address: one wildcard for each kind of host serves every tenant.'],
    props: struct('PassthroughGatewayProps', {
      namespace: text(EDGE_NAMESPACE),
      gatewayClassName: text(settings.gatewayClass!),
      listeners: structs('PassthroughListener', services(settings).map(service =>
        struct('PassthroughListener', { name: text(service), hostname: text(`*.${service}.${settings.domain}`) }))),
      routeNamespaceLabels: map({ 'kubernetes.io/metadata.name': settings.namespace }),
      ...portRange,
    }),
  }] : [{
    ...made,
    class: 'SharedIngressGateway',
    comment: ['The shared address.'],
    props: struct('SharedIngressGatewayProps', {
      namespace: text(EDGE_NAMESPACE),
      ...portRange,
      // No node of HyperShift sends one.
      ...clusterIds,
    }),
  }];
}

/** Second labels of the hosts. */
function services({ platform }: Settings): string[] {
  return ['k8s', 'konnectivity', ...platform.tcpProxy ? [] : ['oauth', 'ignition-server']];
}

function tenantCharts({ delivery, repoUrl }: Settings): Construction {
  return {
    module: 'library',
    class: 'TenantCharts',
    variable: 'tenants',
    scope: variable('management'),
    id: 'tenants',
    comment: ['What goes to the clusters of tenants, and how it gets there.'],
    props: struct('TenantChartsProps', {
      delivery: deliveryBy(delivery.name, repoUrl),
      ...delivery.fromGit ? { outputFolder: text(`../${TENANTS_FOLDER}`) } : {},
    }),
  };
}

function deliveryBy(name: string, repoUrl: string | undefined): Expression {
  switch (name) {
    case 'sync': return factory('TenantDelivery', 'sync', absent);
    case 'cluster-resource-set': return factory('TenantDelivery', 'clusterResourceSet', absent);
    case 'flux': return factory('TenantDelivery', 'flux', struct('FluxDeliveryProps', {
      // As `flux bootstrap` names it.
      source: struct('FluxSource', { name: text('flux-system'), namespace: text('flux-system') }), path: text(TENANTS_FOLDER),
    }));
    case 'argocd': return factory('TenantDelivery', 'argoCd', struct('ArgoCdDeliveryProps', {
      repoUrl: text(repoUrl!), path: text(TENANTS_FOLDER), registration: struct('TenantRegistrationProps'),
    }));
    default: return factory('TenantDelivery', 'manifests');
  }
}

function controlPlane(settings: Settings): Construction {
  const { platform, controller } = settings;
  return {
    module: 'library',
    class: 'IngressExposedControlPlane',
    ...platform.tcpProxy ? { variable: 'controlPlane' } : {},
    scope: variable('management'),
    id: settings.tenant,
    comment: [`A tenant. Its API server is ${settings.apiHost}.`],
    props: struct('IngressExposedControlPlaneProps', {
      namespace: text(settings.namespace),
      kubernetesVersion: text(platform.tcpProxy ? KUBERNETES_VERSION : HYPERSHIFT.kubernetesVersion),
      domain: text(settings.domain),
      konnectivity: struct('KonnectivityEntry'),
      ...platform.tcpProxy ? {} : { port: number(PORTS.first + 1) },
      // The pods of the Gateway: HyperShift keeps out all others.
      ...!platform.tcpProxy && controller.gateway ? { networkPolicy: networkPolicy(EDGE_NAMESPACE) } : {},
      platform: PLATFORM[platform.name],
      controller: controller.portsOfTenants ? call('edge', 'asController', ...controller.gateway ? [absent] : []) : factory('IngressController', controller.factory!, absent),
    }),
  };
}

function networkPolicy(namespace: string): Struct {
  return struct('ControlPlaneNetworkPolicy', { namespaces: texts(namespace) });
}

function proxy(): Construction {
  return {
    module: 'library',
    class: 'TcpProxyAddon',
    scope: call('tenants', 'of', variable('controlPlane'), absent),
    id: 'tcp-proxy',
    comment: ['Makes kubernetes.default.svc work in the cluster of the tenant.'],
    props: struct('TcpProxyAddonProps', { controlPlane: variable('controlPlane') }),
  };
}
