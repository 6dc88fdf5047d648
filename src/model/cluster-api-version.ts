/** Versions of the APIs of Cluster API and of its provider for Hetzner. */
export enum ClusterApiVersion {
  V1BETA1 = 'v1beta1',
  V1BETA2 = 'v1beta2',
}

/** Names an object beside the one that refers to it. */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The group of an apiVersion: references of Cluster API v1beta2 do without the version. */
export function apiGroupOf(reference: ObjectReference): { apiGroup: string; kind: string; name: string } {
  const { apiVersion, kind, name } = reference;
  return { apiGroup: apiVersion.split('/')[0], kind, name };
}
