import { IConstruct } from 'constructs';

/** Trees of their own, e.g. apps of tenants, that are a part of a construct. */
const included = new WeakMap<IConstruct, IConstruct[]>();
const roots = new WeakSet<IConstruct>();

/** Has another tree be a part of a construct. */
export function includeTree(holder: IConstruct, root: IConstruct): void {
  included.set(holder, [...included.get(holder) ?? [], root]);
  roots.add(root);
}

/** Whether a tree is a part of a construct of another one. */
export function isIncluded(root: IConstruct): boolean {
  return roots.has(root);
}

/** The trees that are a part of the construct itself. */
export function includedTrees(holder: IConstruct): IConstruct[] {
  return included.get(holder) ?? [];
}
