import { createHash } from 'crypto';
import { IConstruct } from 'constructs';
import { IngressController } from './ingress-controller';
import { Claims } from '../synthesis/claims';

/**
 * A name that stays distinct when a controller joins namespace and name with `-`, where `a/b-c` and `a-b/c` would be one: two
 * objects of two tenants would then be one to the controller, and one tenant would get what the other's says.
 *
 * A namespace without `-` ends at the first one of the joined name, so the name is kept. Any other gets a hash of both.
 */
export function distinctWhenJoined(namespace: string, name: string): string {
  return namespace.includes('-') ? `${name}-${hashOf(`${namespace}/${name}`)}` : name;
}

/** A name that a controller joins. */
export interface JoinedName {
  readonly namespace: string;
  readonly name: string;
  /** The name that the controller makes of both. */
  readonly joined: string;
}

/** Records the names that a controller joins, those of one control plane. Two may share an object, e.g. a Service. */
export function claimJoinedNames(holder: IConstruct, controller: IngressController, names: JoinedName[], cluster: string): void {
  const { displayName, ingressClassName } = controller;
  for (const { namespace, name, joined } of names) {
    Claims.of(holder).claim(`name that ${displayName} joins of namespace and name`, joined, holder,
      'To the controller they would be one, and one of them would get the other\'s connections: rename one, or its namespace',
      { within: JSON.stringify([cluster, ingressClassName]), variant: `${namespace}/${name}` });
  }
}

/** Eight characters; the slash cannot be in either part. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
