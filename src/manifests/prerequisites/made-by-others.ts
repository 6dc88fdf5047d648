import { ARGO_CD_CLUSTER, keyOf, namesAt, Reference } from './prerequisite';
import { SETTINGS_KEY } from '../../agent/contract/bundle';
import { REGISTRATIONS_FILE } from '../../agent/contract/registrations';
import { pickList, pickRecord, pickText } from '../fields';
import { groupAndKind, Source } from '../source';
import { systemOf } from '../systems';

/** Namespaces that every cluster has. */
export const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** What every cluster has, by kind and name. */
const OF_KUBERNETES: ReadonlySet<string> = new Set([
  'PriorityClass system-cluster-critical', 'PriorityClass system-node-critical', 'ServiceAccount default', 'ConfigMap kube-root-ca.crt',
  ...NAMESPACES.map(name => `Namespace ${name}`),
]);
/** What Argo CD has by itself: a project, and the cluster that it runs in. */
const OF_ARGO_CD: ReadonlySet<string> = new Set(['AppProject default', `${ARGO_CD_CLUSTER} in-cluster`, `${ARGO_CD_CLUSTER} https://kubernetes.default.svc`]);

/** What operators append to the name of a control plane for the Secrets that they keep. */
const CONTROL_PLANE_SECRETS = [
  'ca', 'admin-kubeconfig', 'kubeconfig', 'api-server-certificate', 'sa-certificate', 'front-proxy-ca-certificate', 'etcd', 'proxy', 'sa', 'konnectivity-certificate',
];

/** Whether Kubernetes or Argo CD have an object by themselves. */
export function isThereAnyway({ kind, name }: Reference): boolean {
  return OF_KUBERNETES.has(`${kind} ${name}`) || OF_ARGO_CD.has(`${kind} ${name}`);
}

/** The keys of objects that operators make because of an object. */
export function madeBecauseOf(source: Source): string[] {
  const { namespace, object, name } = source;
  const secret = (of: string, inNamespace = namespace) => keyOf({ apiVersion: 'v1', kind: 'Secret', namespace: inNamespace, name: of });
  if (systemOf(source)) return CONTROL_PLANE_SECRETS.map(suffix => secret(`${name}-${suffix}`));
  switch (groupAndKind(source)) {
    case 'cert-manager.io Certificate': return namesAt(object, 'spec.secretName').map(of => secret(of));
    case 'cluster.x-k8s.io Cluster': return [...CONTROL_PLANE_SECRETS, 'cluster-info'].map(suffix => secret(`${name}-${suffix}`));
    case 'k0smotron.io JoinTokenRequest': return [secret(name)];
    default: return registeredBy(source);
  }
}

/** What `register` keeps, as the list of its ConfigMap says: Secrets, and so clusters of Argo CD. */
function registeredBy({ kind, object }: Source): string[] {
  const registrations = kind === 'ConfigMap' ? pickRecord(object, 'data')[REGISTRATIONS_FILE] : undefined;
  return pickList(parsed(registrations), 'registrations').flatMap(registration => {
    const [namespace, name] = ['secret.namespace', 'secret.name'].map(path => pickText(registration, path));
    if (namespace === undefined || name === undefined) return [];
    const clusters = ['as.name', 'as.server'].flatMap(path => pickText(registration, path) ?? []);
    return [keyOf({ apiVersion: 'v1', kind: 'Secret', namespace, name }), ...clusters.map(of => keyOf({ apiVersion: '', kind: ARGO_CD_CLUSTER, namespace, name: of }))];
  });
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Keys of what `sync` keeps in a tenant, as the settings of its bundle say; the objects are in the tenant's cluster. */
export function keptBySync({ kind, object }: Source): string[] {
  return kind === 'ConfigMap' ? certificateKeys(pickRecord(parsed(pickRecord(object, 'data')[SETTINGS_KEY]), 'certificate')) : [];
}

/** Keys of the Secret and the ConfigMap of a certificate that `sync` keeps. */
export function certificateKeys(certificate: object): string[] {
  const [namespace, secretName, caName] = ['namespace', 'secretName', 'caConfigMapName'].map(field => pickText(certificate, field));
  if (namespace === undefined || secretName === undefined || caName === undefined) return [];
  return [keyOf({ apiVersion: 'v1', kind: 'Secret', namespace, name: secretName }), keyOf({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: caName })];
}
