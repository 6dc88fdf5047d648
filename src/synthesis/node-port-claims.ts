import { IConstruct } from 'constructs';
import { Claims } from './claims';

/**
 * Records that Services of a management cluster take these node ports, whichever namespace they are in.
 *
 * @param remedy how the holder can take others
 */
export function claimNodePorts(holder: IConstruct, ports: number[], cluster: string, remedy: string): void {
  for (const port of ports) {
    Claims.of(holder).claim(`node port in cluster "${cluster}"`, String(port), holder, remedy, { inCluster: true });
  }
}
