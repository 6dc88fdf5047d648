import { annotationsOf, below, Description, isOwnLabel, Wishes } from './description';
import { isRoutable } from './hosts';
import { Settings } from './settings';
import { ConfigurationError } from '../../../cli/configuration';
import { printable } from '../../../cli/printable';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { Call, Expression, Fields, fieldsOf, Json, Member } from '../code/expression';
import { at, own } from '../json';

const HTTPS = 443;
/** The release image decides on it. */
const KUBERNETES_VERSION = '1.33.0';
const PUBLISHING = { NodePort: 'NODE_PORT', LoadBalancer: 'LOAD_BALANCER', Route: 'ROUTE' };
const NODE_PORTS = '30000-32767';
const PORTS = /^(\d{1,5})-(\d{1,5})$/;
const FURTHER = [['oauth', 'OAuthServer'], ['ignition-server', 'Ignition']] as const;

/** A HostedCluster. How its services are published can never change, so it is described as it is. */
export function describeHostedCluster(controlPlane: ControlPlane, object: Json, wishes: Wishes): Description {
  const { source } = controlPlane;
  const settings = new Settings(object, `${source.apiVersion} HostedCluster`);
  const api = publishedAt(object, 'APIServer');
  const konnectivity = publishedAt(object, 'Konnectivity');
  const others = FURTHER.map(([name, service]) => ({ name, ...publishedAt(object, service) })).filter(each => Object.keys(each).length > 1);
  const incomplete = ['APIServer', 'Konnectivity', 'OAuthServer', 'Ignition'].some(service => publishedAt(object, service).hostname === undefined);
  return {
    controlPlane,
    object,
    props: {
      namespace: source.namespace,
      name: source.name,
      kubernetesVersion: KUBERNETES_VERSION,
      ...fieldsOf({
        hostname: api.hostname,
        domain: incomplete ? wishes.domain : undefined,
        port: api.port,
        konnectivity: fieldsOf(konnectivity) ?? {},
        tlsServices: others.length === 0 ? undefined : others,
        network: fieldsOf({ serviceCidrs: cidrs(object, 'serviceNetwork'), podCidrs: cidrs(object, 'clusterNetwork') }),
        annotations: annotationsOf(object),
        // HyperShift keeps everybody else from its pods; the proxies of a Gateway are often beside it.
        networkPolicy: wishes.gateway && { namespaces: [wishes.gateway.namespace] },
      }),
    },
    platform: 'ControlPlanePlatform.hypershift',
    platformProps: platformProps(settings, object),
    controller: controllerOf(object, wishes, `${source.namespace}/${source.name}`),
    tcpProxy: false,
    rules: {
      isOurs: isOwnLabel,
      isOldWay: below(),
      oldWayProps: [],
    },
  };
}

function platformProps(settings: Settings, object: Json): Fields {
  return fieldsOf({
    releaseImage: String(at(object, 'spec.release.image') ?? ''),
    pullSecretName: String(at(object, 'spec.pullSecret.name') ?? ''),
    sshKeyName: settings.text('spec.sshKey.name') || undefined,
    platform: settings.value('spec.platform') as Expression | undefined,
    apiServerPublishing: publishing(object),
    serviceNodePortRange: settings.value('spec.configuration.network.serviceNodePortRange'),
    clusterId: settings.value('spec.clusterID'),
    baseDomain: settings.text('spec.dns.baseDomain') || undefined,
    availability: settings.member('spec.controllerAvailabilityPolicy', 'HypershiftAvailability', { SingleReplica: 'SINGLE_REPLICA' }),
    networkType: settings.member('spec.networking.networkType', 'HypershiftNetworkType', { Calico: 'CALICO', Other: 'OTHER' }),
    machineCidrs: cidrs(object, 'machineNetwork'),
    etcdStorageSize: settings.value('spec.etcd.managed.storage.persistentVolume.size'),
    etcdStorageClassName: settings.value('spec.etcd.managed.storage.persistentVolume.storageClassName'),
    advertiseAddress: settings.value('spec.networking.apiServer.advertiseAddress'),
    apiServerPort: settings.value('spec.networking.apiServer.port'),
    allowedCidrBlocks: settings.texts('spec.networking.apiServer.allowedCIDRBlocks'),
    httpProxy: settings.fields('spec.configuration.proxy', { httpProxy: 'httpProxy', httpsProxy: 'httpsProxy', noProxy: 'noProxy' }),
    nodeSelector: settings.value('spec.nodeSelector'),
  })!;
}

/** Nodes connect to a node port without a name, so whatever is in front needs the port as well. */
function controllerOf(object: Json, { gateway }: Wishes, title: string): Call {
  const byPort = own(strategyOf(object, 'APIServer'), 'type') === 'NodePort';
  if (!gateway && byPort) {
    throw new ConfigurationError(`HyperShift ${printable(title)}: the API server has a port of its own, which needs a Gateway at the shared address: `
      + 'give --gateway <namespace>/<name>');
  }
  if (!gateway) return new Call('IngressController.openshift');
  const [, first, last] = (PORTS.exec(String(at(object, 'spec.configuration.network.serviceNodePortRange'))) ?? PORTS.exec(NODE_PORTS)!).map(Number);
  return new Call('IngressController.gatewayApi', [{ gateway, ...byPort ? { portRange: { first, last } } : {} }]);
}

function strategyOf(object: Json, service: string): Json | undefined {
  const services = at(object, 'spec.services');
  return Array.isArray(services) ? own(services.find(each => own(each, 'service') === service), 'servicePublishingStrategy') : undefined;
}

/** NodePort is what the library takes by itself, but not on every platform. */
function publishing(object: Json): Member | undefined {
  const type = own(strategyOf(object, 'APIServer'), 'type');
  return typeof type === 'string' && Object.hasOwn(PUBLISHING, type) ? new Member(`HypershiftApiPublishing.${PUBLISHING[type as keyof typeof PUBLISHING]}`) : undefined;
}

/** Host and port of a service, as far as the object has them and a shared address can use them. */
function publishedAt(object: Json, service: string): { hostname?: string; port?: number } {
  const strategy = strategyOf(object, service);
  const host = at(strategy, 'nodePort.address') ?? at(strategy, 'loadBalancer.hostname') ?? at(strategy, 'route.hostname');
  const port = at(strategy, 'nodePort.port');
  return {
    ...typeof host === 'string' && isRoutable(host) ? { hostname: host } : {},
    ...typeof port === 'number' && port !== 0 && port !== HTTPS ? { port } : {},
  };
}

function cidrs(object: Json, field: string): string[] | undefined {
  const networks = at(object, `spec.networking.${field}`);
  const list = Array.isArray(networks) ? networks.map(network => own(network, 'cidr')).filter((cidr): cidr is string => typeof cidr === 'string') : [];
  return list.length === 0 ? undefined : list;
}
