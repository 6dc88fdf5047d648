import { namesAt, Reference } from './prerequisite';
import { pick, pickList, pickText, pickTexts } from '../fields';
import { Source } from '../source';

/** Kinds that run pods, and where their pods are. */
const PODS: ReadonlyMap<string, string> = new Map([
  ...['Deployment', 'DaemonSet', 'StatefulSet', 'ReplicaSet', 'Job'].map(kind => [kind, 'spec.template.spec'] as const),
  ['CronJob', 'spec.jobTemplate.spec.template.spec'],
  ['Pod', 'spec'],
]);
/** Kinds that run pods. */
export const WORKLOADS = [...PODS.keys()];

/** The pods that an object runs; none for most objects. */
export function podsOf({ kind, object }: Source): unknown[] {
  const path = PODS.get(kind);
  return path === undefined ? [] : [pick(object, path)].filter(pod => pod !== undefined);
}

/** All containers of a pod. */
export function containersOf(pod: unknown): unknown[] {
  return ['initContainers', 'containers'].flatMap(list => pickList(pod, list));
}

/** What pods cannot start without. What is marked as optional is not among it. */
export function podReferences(source: Source): Reference[] {
  const { namespace, object } = source;
  const inNamespace = (kind: string, reason: string) => (name: string): Reference => ({ apiVersion: 'v1', kind, namespace, name, reason });
  const storage = namesAt(object, 'spec.volumeClaimTemplates.*.spec.storageClassName').map(name => storageClass(name));
  return [...storage, ...podsOf(source).flatMap(pod => [
    ...requiredNames(pod, 'secret').map(inNamespace('Secret', 'is mounted or read by pods')),
    ...requiredNames(pod, 'configMap').map(inNamespace('ConfigMap', 'is mounted or read by pods')),
    ...namesAt(pod, 'imagePullSecrets.*.name').map(inNamespace('Secret', 'pulls images')),
    ...namesAt(pod, 'volumes.*.persistentVolumeClaim.claimName').map(inNamespace('PersistentVolumeClaim', 'is mounted by pods')),
    ...namesAt(pod, 'serviceAccountName').map(inNamespace('ServiceAccount', 'is the identity of pods')),
    ...namesAt(pod, 'priorityClassName').map((name): Reference => ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', name, reason: 'is the priority of pods' })),
    ...namesAt(pod, 'runtimeClassName').map((name): Reference => ({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', name, reason: 'runs pods' })),
  ])];
}

/** A StorageClass; without a name that of the cluster. */
export function storageClass(name: string): Reference {
  return { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', name, reason: 'provides volumes' };
}

/**
 * Whether Pod Security Admission admits the pods at the level `privileged` alone: the levels below refuse host networks,
 * ports and folders of the host, and capabilities beyond the usual.
 */
export function needsPrivilegedNamespace(source: Source): boolean {
  return podsOf(source).some(pod => pick(pod, 'hostNetwork') === true || pickList(pod, 'volumes').some(volume => pick(volume, 'hostPath') !== undefined)
    || containersOf(pod).some(container => pick(container, 'securityContext.privileged') === true
      || pickTexts(container, 'securityContext.capabilities.add').some(capability => capability !== 'NET_BIND_SERVICE')
      || pickList(container, 'ports').some(port => pick(port, 'hostPort') !== undefined)));
}

/** Names of Secrets or ConfigMaps in volumes and environments. */
function requiredNames(pod: unknown, kind: 'secret' | 'configMap'): string[] {
  const volumes = pickList(pod, 'volumes').flatMap(volume => [pick(volume, kind), ...pickList(volume, 'projected.sources').map(each => pick(each, kind))]);
  const environment = containersOf(pod).flatMap(container => [
    ...pickList(container, 'env').map(variable => pick(variable, `valueFrom.${kind}KeyRef`)), ...pickList(container, 'envFrom').map(each => pick(each, `${kind}Ref`)),
  ]);
  const names = [...volumes, ...environment].filter(reference => reference !== undefined && pick(reference, 'optional') !== true)
    .map(reference => pickText(reference, 'secretName') ?? pickText(reference, 'name'));
  return [...new Set(names)].filter((name): name is string => name !== undefined);
}
