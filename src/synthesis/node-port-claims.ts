import { IConstruct } from 'constructs';
import { Claims } from './claims';

/** Records that Services of a management cluster take these node ports, whichever namespace they are in. */
export function claimNodePorts(holder: IConstruct, ports: number[], cluster: string): void {
  for (const port of ports) {
    Claims.of(holder).claim(`node port in cluster "${cluster}"`, String(port), holder,
      'A node port belongs to one Service of a cluster: give each control plane ports of its own', { inCluster: true });
  }
}
