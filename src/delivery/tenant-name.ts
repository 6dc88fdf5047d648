import { createHash } from 'crypto';

/** Values of labels hold 63 characters. */
const MAX_LABEL = 63;

/**
 * Names a tenant in objects' names: all parts are DNS labels, without a dot, so no two tenants have one name.
 *
 * @param cluster the management cluster of the control plane, where there may be several
 */
export function tenantName({ namespace, name }: { readonly namespace: string; readonly name: string }, cluster?: string): string {
  return `${cluster === undefined ? '' : `${cluster}.`}${namespace}.${name}`;
}

/** The name of a tenant as the value of a label, which is shorter than a name may be; different tenants stay different. */
export function labelValue(name: string): string {
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 11).replace(/[.-]+$/, '')}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
