import { keyOf, namesAt, Reference } from './prerequisite';
import { pickRecord, pickText } from '../fields';
import { groupAndKind, Source } from '../source';
import { systemOf } from '../systems';

/** Namespaces that every cluster has. */
export const NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** What every cluster has, by kind and name. */
const OF_KUBERNETES: ReadonlySet<string> = new Set([
  'PriorityClass system-cluster-critical', 'PriorityClass system-node-critical', 'ServiceAccount default', 'ConfigMap kube-root-ca.crt',
  ...NAMESPACES.map(name => `Namespace ${name}`),
]);
/** Argo CD makes this project. */
const OF_ARGO_CD = 'AppProject default';

/** What operators append to the name of a control plane for the Secrets that they keep. */
const CONTROL_PLANE_SECRETS = [
  'ca', 'admin-kubeconfig', 'kubeconfig', 'api-server-certificate', 'sa-certificate', 'front-proxy-ca-certificate', 'etcd', 'proxy', 'sa', 'konnectivity-certificate',
];

/** Whether a cluster has an object by itself. */
export function isOfKubernetes({ kind, name }: Reference): boolean {
  return OF_KUBERNETES.has(`${kind} ${name}`) || `${kind} ${name}` === OF_ARGO_CD;
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
    default: return [];
  }
}

/** Keys of what `sync` keeps in a tenant, as the settings of its bundle say; the objects are in the tenant's cluster. */
export function keptBySync({ kind, object }: Source): string[] {
  const settings = kind === 'ConfigMap' ? pickRecord(object, 'data')['tenant.json'] : undefined;
  if (typeof settings !== 'string') return [];
  try {
    return certificateKeys(pickRecord(JSON.parse(settings), 'certificate'));
  } catch {
    return [];
  }
}

/** Keys of the Secret and the ConfigMap of a certificate that `sync` keeps. */
export function certificateKeys(certificate: object): string[] {
  const [namespace, secretName, caName] = ['namespace', 'secretName', 'caConfigMapName'].map(field => pickText(certificate, field));
  if (namespace === undefined || secretName === undefined || caName === undefined) return [];
  return [keyOf({ apiVersion: 'v1', kind: 'Secret', namespace, name: secretName }), keyOf({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: caName })];
}
