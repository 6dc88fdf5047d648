import type { ConnectionLimits } from './connection-limits';
import type { GatewayConnectionShares } from './limit-props';
import { invalidInput } from '../validation/invalid-input';
import { IpNetwork } from '../validation/ip-network';

/** The part of all connections that a source or a tenant has unless the user says otherwise. */
export interface DefaultShares {
  /** Undefined where every source is a node, so that they mean nothing. */
  readonly perSource?: number;
  /** Undefined where there is one tenant. */
  readonly perTenant?: number;
}

/** Checks the shares that the user gives, and adds the others. */
export function resolveShares(
  total: number, shares: GatewayConnectionShares = {}, defaults: DefaultShares,
): Pick<ConnectionLimits, 'perSource' | 'perTenant' | 'trustedSources'> {
  const limit = (field: 'perSource' | 'perTenant') => {
    const given = shares[field];
    if (given !== undefined && (!Number.isInteger(given) || given < 1 || given > total)) {
      throw invalidInput(`shares.${field}`, given, `is not a number of connections up to maxConnections, which is ${total}`,
        'Give a whole number, or leave it out');
    }
    const share = defaults[field];
    return given ?? (share === undefined ? undefined : Math.max(1, Math.floor(total * share)));
  };
  if (shares.trustedSources?.length === 0) {
    throw invalidInput('shares.trustedSources', shares.trustedSources, 'is empty, so that nobody would get what is kept',
      'Leave it out, or list networks');
  }
  shares.trustedSources?.forEach((cidr, i) => IpNetwork.parse(`shares.trustedSources[${i}]`, cidr));
  return { perSource: limit('perSource'), perTenant: limit('perTenant'), trustedSources: shares.trustedSources };
}
