import { KubernetesObject } from '../kubernetes/objects';

/** What an object is. */
export interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Names an object of a cluster. */
export interface ObjectReference extends ObjectKind {
  /** Undefined for objects without one, and for those that leave it to the default. */
  readonly namespace?: string;
  readonly name: string;
}

/** An object that has all that names it. */
export type NamedObject = KubernetesObject & ObjectKind;

export function referenceOf({ apiVersion, kind, metadata: { namespace, name } }: NamedObject): ObjectReference {
  return { apiVersion, kind, ...namespace === undefined ? {} : { namespace }, name };
}

/** The API group; the empty one for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
}

/** Equal for the same object, whatever version of its group it is written in, and whether or not it names the default namespace. */
export function idOf({ apiVersion, kind, namespace = 'default', name }: ObjectReference): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

/** For people: `Deployment kube-system/tcp-proxy`. */
export function titleOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
