import type { ConnectionShares, GatewayConnectionShares } from './limit-props';
import { validateNetwork } from '../validation/ip-network';
import { Checks, optional, someOf } from '../validation/props';
import { wholeNumber } from '../validation/whole-number';

const connections = optional(wholeNumber('connections', 1));

/** What each share may be by itself; none may be more than all connections. */
export const SHARES: Checks<ConnectionShares> = { perSource: connections, trustedSources: optional(someOf(validateNetwork)) };
export const GATEWAY_SHARES: Checks<GatewayConnectionShares> = { ...SHARES, perTenant: connections };
