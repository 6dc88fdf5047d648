import { IConstruct } from 'constructs';

/** By the control plane in the new cluster, the first that stands for the tenant. */
const origins = new WeakMap<IConstruct, IConstruct>();

/** Records that two constructs are one tenant, which moves from one management cluster to another and is in both meanwhile. */
export function recordMove(to: IConstruct, from: IConstruct): void {
  origins.set(to, tenantOf(from));
}

/** What stands for the tenant of a construct, the same in each management cluster that has it: the construct itself unless it has moved. */
export function tenantOf(holder: IConstruct): IConstruct {
  return origins.get(holder) ?? holder;
}
