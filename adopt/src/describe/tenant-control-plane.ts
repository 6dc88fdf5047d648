import { annotationsOf, below, Description, isGatewayName, isOwnLabel, Rules, Wishes } from './description';
import { hostProps, isRoutable } from './hosts';
import { Settings } from './settings';
import { addons, addressTypes, componentArgs, componentResources, furtherNames, servicePorts } from './tenant-control-plane-settings';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { groupOf } from '../../../src/manifests/source';
import { KAMAJI_ADDON_DOMAIN, STEWARD_GROUP } from '../../../src/manifests/tenant-control-plane-facts';
import { Call, Expression, Fields, fieldsOf, Json, Member } from '../code/expression';
import { at, own } from '../json';

const DEPLOYMENT = 'spec.controlPlane.deployment';
const SERVICE = 'spec.controlPlane.service';

/** A TenantControlPlane of Kamaji or of Steward. */
export function describeTenantControlPlane(controlPlane: ControlPlane, object: Json, wishes: Wishes): Description {
  const { apiVersion } = controlPlane.source;
  const steward = groupOf(controlPlane.source) === STEWARD_GROUP;
  const settings = new Settings(object, `${apiVersion} TenantControlPlane`);
  const operatorsProxy = steward && at(object, 'spec.addons.tcpProxy') !== undefined;
  const addonDomain = steward ? undefined : own(at(object, 'metadata.annotations'), KAMAJI_ADDON_DOMAIN);
  const tcpProxy = wishes.tcpProxy && !operatorsProxy;
  const gateway = gatewayOf(controlPlane, object);
  // The port of a Gateway that nobody knows is not that of the shared address.
  const reached = controlPlane.exposure === 'gateway' && !gateway ? { ...controlPlane, publicPort: undefined } : controlPlane;
  const hosts = hostProps(reached, wishes, isRoutable(String(addonDomain)) ? String(addonDomain) : wishes.domain);
  return {
    controlPlane,
    object,
    props: {
      namespace: controlPlane.source.namespace,
      name: controlPlane.source.name,
      kubernetesVersion: (settings.text('spec.kubernetes.version') ?? '').replace(/^v/, ''),
      ...hosts,
      ...fieldsOf({
        network: network(object, settings),
        certSans: certSans(controlPlane, object, hosts),
        annotations: annotationsOf(object, KAMAJI_ADDON_DOMAIN),
      }),
    },
    platform: steward ? 'ControlPlanePlatform.steward' : 'ControlPlanePlatform.kamaji',
    platformProps: fieldsOf({
      ...platformProps(settings, tcpProxy),
      operatorRoutes: gateway && new Member('OperatorRoutes.GATEWAY'),
      tcpProxy: operatorsProxy ? stewardsProxy(settings) : undefined,
    }) ?? {},
    controller: gateway,
    tcpProxy,
    rules: rulesOf(object),
  };
}

function rulesOf(object: Json): Rules {
  const type = at(object, `${SERVICE}.serviceType`);
  const ofTheService = below(`${SERVICE}.serviceType`, `${SERVICE}.additionalMetadata`, `${SERVICE}.allocateLoadBalancerNodePorts`,
    'spec.networkProfile.address', 'spec.networkProfile.allowAddressAsExternalIP', 'spec.networkProfile.loadBalancerClass', 'spec.networkProfile.loadBalancerSourceRanges');
  return {
    isOurs: path => isOwnLabel(path) || (path[0] === 'metadata' && path[2] === KAMAJI_ADDON_DOMAIN)
      || below('spec.controlPlane.ingress', 'spec.controlPlane.gateway', 'spec.networkProfile.certSANs', 'spec.addons.konnectivity.agent.extraArgs',
        `${DEPLOYMENT}.extraArgs.apiServer`, 'spec.kubernetes.version')(path),
    isOldWay: path => type !== 'ClusterIP' && ofTheService(path),
    oldWayProps: [],
  };
}

