import { groupOf, ObjectKind } from './reference';

/** Kinds that run pods. Their pods may need everything else until they are gone. */
const WORKLOADS: Readonly<Record<string, readonly string[]>> = {
  '': ['Pod', 'ReplicationController'],
  'apps': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'batch': ['CronJob', 'Job'],
};

export function isNamespace({ apiVersion, kind }: ObjectKind): boolean {
  return groupOf(apiVersion) === '' && kind === 'Namespace';
}

export function isCustomResourceDefinition({ apiVersion, kind }: ObjectKind): boolean {
  return groupOf(apiVersion) === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition';
}

export function isWorkload({ apiVersion, kind }: ObjectKind): boolean {
  return WORKLOADS[groupOf(apiVersion)]?.includes(kind) ?? false;
}

/** The objects in the order in which they are applied, in steps that each need the one before. */
export interface ApplySteps<T> {
  readonly namespaces: readonly T[];
  readonly definitions: readonly T[];
  /** In the order of the bundle. */
  readonly others: readonly T[];
}

export function applySteps<T extends ObjectKind>(objects: readonly T[]): ApplySteps<T> {
  return {
    namespaces: objects.filter(isNamespace),
    definitions: objects.filter(isCustomResourceDefinition),
    others: objects.filter((object) => !isNamespace(object) && !isCustomResourceDefinition(object)),
  };
}

/**
 * The objects in the order in which they are removed, in steps that each wait for the one before: what runs pods, what
 * the pods needed, the definitions of custom resources, namespaces. Within a step, what was applied last goes first.
 */
export function pruneSteps<T extends ObjectKind>(objects: readonly T[]): readonly (readonly T[])[] {
  const { namespaces, definitions, others } = applySteps([...objects].reverse());
  return [others.filter(isWorkload), others.filter((object) => !isWorkload(object)), definitions, namespaces].filter((step) => step.length > 0);
}
