import { IConstruct } from 'constructs';
import { Claims } from './claims';
import type { Endpoint } from '../model/endpoint';

/**
 * Records that a construct takes a port of a shared address.
 *
 * @param endpoint the address and the port, e.g. `203.0.113.10:20001`
 */
export function claimSharedPort(holder: IConstruct, endpoint: Endpoint): void {
  Claims.of(holder).claim('port of the shared address', endpoint.toString(), holder,
    'It leads to one tenant, and one that is taken from a range follows from the tenant\'s name alone: give one of them a port, e.g. ' +
    'KubernetesServicePath.port({ addresses, port: 20001 }), or an address', { derived: true });
}
