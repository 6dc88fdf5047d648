import { IConstruct } from 'constructs';
import { Claims } from './claims';
import { tenantOf } from './moves';

/**
 * Records that a construct takes an SNI host at a public port.
 *
 * @param holder         the construct that the user made
 * @param separatesPorts whether what routes there can lead one host to two places by port; if it cannot, the host is taken on every port
 */
export function claimHost(holder: IConstruct, host: string, port: number, separatesPorts: boolean): void {
  const claims = Claims.of(holder);
  claims.claim('SNI host', `${host}:${port}`, holder, 'A shared address routes on the host alone: give each control plane hosts of its own',
    { variant: tenantOf(holder) });
  if (!separatesPorts) {
    // Holders at one port are in conflict already.
    claims.claim('SNI host', host, holder, 'Their controllers route on the host alone, whatever the port: give each control plane hosts of its own',
      { variant: String(port) });
  }
}
