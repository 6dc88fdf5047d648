/** Group of the Gateway API. */
export const GATEWAY_GROUP = 'gateway.networking.k8s.io';

/** Names a Gateway API Gateway. */
export interface GatewayRef {
  /** Name of the Gateway. */
  readonly name: string;
  /** Namespace of the Gateway. */
  readonly namespace: string;
}

/**
 * A Gateway as routes, and control planes for which operators make routes, refer to it. Definitions add `group` and `kind` where they are missing,
 * so without them a resource would never be what was applied, and be in conflict with itself under another field manager.
 */
export function parentRef({ name, namespace }: GatewayRef, sectionName?: string) {
  return { group: GATEWAY_GROUP, kind: 'Gateway', name, namespace, ...sectionName !== undefined && { sectionName } };
}
