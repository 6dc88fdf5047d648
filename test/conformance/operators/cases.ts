import { createHash } from 'crypto';
import { IngressExposedControlPlane } from '../../../src';
import { Cell, CONTROLLERS, PLATFORMS, refused, refusedRoutes, TCP_PROXY_KINDS } from '../matrix';
import { Tenants } from '../tenants';

/** A cell of the matrix, as an operator meets it. */
export interface OperatorCase {
  /** The cell, in words. */
  readonly title: string;
  readonly cell: Cell;
  readonly controlPlane: IngressExposedControlPlane;
  /** The custom resource. */
  readonly resource: any;
  /** The management cluster's objects of the case, the custom resource among them. */
  readonly manifests: any[];
  /** Of what the operator reads: cells that are alike to it have the same. */
  readonly hash: string;
}

/** Every cell of the platforms of this type that works. */
export function casesOf(platformType: string): OperatorCase[] {
  const platforms = Object.keys(PLATFORMS).filter(name => PLATFORMS[name].make(() => 30000).platform.type === platformType);
  return platforms.flatMap(platform => Object.keys(CONTROLLERS).map(controller => ({ platform, controller })))
    .flatMap(pair => [true, false].map(konnectivity => ({ ...pair, konnectivity })))
    .filter(cell => !refusedRoutes(cell))
    .flatMap(cell => TCP_PROXY_KINDS.map(tcpProxy => ({ ...cell, tcpProxy })))
    .filter(cell => !refused(cell))
    .map(caseOf);
}

/** The first of the cases that are alike to the operator. */
export function distinct(cases: OperatorCase[]): OperatorCase[] {
  return [...new Map([...cases].reverse().map(found => [found.hash, found])).values()].reverse();
}

function caseOf(cell: Cell): OperatorCase {
  const { management, controlPlanes: [controlPlane] } = new Tenants(cell);
  const manifests = management.toJson();
  const { kind: wanted, name } = controlPlane.platformObject;
  const resource = manifests.find(({ kind, metadata }) => kind === wanted && metadata.name === name);
  const { platform, controller, konnectivity, tcpProxy = 'no tcp-proxy' } = cell;
  return {
    title: [platform, controller, konnectivity ? 'konnectivity' : 'no konnectivity', tcpProxy].join('; '),
    cell,
    controlPlane,
    resource,
    manifests,
    hash: hashOf(resource),
  };
}

/** Operators read no more than this of it, and take labels and annotations over. */
function hashOf({ apiVersion, kind, metadata: { labels, annotations }, spec }: any): string {
  return createHash('sha256').update(JSON.stringify([apiVersion, kind, labels, annotations, spec])).digest('hex').slice(0, 16);
}
