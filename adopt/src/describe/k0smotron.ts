import { clusterName, clusterOf, firstNetwork } from './cluster-api';
import { annotationsOf, below, Description, isOwnLabel, Rules, Wishes } from './description';
import { hostProps } from './hosts';
import { memberOf, Settings } from './settings';
import { ControlPlane } from '../../../src/manifests/control-plane';
import { Source } from '../../../src/manifests/source';
import { Call, Expression, Fields, fieldsOf, Json, Member } from '../code/expression';
import { at, isRecord, own } from '../json';

/** What k0s takes where its configuration says nothing. */
const K0S_NETWORK = { serviceCIDR: '10.96.0.0/12', podCIDR: '10.244.0.0/16' };
const K0S = 'spec.k0sConfig.spec';
/** What follows from other properties, by key of k0s' configuration. */
const MANAGED = ['api.sans', 'api.externalAddress', 'api.port', 'api.extraArgs.endpoint-reconciler-type', 'konnectivity.agentPort', 'konnectivity.externalAddress',
  'network.podCIDR', 'network.serviceCIDR', 'network.clusterDomain', 'storage'];
const SERVICE_TYPES = { NodePort: 'NODE_PORT', LoadBalancer: 'LOAD_BALANCER' };
const CERTIFICATES = {
  'ca': 'CA',
  'sa': 'SERVICE_ACCOUNT',
  'proxy': 'FRONT_PROXY',
  'etcd': 'ETCD_CA',
  'apiserver-etcd-client': 'ETCD_CLIENT',
  'etcd-peer': 'ETCD_PEER',
  'etcd-server': 'ETCD_SERVER',
};
const ETCD = { image: 'image', args: 'args', autoDeletePVCs: 'autoDeletePvcs' };

/** A Cluster of k0smotron, or a K0smotronControlPlane of Cluster API. */
export function describeK0smotron(controlPlane: ControlPlane, object: Json, wishes: Wishes, sources: Source[]): Description {
  const { source } = controlPlane;
  const standalone = source.kind === 'Cluster';
  const version1 = source.apiVersion.endsWith('/v1beta1');
  const settings = new Settings(object, `${source.apiVersion} ${source.kind}`);
  const cluster = standalone ? source.name : clusterName(source, sources);
  const network = fieldsOf(networkOf(object, standalone ? undefined : clusterOf(cluster, source.namespace, sources)));
  return {
    controlPlane,
    object,
    props: {
      namespace: source.namespace,
      name: cluster,
      kubernetesVersion: (settings.text('spec.version') ?? '').replace(/^v/, '').replace('-k0s.', '+k0s.'),
      // k0smotron always runs konnectivity.
      ...hostProps({ ...controlPlane, konnectivity: { ...controlPlane.konnectivity, enabled: true } }, wishes),
      ...fieldsOf({ network, certSans: certSans(object), annotations: annotationsOf(object) }),
    },
    platform: standalone ? 'ControlPlanePlatform.k0smotron' : 'ControlPlanePlatform.k0smotronControlPlane',
    platformProps: fieldsOf({
      ...platformProps(settings, object, version1),
      controlPlaneName: standalone || source.name === `${cluster}-cp` ? undefined : source.name,
    }) ?? {},
    tcpProxy: false,
    rules: RULES,
  };
}

const RULES: Rules = {
  isOurs: path => below('spec.ingress', 'spec.externalAddress', `${K0S}.api.sans`, `${K0S}.api.externalAddress`, `${K0S}.konnectivity.externalAddress`,
    // They may hold passwords, which do not belong into a program.
    'spec.kineDataSourceURL', 'spec.storage.kine.dataSourceURL', `${K0S}.storage`)(path) || isOwnLabel(path),
  isOldWay: below('spec.service.annotations', 'spec.service.loadBalancerClass', 'spec.service.externalTrafficPolicy'),
  oldWayProps: ['serviceType'],
};

function platformProps(settings: Settings, object: Json, version1: boolean): { [name: string]: Expression | undefined } {
  return {
    apiVersion: version1 ? new Member('K0smotronApiVersion.V1BETA1') : undefined,
    serviceType: settings.member('spec.service.type', 'K0smotronServiceType', SERVICE_TYPES),
    replicas: settings.value('spec.replicas'),
    image: settings.value('spec.image'),
    serviceAccountName: settings.value('spec.serviceAccount'),
    apiPort: settings.value('spec.service.apiPort'),
    konnectivityPort: settings.value('spec.service.konnectivityPort'),
    storage: version1 ? storageV1(settings, object) : storage(settings, object),
    persistence: persistence(settings),
    k0sConfig: k0sConfig(object),
    controlPlaneFlags: settings.texts(version1 ? 'spec.controllerPlaneFlags' : 'spec.controlPlaneFlags'),
    certificateRefs: certificateRefs(settings),
    manifests: manifests(settings),
    resources: settings.resources('spec.resources'),
    topologySpreadConstraints: settings.value('spec.topologySpreadConstraints'),
    patches: version1 ? undefined : patches(settings),
  };
}

function storage(settings: Settings, object: Json): Call | undefined {
  if (at(object, 'spec.storage') === undefined) return undefined;
  const secret = settings.text('spec.storage.kine.dataSourceSecretName');
  if (settings.text('spec.storage.type') === 'kine') return secret === undefined ? undefined : new Call('K0smotronStorage.kine', [secret]);
  if (settings.text('spec.storage.type') === 'nats') {
    const props = settings.fields('spec.storage.nats.persistence', { size: 'size', storageClass: 'storageClassName' });
    return new Call('K0smotronStorage.nats', props ? [props] : []);
  }
  return etcd(settings, 'spec.storage.etcd');
}

