import { createHash } from 'crypto';

/** Names a control plane in its management cluster. */
interface NamedTenant {
  readonly namespace: string;
  readonly name: string;
}

/** Values of labels hold 63 characters. */
const MAX_LABEL = 63;

/** Names a tenant in objects' names: both parts are DNS labels, without a dot, so no two tenants have one name. */
export function tenantName({ namespace, name }: NamedTenant): string {
  return `${namespace}.${name}`;
}

/** Names a tenant in labels, which are shorter than a name may be; different tenants stay different. */
export function tenantLabel(tenant: NamedTenant): string {
  const name = tenantName(tenant);
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 11).replace(/[.-]+$/, '')}-${createHash('sha256').update(name).digest('hex').slice(0, 10)}`;
}
