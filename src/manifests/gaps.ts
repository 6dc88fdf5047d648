import { pickRecord } from './fields';
import { Source } from './source';

/** What a tenant lacks although nobody has said that it is meant to: a list of gaps with commas, on the object that it is about. */
export const GAPS_ANNOTATION = 'cdk8s-hosted-control-plane/gaps';

/**
 * - `kubernetes-service`, of a control plane: no pod of the tenant has a way to the Service `kubernetes`.
 * - `konnectivity`, of a control plane: the API server has no tunnel to the nodes.
 * - `certificate`, of the pods of a tcp-proxy: nothing makes the Secret that they mount.
 */
export type Gap = 'kubernetes-service' | 'konnectivity' | 'certificate';

/** The value of the annotation; undefined for none. */
export function gapsValue(gaps: Gap[]): string | undefined {
  return gaps.length === 0 ? undefined : gaps.join(',');
}

/** Whether an object says that something of its tenant has this gap. */
export function hasGap({ object }: Source, gap: Gap): boolean {
  const value = pickRecord(object, 'metadata.annotations')[GAPS_ANNOTATION];
  return typeof value === 'string' && value.split(',').includes(gap);
}
