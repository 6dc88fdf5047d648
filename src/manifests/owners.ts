import { pick, pickList, pickText } from './fields';
import { KeysOf, lookUp } from './lookup';
import { Source } from './source';

/** Owners that make Ingresses. */
const OPERATED_KINDS = ['TenantControlPlane', 'Cluster'];
/** An operator makes objects for one that another operator has made: a Service for a TenantControlPlane for a KamajiControlPlane. */
const MAX_GENERATIONS = 4;

/** Whether the operator of a control plane has made an object. */
export function isOfOperator({ object }: Source): boolean {
  return pickList(object, 'metadata.ownerReferences').some(owner => OPERATED_KINDS.includes(String(pick(owner, 'kind'))));
}

/** Whether operators have made an object for another one. */
export function isOwnedBy(source: Source, owner: Source, sources: Source[], generations = MAX_GENERATIONS): boolean {
  return ownersOf(source).some(reference => reference.is(owner) || (generations > 1 && lookUp(sources, byName, `${source.namespace}/${reference.name}`)
    .some(parent => parent !== source && reference.is(parent) && isOwnedBy(parent, owner, sources, generations - 1))));
}

export interface OwnerReference {
  readonly name: string;
  is(owner: Source): boolean;
}

/** Two groups have a kind Cluster, and k0smotron gives both of a cluster the same name. */
export function ownersOf({ namespace, object }: Source): OwnerReference[] {
  return pickList(object, 'metadata.ownerReferences').map(reference => {
    const [group, kind, name] = [pickText(reference, 'apiVersion')?.split('/')[0], pickText(reference, 'kind'), pickText(reference, 'name')];
    return {
      name: String(name),
      is: owner => owner.kind === kind && owner.name === name && owner.namespace === namespace && (group === undefined || owner.apiVersion.split('/')[0] === group),
    };
  });
}

const byName: KeysOf<Source> = ({ namespace, name }) => [`${namespace}/${name}`];
