import { Authority, issuePair, makeAuthority, Pair } from './authority';
import { EPOCH } from './world';

const DAY = 86_400_000;
const [FROM, UNTIL] = [new Date(EPOCH - DAY), new Date(EPOCH + 3_650 * DAY)];

/** Whose certificates there are in a scenario: made once for all runs, as that takes longer than a run. */
export interface Identities {
  /** That of the tenant, and that of the gateways' ends of tunnels. */
  readonly authority: Authority;
  /** The next one of the tenant, and that of the tenants' ends of tunnels. */
  readonly other: Authority;
  /** Of the gateway's end of tunnels: the first, and the one after it. */
  readonly servers: readonly [Pair, Pair];
  /** Of the tenant's end, likewise. */
  readonly clients: readonly [Pair, Pair];
}

/** The host of the gateway's end, and the name by which it knows the tenant. */
export const TUNNEL = { host: 'tunnel.example.com', client: 'tenants.tenant-01' } as const;

export async function makeIdentities(): Promise<Identities> {
  const [authority, other] = [await makeAuthority(FROM, UNTIL), await makeAuthority(FROM, UNTIL)];
  const server = () => issuePair(authority, TUNNEL.host, 'server', FROM, UNTIL);
  const client = () => issuePair(other, TUNNEL.client, 'client', FROM, UNTIL);
  return { authority, other, servers: [await server(), await server()], clients: [await client(), await client()] };
}
