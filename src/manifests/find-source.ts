import { pick } from './fields';
import { KeysOf, lookUp } from './lookup';
import { Source } from './source';

/** An object by kind, namespace and name. */
export function findSource(kind: unknown, namespace: string, name: unknown, sources: Source[]): Source | undefined {
  return lookUp(sources, byFullName, `${String(kind)} ${namespace}/${String(name)}`)[0];
}

/** The Cluster API cluster of a control plane object. */
export function clusterOf(controlPlane: Source, sources: Source[]): Source | undefined {
  return lookUp(sources, byControlPlane, fullName(controlPlane))[0];
}

const fullName = ({ kind, namespace, name }: Source) => `${kind} ${namespace}/${name}`;
const byFullName: KeysOf<Source> = source => [fullName(source)];
const byControlPlane: KeysOf<Source> = ({ apiVersion, kind, namespace, object }) => kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/')
  ? [`${String(pick(object, 'spec.controlPlaneRef.kind'))} ${namespace}/${String(pick(object, 'spec.controlPlaneRef.name'))}`]
  : [];
