import { groupKind } from './manifest-title';

/** Kinds that others need to be there, by API group and kind, from the first to be applied on. */
const FIRST = ['/Namespace', 'apiextensions.k8s.io/CustomResourceDefinition'];
/** Kinds that run pods, which need everything else. */
const WORKLOADS = [
  '/Pod', '/ReplicationController', 'apps/DaemonSet', 'apps/Deployment', 'apps/ReplicaSet', 'apps/StatefulSet', 'batch/CronJob', 'batch/Job',
];
/** Kinds that make requests depend on workloads. */
const LAST = [
  'admissionregistration.k8s.io/MutatingWebhookConfiguration', 'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'apiregistration.k8s.io/APIService',
];

/**
 * The manifests in an order in which they can be applied one by one: namespaces, definitions, everything else, workloads,
 * and what calls workloads. Within each the order stays, in which cdk8s has dependencies first.
 */
export function inApplyOrder<T extends { readonly apiVersion: string; readonly kind: string }>(manifests: T[]): T[] {
  return manifests.map(manifest => ({ manifest, rank: rankOf(groupKind(manifest)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ manifest }) => manifest);
}

function rankOf(kind: string): number {
  const first = FIRST.indexOf(kind);
  if (first >= 0) {
    return first;
  }
  const [others, workloads, last] = [FIRST.length, FIRST.length + 1, FIRST.length + 2];
  return LAST.includes(kind) ? last : WORKLOADS.includes(kind) ? workloads : others;
}
