import { IConstruct } from 'constructs';
import { Claims } from './claims';
import { tenantOf } from './moves';
import type { Endpoint } from '../model/endpoint';

const REMEDY = 'A port leads to one tenant, and one that is taken from a range follows from the tenant\'s name alone: give one of them a port, e.g. ' +
  'KubernetesServicePath.port({ addresses, port: 20001 })';

/**
 * Records that a construct takes a port of a shared address.
 *
 * @param endpoint the address and the port, e.g. `203.0.113.10:20001`
 */
export function claimSharedPort(holder: IConstruct, endpoint: Endpoint): void {
  Claims.of(holder).claim('port of the shared address', endpoint.toString(), holder,
    REMEDY, { derived: true, variant: tenantOf(holder) });
}

/**
 * Records that a construct takes a port of a controller that finds tenants by it, whatever the addresses are.
 *
 * @param edge what tells the controller from others
 */
export function claimPortOfEdge(holder: IConstruct, controller: string, port: number, edge: string): void {
  Claims.of(holder).claim(`port of ${controller}`, String(port), holder, REMEDY, { derived: true, within: edge });
}