function platformProps(settings: Settings, tcpProxy: boolean): { [name: string]: Expression | undefined } {
  return {
    replicas: settings.value(`${DEPLOYMENT}.replicas`),
    dataStore: settings.value('spec.dataStore'),
    dataStoreSchema: settings.value('spec.dataStoreSchema'),
    dataStoreUsername: settings.value('spec.dataStoreUsername'),
    apiPort: settings.value('spec.networkProfile.port'),
    additionalPorts: servicePorts(settings, `${SERVICE}.additionalPorts`),
    extraArgs: componentArgs(settings, name => `${DEPLOYMENT}.extraArgs.${name}`, tcpProxy),
    resources: componentResources(settings, name => `${DEPLOYMENT}.resources.${name}`),
    nodeSelector: settings.value(`${DEPLOYMENT}.nodeSelector`),
    tolerations: settings.value(`${DEPLOYMENT}.tolerations`),
    topologySpreadConstraints: settings.value(`${DEPLOYMENT}.topologySpreadConstraints`),
    podLabels: settings.value(`${DEPLOYMENT}.podAdditionalMetadata.labels`),
    podAnnotations: settings.value(`${DEPLOYMENT}.podAdditionalMetadata.annotations`),
    kubeletAddressTypes: addressTypes(settings, 'spec.kubernetes.kubelet.preferredAddressTypes'),
    admissionControllers: settings.texts('spec.kubernetes.admissionControllers'),
    ...addons(settings),
    registrySettings: settings.fields(`${DEPLOYMENT}.registrySettings`, {
      registry: 'registry',
      apiServerImage: 'apiServerImage',
      controllerManagerImage: 'controllerManagerImage',
      schedulerImage: 'schedulerImage',
      tagSuffix: 'tagSuffix',
    }),
  };
}

function stewardsProxy(settings: Settings): Fields {
  return fieldsOf({
    ...settings.fields('spec.addons.tcpProxy', { image: 'image', hostAliases: 'hostAliases', internalEndpoint: 'internalEndpoint' }),
    resources: settings.resources('spec.addons.tcpProxy.resources'),
  }) ?? {};
}

function network(object: Json, settings: Settings): Fields | undefined {
  // Kamaji's webhook fills in the lists; one network is the field's for one.
  const cidrs = (single: string, several: string) => {
    const list = settings.texts(`spec.networkProfile.${several}`);
    if (list !== undefined && list.length > 1) return list;
    const only = list?.[0] ?? at(object, `spec.networkProfile.${single}`);
    return typeof only !== 'string' || only === '' || settings.isDefault(`spec.networkProfile.${single}`, only) ? undefined : [only];
  };
  return fieldsOf({
    clusterDomain: settings.text('spec.networkProfile.clusterDomain'),
    serviceCidrs: cidrs('serviceCidr', 'serviceCidrs'),
    podCidrs: cidrs('podCidr', 'podCidrs'),
    dnsServiceIps: settings.texts('spec.networkProfile.dnsServiceIPs'),
  });
}

/** Those that the library does not add itself, and the address until now, which some clients keep to for a while. */
function certSans({ sans }: ControlPlane, object: Json, hosts: Fields): string[] | undefined {
  const domain = String(at(object, 'spec.networkProfile.clusterDomain') ?? 'cluster.local');
  return furtherNames(hosts, domain, [...sans?.value ?? [], ...addressUntilNow(object)]);
}

function addressUntilNow(object: Json): string[] {
  if (at(object, `${SERVICE}.serviceType`) === 'ClusterIP') return [];
  const endpoint = /^\[?(.+?)\]?:\d+$/.exec(String(at(object, 'status.controlPlaneEndpoint') ?? ''))?.[1];
  return [at(object, 'spec.networkProfile.address'), endpoint].filter((address): address is string => typeof address === 'string' && address !== '');
}

/** The Gateway at which the operator makes routes now. */
function gatewayOf({ exposure, source }: ControlPlane, object: Json): Call | undefined {
  const [parent] = (at(object, 'spec.controlPlane.gateway.parentRefs') ?? []) as Json[];
  const [name, namespace] = [own(parent, 'name'), own(parent, 'namespace') ?? source.namespace];
  if (exposure !== 'gateway' || typeof name !== 'string' || typeof namespace !== 'string' || !isGatewayName(`${namespace}/${name}`)) return undefined;
  return new Call('IngressController.gatewayApi', [{ gateway: { name, namespace } }]);
}
