import { podReferences, storageClass, WORKLOADS } from './pod-references';
import { ARGO_CD_CLUSTER, DEFAULT_STORAGE_CLASS, namesAt, pickEach, Reference } from './prerequisite';
import { pick, pickRecord, pickText } from '../fields';
import { groupAndKind, Source } from '../source';

type Reader = (source: Source) => Reference[];

const GATEWAY = 'gateway.networking.k8s.io/v1';

/** An object in the namespace of the one that names it. */
function beside(apiVersion: string, kind: string, path: string, reason: string): Reader {
  return ({ namespace, object }) => namesAt(object, path).map(name => ({ apiVersion, kind, namespace, name, reason }));
}

function secret(path: string, reason: string): Reader {
  return beside('v1', 'Secret', path, reason);
}

/** An object without a namespace. */
function clusterWide(apiVersion: string, kind: string, path: string, reason: string): Reader {
  return ({ object }) => namesAt(object, path).map(name => ({ apiVersion, kind, name, reason }));
}

function ingressClass(path: string): Reader {
  return clusterWide('networking.k8s.io/v1', 'IngressClass', path, 'has the ingress controller serve the routes');
}

/** Objects at a path that have a name and may have a namespace of their own. */
function named(apiVersion: string, kindOf: string | ((reference: unknown) => string), path: string, reason: string): Reader {
  return ({ namespace, object }) => pickEach(object, path).flatMap(reference => {
    const name = pickText(reference, 'name');
    const kind = typeof kindOf === 'string' ? kindOf : kindOf(reference);
    return name === undefined ? [] : [{ apiVersion, kind, namespace: pickText(reference, 'namespace') ?? namespace, name, reason }];
  });
}

const parentGateways = (path: string) => named(GATEWAY, reference => pickText(reference, 'kind') ?? 'Gateway', path, 'takes the routes');

/** A Kamaji or Steward takes the DataStore `default` unless it was started with `--datastore`, or the control plane names one. */
function dataStore(apiVersion: string, ...paths: string[]): Reader {
  return ({ object }) => {
    const names = [...new Set(paths.flatMap(path => namesAt(object, path)))];
    return (names.length > 0 ? names : ['default']).map(name => ({ apiVersion, kind: 'DataStore', name, reason: 'stores what control planes hold' }));
  };
}

const TENANT_CONTROL_PLANE: Reader[] = [
  ingressClass('spec.controlPlane.ingress.ingressClassName'),
  parentGateways('spec.controlPlane.gateway.parentRefs.*'),
  secret('spec.controlPlane.deployment.additionalVolumes.*.secret.secretName', 'is mounted by the control plane'),
];

const K0SMOTRON: Reader[] = [
  ingressClass('spec.ingress.className'),
  secret('spec.storage.kine.dataSourceSecretName', 'has the address of the database'),
  secret('spec.kineDataSourceSecretName', 'has the address of the database'),
  secret('spec.certificateRefs.*.name', 'is a certificate of the control plane'),
  secret('spec.mounts.*.secret.secretName', 'is mounted by the control plane'),
  k0smotronVolumes,
];

/** etcd and NATS always have volumes; without a class they are of that which the cluster takes. */
function k0smotronVolumes({ object }: Source): Reference[] {
  const type = pickText(object, 'spec.storage.type') ?? 'etcd';
  const ofKine = type === 'kine' || pick(object, 'spec.kineDataSourceURL') !== undefined || pick(object, 'spec.kineDataSourceSecretName') !== undefined;
  const ofEtcd = pickText(object, `spec.storage.${type}.persistence.storageClass`) ?? pickText(object, 'spec.etcd.persistence.storageClass') ?? DEFAULT_STORAGE_CLASS;
  const claims = pickText(object, 'spec.persistence.type') === 'pvc'
    ? [pickText(object, 'spec.persistence.persistentVolumeClaim.spec.storageClassName') ?? DEFAULT_STORAGE_CLASS] : [];
  return [...ofKine ? [] : [ofEtcd], ...claims].map(storageClass);
}

const HOSTED_CLUSTER: Reader[] = [
  secret('spec.pullSecret.name', 'pulls the images of the release'),
  secret('spec.sshKey.name', 'has the public key for the nodes'),
  secret('spec.configuration.apiServer.servingCerts.namedCertificates.*.servingCertificate.name', 'is the certificate of a host'),
  clusterWide('v1', 'Namespace', 'spec.platform.agent.agentNamespace', 'has the Agents that nodes are made of'),
  ({ object }) => pick(object, 'spec.etcd.managed') === undefined && pick(object, 'spec.etcd.unmanaged') !== undefined ? []
    : [storageClass(pickText(object, 'spec.etcd.managed.storage.persistentVolume.storageClassName') ?? DEFAULT_STORAGE_CLASS)],
];

/** An Istio Gateway is named `name` or `namespace/name`; `mesh` stands for the sidecars. */
function istioGateways({ namespace, object }: Source): Reference[] {
  return namesAt(object, 'spec.gateways.*').filter(name => name !== 'mesh').map(text => {
    const parts = text.split('/');
    return {
      apiVersion: 'networking.istio.io/v1', kind: 'Gateway', namespace: parts.length > 1 ? parts[0] : namespace, name: parts[parts.length - 1], reason: 'takes the routes',
    };
  });
}

const fluxSource = (path: string) => named('source.toolkit.fluxcd.io/v1', reference => pickText(reference, 'kind') ?? 'GitRepository', path, 'has the manifests');

