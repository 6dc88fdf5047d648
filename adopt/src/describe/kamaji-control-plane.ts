import { clusterName, clusterNetwork, clusterOf } from './cluster-api';
import { annotationsOf, below, Description, isGatewayName, isOwnLabel, Rules, Wishes } from './description';
import { hostProps } from './hosts';
import { Settings } from './settings';
import { addons, addressTypes, componentArgs, componentResources, furtherNames, servicePorts } from './tenant-control-plane-settings';
import { ConfigurationError } from '../../../cli/configuration';
import { printable } from '../../../cli/printable';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { Source } from '../../../src/manifests/source';
import { DEFAULT_API_PORT } from '../../../src/manifests/tenant-control-plane-facts';
import { Call, Expression, fieldsOf, Json, Member } from '../code/expression';
import { at } from '../json';

const VERSION = 'controlplane.cluster.x-k8s.io/v1alpha2';
const RESOURCE = 'kamajicontrolplanes.v1alpha2.controlplane.cluster.x-k8s.io';
/** What the provider takes where the Cluster says nothing. */
const DEFAULTS = { services: '10.96.0.0/16', pods: '10.244.0.0/16', domain: 'cluster.local' };
const SERVICE_TYPE = 'spec.network.serviceType';

/** A KamajiControlPlane of Cluster API, whose networks stand in the Cluster. */
export function describeKamajiControlPlane(controlPlane: ControlPlane, object: Json, wishes: Wishes, sources: Source[]): Description {
  const { source } = controlPlane;
  if (source.apiVersion !== VERSION) {
    throw new ConfigurationError(printable(`KamajiControlPlane ${source.namespace}/${source.name}: ${source.apiVersion} has fields of its own, and the library writes those of v1alpha2: `
      + `dump it with kubectl get ${RESOURCE} --output yaml, for which an API server translates it`));
  }
  const settings = new Settings(object, `${source.apiVersion} KamajiControlPlane`);
  const gateway = gatewayOf(controlPlane, object);
  const cluster = clusterOf(clusterName(source, sources), source.namespace, sources);
  // The port of a Gateway that nobody knows is not that of the shared address.
  const reached = controlPlane.exposure === 'gateway' && !gateway ? { ...controlPlane, publicPort: undefined } : controlPlane;
  const hosts = hostProps(reached, wishes);
  const domain = String(at(cluster, 'spec.clusterNetwork.serviceDomain') ?? DEFAULTS.domain);
  return {
    controlPlane,
    object,
    props: {
      namespace: source.namespace,
      name: source.name,
      kubernetesVersion: (settings.text('spec.version') ?? '').replace(/^v/, ''),
      ...hosts,
      ...fieldsOf({
        network: fieldsOf({
          ...clusterNetwork(cluster, DEFAULTS),
          // With CoreDNS the provider reads them there.
          dnsServiceIps: settings.texts('spec.addons.coreDNS.dnsServiceIPs') ?? settings.texts('spec.network.dnsServiceIPs'),
        }),
        certSans: furtherNames(hosts, domain, [...controlPlane.sans?.value ?? [], ...addressUntilNow(object)]),
        annotations: annotationsOf(object),
      }),
    },
    platform: 'ControlPlanePlatform.kamajiControlPlane',
    platformProps: fieldsOf({
      ...platformProps(settings, wishes.tcpProxy),
      apiPort: apiPort(cluster),
      operatorRoutes: gateway && new Member('OperatorRoutes.GATEWAY'),
    }) ?? {},
    controller: gateway,
    tcpProxy: wishes.tcpProxy,
    rules: rulesOf(object),
  };
}

function rulesOf(object: Json): Rules {
  const ofTheService = below(SERVICE_TYPE, 'spec.network.serviceAddress', 'spec.network.serviceAnnotations', 'spec.network.serviceLabels', 'spec.network.loadBalancerConfig');
  return {
    isOurs: path => isOwnLabel(path)
      || below('spec.network.ingress', 'spec.network.gateway', 'spec.network.certSANs', 'spec.addons.konnectivity.agent.extraArgs', 'spec.apiServer.extraArgs', 'spec.version')(path),
    isOldWay: path => at(object, SERVICE_TYPE) !== 'ClusterIP' && ofTheService(path),
    oldWayProps: [],
  };
}

function platformProps(settings: Settings, tcpProxy: boolean): { [name: string]: Expression | undefined } {
  return {
    replicas: settings.value('spec.replicas'),
    dataStore: settings.value('spec.dataStoreName'),
    dataStoreSchema: settings.value('spec.dataStoreSchema'),
    dataStoreUsername: settings.value('spec.dataStoreUsername'),
    additionalPorts: servicePorts(settings, 'spec.network.additionalServicePorts'),
    extraArgs: componentArgs(settings, name => `spec.${name}.extraArgs`, tcpProxy),
    resources: componentResources(settings, name => `spec.${name}.resources`),
    nodeSelector: settings.value('spec.deployment.nodeSelector'),
    tolerations: settings.value('spec.deployment.tolerations'),
    topologySpreadConstraints: settings.value('spec.deployment.topologySpreadConstraints'),
    podLabels: settings.value('spec.deployment.podAdditionalMetadata.labels'),
    podAnnotations: settings.value('spec.deployment.podAdditionalMetadata.annotations'),
    kubeletAddressTypes: addressTypes(settings, 'spec.kubelet.preferredAddressTypes'),
    admissionControllers: settings.texts('spec.admissionControllers'),
    ...addons(settings),
    registry: settings.value('spec.registry'),
  };
}

/** The provider takes it from the Cluster. */
function apiPort(cluster: Json | undefined): Expression | undefined {
  const port = at(cluster, 'spec.clusterNetwork.apiServerPort');
  return typeof port !== 'number' || port === DEFAULT_API_PORT ? undefined : port;
}

/** The provider writes the address that it has told Cluster API into the object. */
function addressUntilNow(object: Json): string[] {
  if (at(object, SERVICE_TYPE) === 'ClusterIP') return [];
  return [at(object, 'spec.network.serviceAddress'), at(object, 'spec.controlPlaneEndpoint.host')].filter((address): address is string => typeof address === 'string' && address !== '');
}

/** The Gateway at which the operator makes routes now. */
function gatewayOf({ exposure, source }: ControlPlane, object: Json): Call | undefined {
  const [name, namespace] = [at(object, 'spec.network.gateway.name'), at(object, 'spec.network.gateway.namespace') ?? source.namespace];
  if (exposure !== 'gateway' || typeof name !== 'string' || typeof namespace !== 'string' || !isGatewayName(`${namespace}/${name}`)) return undefined;
  return new Call('IngressController.gatewayApi', [{ gateway: { name, namespace } }]);
}
