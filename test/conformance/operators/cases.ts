import { createHash } from 'crypto';
import { casesOfExamples } from './example-cases';
import { HetznerHostedCluster, IngressController, IngressExposedControlPlane } from '../../../src';
import { Cell, CONTROLLERS, PLATFORMS, refused, refusedRoutes, TCP_PROXY_KINDS } from '../matrix';
import { Tenants } from '../tenants';

/** A control plane of a cell of the matrix, or of an example, as an operator meets it. */
export interface OperatorCase {
  /** The cell, or the example and the control plane, in words. */
  readonly title: string;
  /** What it can become: cases of the same. */
  readonly kin: string;
  /** Name of the control plane; of Cluster API's Cluster, where there is one. */
  readonly name: string;
  /** What takes routes that the operator makes. */
  readonly front: Pick<IngressController, 'ingressClassName' | 'gatewayRef' | 'ingressAnnotations'>;
  readonly controlPlane?: IngressExposedControlPlane;
  /** In place of that: a cluster whose control plane no shared address leads to. */
  readonly direct?: HetznerHostedCluster;
  /** The custom resource. */
  readonly resource: any;
  /** The management cluster's objects of the case, the custom resource among them. */
  readonly manifests: any[];
  /** Of what the operator reads: cells that are alike to it have the same. */
  readonly hash: string;
}

/** Every control plane that an operator is asked of a platform of this type. */
export function casesOf(platformType: string): OperatorCase[] {
  return Object.values(SOURCES).flatMap(cases => cases(platformType));
}

/** Where cases come from: every cell of the platforms of a type that works, and every control plane of the examples. */
export const SOURCES: { readonly [source: string]: (platformType: string) => OperatorCase[] } = {
  matrix: casesOfMatrix,
  examples: platformType => casesOfExamples(platformType).map(of => ({ ...of, hash: hashOf(of.resource) })),
};

function casesOfMatrix(platformType: string): OperatorCase[] {
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
  const { management, controller: front, controlPlanes: [controlPlane] } = new Tenants(cell);
  const manifests = management.toJson();
  const { kind: wanted, name } = controlPlane.platformObject;
  const resource = manifests.find(({ kind, metadata }) => kind === wanted && metadata.name === name);
  const { platform, controller, konnectivity, tcpProxy = 'no tcp-proxy' } = cell;
  return {
    title: [platform, controller, konnectivity ? 'konnectivity' : 'no konnectivity', tcpProxy].join('; '),
    kin: platform,
    name: controlPlane.exposure.name,
    front,
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