const READERS: { readonly [groupAndKind: string]: Reader[] } = {
  'networking.k8s.io Ingress': [ingressClass('spec.ingressClassName'), secret('spec.tls.*.secretName', 'is the certificate of a host')],
  'k8s.nginx.org TransportServer': [ingressClass('spec.ingressClassName')],
  'gateway.networking.k8s.io Gateway': [
    clusterWide(GATEWAY, 'GatewayClass', 'spec.gatewayClassName', 'has the controller serve the Gateway'),
    named('v1', 'Secret', 'spec.listeners.*.tls.certificateRefs.*', 'is the certificate of a listener'),
  ],
  ...Object.fromEntries(['TLSRoute', 'TCPRoute', 'HTTPRoute', 'GRPCRoute'].map(kind => [`gateway.networking.k8s.io ${kind}`, [parentGateways('spec.parentRefs.*')]])),
  'networking.istio.io VirtualService': [istioGateways],
  'traefik.io IngressRouteTCP': [named('traefik.io/v1alpha1', 'MiddlewareTCP', 'spec.routes.*.middlewares.*', 'is applied to a route')],
  'kamaji.clastix.io TenantControlPlane': [dataStore('kamaji.clastix.io/v1alpha1', 'spec.dataStore', 'spec.dataStoreOverrides.*.dataStore'), ...TENANT_CONTROL_PLANE],
  'steward.butlerlabs.dev TenantControlPlane': [dataStore('steward.butlerlabs.dev/v1alpha1', 'spec.dataStore', 'spec.dataStoreOverrides.*.dataStore'), ...TENANT_CONTROL_PLANE],
  'controlplane.cluster.x-k8s.io KamajiControlPlane': [
    dataStore('kamaji.clastix.io/v1alpha1', 'spec.dataStoreName', 'spec.dataStoreOverrides.*.dataStore'), ingressClass('spec.network.ingress.className'),
    parentGateways('spec.network.gateway.parentRefs.*'), secret('spec.deployment.extraVolumes.*.secret.secretName', 'is mounted by the control plane'),
  ],
  'k0smotron.io Cluster': K0SMOTRON,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': K0SMOTRON,
  'hypershift.openshift.io HostedCluster': HOSTED_CLUSTER,
  'infrastructure.cluster.x-k8s.io HetznerCluster': [secret('spec.hetznerSecretRef.name', 'has the token of Hetzner Cloud')],
  'k0rdent.mirantis.com ClusterDeployment': [
    beside('k0rdent.mirantis.com/v1beta1', 'Credential', 'spec.credential', 'gives access to the provider'),
    beside('k0rdent.mirantis.com/v1beta1', 'ClusterTemplate', 'spec.template', 'is what the cluster is made of'),
    secret('spec.config.tokenRef.name', 'has the token of the provider'),
  ],
  'kustomize.toolkit.fluxcd.io Kustomization': [fluxSource('spec.sourceRef'), secret('spec.kubeConfig.secretRef.name', 'leads to the tenant')],
  'helm.toolkit.fluxcd.io HelmRelease': [fluxSource('spec.chart.spec.sourceRef'), fluxSource('spec.chartRef'), secret('spec.kubeConfig.secretRef.name', 'leads to the tenant')],
  'source.toolkit.fluxcd.io GitRepository': [secret('spec.secretRef.name', 'gives access to the repository')],
  'source.toolkit.fluxcd.io HelmRepository': [secret('spec.secretRef.name', 'gives access to the repository')],
  'source.toolkit.fluxcd.io OCIRepository': [secret('spec.secretRef.name', 'gives access to the repository')],
  'argoproj.io Application': [
    beside('argoproj.io/v1alpha1', 'AppProject', 'spec.project', 'admits the Application'),
    ...['spec.destination.name', 'spec.destination.server'].map(path => beside('', ARGO_CD_CLUSTER, path, 'is where the Application goes')),
  ],
  'cert-manager.io Certificate': [certificateIssuer],
  'cert-manager.io Issuer': [secret('spec.ca.secretName', 'is the authority that signs')],
};

/** A kind of another group is somebody's own issuer. */
function certificateIssuer({ namespace, object }: Source): Reference[] {
  const { name, kind = 'Issuer', group = 'cert-manager.io' } = pickRecord(object, 'spec.issuerRef');
  if (typeof name !== 'string' || group !== 'cert-manager.io') return [];
  return [{
    apiVersion: 'cert-manager.io/v1', kind: String(kind), namespace: kind === 'ClusterIssuer' ? undefined : namespace, name, reason: 'issues the certificate',
  }];
}

/** Kinds of which more is read than their names, beside those that refer to others. */
const READ = ['CustomResourceDefinition', 'IngressClass', 'Namespace', 'NetworkPolicy', ...WORKLOADS];

/** Whether more of an object matters than its kind, name and namespace. */
export function isRead(object: Pick<Source, 'apiVersion' | 'kind'>): boolean {
  return READ.includes(object.kind) || Object.prototype.hasOwnProperty.call(READERS, groupAndKind(object));
}

/** The objects that an object refers to, whether they are among the manifests or not. */
export function referencesOf(source: Source): Reference[] {
  const readers = Object.prototype.hasOwnProperty.call(READERS, groupAndKind(source)) ? READERS[groupAndKind(source)] : [];
  return [...readers.flatMap(reader => reader(source)), ...podReferences(source)];
}
