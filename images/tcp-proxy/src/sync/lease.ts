import { KubernetesObject } from '../kubernetes/objects';

/** `coordination.k8s.io/v1 Lease`, the fields used here. */
export interface Lease extends KubernetesObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    /** Microseconds since 1.14: `2026-01-01T00:00:00.000000Z`. */
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface Holding {
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
}

/** The Lease as its new holder writes it, over what is there. */
export function claimed(present: Lease | undefined, { namespace, name, identity, leaseDurationMs }: Holding, now: Date): Lease {
  const { spec = {} } = present ?? {};
  const renewed = spec.holderIdentity === identity;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: present?.metadata ?? { name, namespace },
    spec: {
      ...spec,
      holderIdentity: identity,
      leaseDurationSeconds: leaseDurationMs / 1000,
      acquireTime: renewed && spec.acquireTime ? spec.acquireTime : microTime(now),
      renewTime: microTime(now),
      // As client-go counts: the first holder is no transition.
      leaseTransitions: (spec.leaseTransitions ?? 0) + (present && !renewed ? 1 : 0),
    },
  };
}

/** The Lease as its holder leaves it, so that the next one need not wait. */
export function released(present: Lease, now: Date): Lease {
  return { ...present, spec: { ...present.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: microTime(now) } };
}

function microTime(now: Date): string {
  return now.toISOString().replace('Z', '000Z');
}
