import { pick } from '../fields';
import { Source } from '../source';

/** An object of Kubernetes that something else refers to. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined for what is in no namespace. */
  readonly namespace?: string;
  readonly name: string;
  /** Labels that it must have. */
  readonly labels?: { readonly [name: string]: string };
  /** What it is for; continues a sentence that starts with it. */
  readonly reason: string;
}

/** What must exist before manifests work, as they do not hold it. */
export interface Prerequisite extends Reference {
  /** The objects that need it, as `Kind namespace/name`, sorted. */
  readonly neededBy: string[];
}

/** Kind of a program that must run in the cluster; its name is what people call it, and it has no API version. */
export const OPERATOR = 'Operator';
/** Kind of an API that must be served: its name is the kind, e.g. `TenantControlPlane` of `kamaji.clastix.io/v1alpha1`. */
export const API = 'API';
/** Kind of what Argo CD knows a cluster by: a Secret of its type `cluster`, whose name does not matter. */
export const ARGO_CD_CLUSTER = 'Cluster of Argo CD';
/** Name of the StorageClass that a cluster takes where none is named. */
export const DEFAULT_STORAGE_CLASS = '(default)';

/** Identifies an object, whatever its version; an API with its version. */
export function keyOf({ apiVersion, kind, namespace, name }: Omit<Reference, 'reason'>): string {
  const group = kind === API ? apiVersion : apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return [group, kind, namespace ?? '', name].join('\n');
}

/** The values at a path in which `*` stands for every item of a list, e.g. `spec.tls.*.secretName`. */
export function pickEach(object: unknown, path: string): unknown[] {
  const [before, after] = [path.slice(0, path.indexOf('.*')), path.slice(path.indexOf('.*') + 3)];
  if (!path.includes('.*')) return [pick(object, path)].filter(value => value !== undefined);
  const list = pick(object, before);
  const items: unknown[] = Array.isArray(list) ? list : [];
  return after === '' ? items : items.flatMap(item => pickEach(item, after));
}

/** The names at a path, each once. */
export function namesAt(object: unknown, path: string): string[] {
  return [...new Set(pickEach(object, path).filter((name): name is string => typeof name === 'string' && name !== ''))];
}

/** How lists name an object: without a namespace where it says none. */
export function titleOf({ kind, object, name }: Source): string {
  const namespace = pick(object, 'metadata.namespace');
  return `${kind} ${typeof namespace === 'string' ? `${namespace}/` : ''}${name}`;
}
