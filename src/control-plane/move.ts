import type { IHostedControlPlane } from './hosted-control-plane';
import { invalidInput } from '../validation/invalid-input';

/** What tells one tenant from others to those who know it. */
type Known = Pick<IHostedControlPlane, 'exposure' | 'managementCluster'>;

/**
 * Checks that a control plane can be the one that another becomes by a move: nodes and pods are to find it under the names that they know.
 *
 * @throws when it is in the same cluster, or has other names
 */
export function requireSameTenant(from: IHostedControlPlane, to: Known): void {
  const { path } = from.node;
  if (from.managementCluster === to.managementCluster) {
    throw invalidInput('movesFrom', path, `is in the same management cluster, "${to.managementCluster}"`,
      'Give the control plane of the other cluster, and say which is which before anything is made in them: ManagementCluster.assign(chart, "eu-1")');
  }
  const names = ({ exposure: { namespace, name, api, konnectivity, clusterId, kubernetesEndpoint } }: Known) => ({
    namespace,
    name,
    'host of the API server': api.toString(),
    'host of konnectivity': konnectivity?.toString(),
    clusterId,
    'kubernetesService': kubernetesEndpoint && `${kubernetesEndpoint.addresses.join(' and ')} ${kubernetesEndpoint.port}`,
  });
  const [before, after] = [names(from), names(to)];
  const other = (Object.keys(after) as (keyof typeof after)[]).find(what => before[what] !== after[what]);
  if (other !== undefined) {
    throw invalidInput('movesFrom', path, `has ${before[other] === undefined ? 'none' : `"${before[other]}"`} as ${other}, and this one has ` +
      `${after[other] === undefined ? 'none' : `"${after[other]}"`}`, 'Give both the same names, hosts and port: nodes and pods go on with those that they know');
  }
}