function storageV1(settings: Settings, object: Json): Call | undefined {
  const secret = settings.text('spec.kineDataSourceSecretName');
  if (secret !== undefined) return new Call('K0smotronStorage.kine', [secret]);
  return at(object, 'spec.etcd') === undefined ? undefined : etcd(settings, 'spec.etcd');
}

function etcd(settings: Settings, path: string): Call {
  const props = fieldsOf({
    ...settings.fields(`${path}.persistence`, { size: 'size', storageClass: 'storageClassName' }),
    ...settings.fields(path, ETCD),
    resources: settings.resources(`${path}.resources`),
    defragSchedule: settings.value(`${path}.defragJob.enabled`) === true ? settings.value(`${path}.defragJob.schedule`) : undefined,
  });
  return new Call('K0smotronStorage.etcd', props ? [props] : []);
}

function persistence(settings: Settings): Call | undefined {
  const type = settings.text('spec.persistence.type');
  if (type === 'hostPath') return new Call('K0smotronPersistence.hostPath', [settings.text('spec.persistence.hostPath') ?? '']);
  if (type !== 'pvc') return undefined;
  const claim = 'spec.persistence.persistentVolumeClaim.spec';
  return new Call('K0smotronPersistence.persistentVolume', [fieldsOf({
    size: settings.value(`${claim}.resources.requests.storage`),
    storageClassName: settings.value(`${claim}.storageClassName`),
    autoDeletePvcs: settings.value('spec.persistence.autoDeletePVCs'),
  }) ?? {}]);
}

/** What of k0s' configuration follows from nothing else. */
function k0sConfig(object: Json): Fields | undefined {
  const config = at(object, K0S);
  const left = isRecord(config) ? rest(config, '') : {};
  return Object.keys(left).length === 0 ? undefined : left as Fields;
}

function rest(config: { readonly [key: string]: Json }, path: string): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(config).flatMap(([key, value]) => {
    const full = `${path}${key}`;
    if (MANAGED.includes(full)) return [];
    if (!isRecord(value) || !MANAGED.some(each => each.startsWith(`${full}.`))) return [[key, value]];
    const inner = rest(value, `${full}.`);
    return Object.keys(inner).length === 0 && Object.keys(value).length > 0 ? [] : [[key, inner]];
  }));
}

function networkOf(object: Json, cluster: Json | undefined): { [name: string]: Expression | undefined } {
  const cidr = (field: 'serviceCIDR' | 'podCIDR', kind: 'services' | 'pods') => [String(at(object, `${K0S}.network.${field}`) ?? firstNetwork(cluster, kind) ?? K0S_NETWORK[field])];
  const domain = at(object, `${K0S}.network.clusterDomain`) ?? at(cluster, 'spec.clusterNetwork.serviceDomain');
  return {
    serviceCidrs: cidr('serviceCIDR', 'services'),
    podCidrs: cidr('podCIDR', 'pods'),
    clusterDomain: typeof domain === 'string' && domain !== 'cluster.local' ? domain : undefined,
  };
}

function certificateRefs(settings: Settings): Fields[] | undefined {
  const refs = settings.list('spec.certificateRefs', { type: 'type', name: 'secretName' });
  const known = refs?.map(({ type, secretName }) => ({ type: memberOf(type as Json, 'K0smotronCertificate', CERTIFICATES), secretName }));
  const isWhole = (ref: { type?: Member; secretName?: Expression }): ref is { type: Member; secretName: Expression } =>
    ref.type !== undefined && ref.secretName !== undefined;
  return known?.every(isWhole) ? known : undefined;
}

function manifests(settings: Settings): Fields[] | undefined {
  const stacks = settings.list('spec.manifests', { name: 'name', configMap: 'configMap', secret: 'secret' });
  return stacks?.map(({ name, configMap, secret }) => fieldsOf({
    name,
    configMapName: own(configMap as Json, 'name') as Expression | undefined,
    secretName: own(secret as Json, 'secretName') as Expression | undefined,
  }) ?? {});
}

function patches(settings: Settings): Fields[] | undefined {
  const value = settings.value('spec.patches');
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const known = value.map(each => {
    const type = memberOf(at(each, 'patch.type'), 'K0smotronPatchType', { json: 'JSON', merge: 'MERGE', strategic: 'STRATEGIC' });
    const [kind, component, content] = [at(each, 'target.kind'), at(each, 'target.component'), parsed(at(each, 'patch.content'))];
    return fieldsOf({ kind, component, type, content: content as Expression | undefined });
  });
  return known.every((patch): patch is Fields => patch !== undefined && Object.keys(patch).length === 4) ? known : undefined;
}

function parsed(content: Json | undefined): Json | undefined {
  try {
    return typeof content === 'string' ? JSON.parse(content) as Json : undefined;
  } catch {
    return undefined;
  }
}

/** The names of k0s' configuration, and the address until now. */
function certSans(object: Json): string[] | undefined {
  const sans = at(object, `${K0S}.api.sans`);
  const address = at(object, 'spec.ingress') === undefined ? at(object, 'spec.externalAddress') : undefined;
  const names = [...Array.isArray(sans) ? sans : [], address].filter((name): name is string => typeof name === 'string' && name !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}
