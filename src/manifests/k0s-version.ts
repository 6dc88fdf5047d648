import { FIRST_K0S_WITH_INGRESS } from '../versions/k0s';

const OLDEST_MINOR = Math.min(...FIRST_K0S_WITH_INGRESS.keys());
/** What k0smotron writes into a Cluster without a version; it refuses a K0smotronControlPlane without one. */
export const DEFAULT_K0S_VERSION = 'v1.27.9-k0s.0';

/** Whether k0s of this version can be reached by a host name; a version that cannot be read may be. */
export function takesHostNames(version: string): boolean {
  const match = /^v?1\.(\d+)\.(\d+)/.exec(version);
  if (!match) return true;
  const [minor, patch] = match.slice(1).map(Number);
  const first = FIRST_K0S_WITH_INGRESS.get(minor);
  return first === undefined ? minor > OLDEST_MINOR : patch >= first;
}
