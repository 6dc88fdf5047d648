import { randomUUID } from 'node:crypto';
import { TenantHold, TenantRecord } from '../../../../src/agent/contract/bundle';

/*
 * A tenant that moves has a bundle in two management clusters for a while, and so two programs that would keep it. The inventory in the
 * tenant, or the ConfigMap of a program that keeps certificates alone, says who holds it: the one that came last. Whoever held it before sees that and leaves everything as it is, so that none
 * undoes what the other does, and none removes what the other brought.
 */

/** What is said of a tenant that another program holds. */
export const MOVED = 'another sync, e.g. that of another management cluster, holds the tenant now: this one writes nothing to it and removes nothing; '
  + 'take its bundle away here, or delete this ConfigMap to take the tenant back';

/** The tenant is another's. */
export class HeldElsewhereError extends Error {
  constructor() {
    super(MOVED);
  }
}

/** How this program stands to a tenant: it is ours, it becomes ours with the next write, or it is another's. */
export type Standing = 'ours' | 'to take' | 'moved';

/** By what a tenant is known as our own from now on. One that was recorded by a release without holds has been ours for long. */
export function holdOf(record: TenantRecord | undefined): TenantHold {
  return record?.hold ?? { id: randomUUID(), ...record === undefined && { taking: true } };
}

/**
 * @param hold undefined as long as nothing is recorded of the tenant
 * @param holder whom the inventory in the tenant names
 */
export function standing(hold: TenantHold | undefined, holder: string | undefined): Standing {
  if (hold === undefined || holder === undefined || holder === hold.id) return 'ours';
  return hold.taking ? 'to take' : 'moved';
}
