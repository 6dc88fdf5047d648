import { ControlPlane } from './control-plane';
import { clusterOf } from './find-source';
import { IngressClasses } from './operator-routes';
import { describesItself, readDescribed } from './read-described';
import { readHypershift } from './read-hypershift';
import { readK0rdent, readK0smotron } from './read-k0smotron';
import { readTenantControlPlane } from './read-tenant-control-plane';
import { Source } from './source';
import { isKnownVersion, System, systemOf, SYSTEMS } from './systems';
import { Unread } from './unread';

/** Undefined for an object that is no control plane after all. */
type Reader = (source: Source, sources: Source[], classes: IngressClasses) => ControlPlane | undefined;

const READERS: { readonly [system in System]: Reader } = {
  'kamaji.clastix.io TenantControlPlane': readTenantControlPlane,
  'steward.butlerlabs.dev TenantControlPlane': readTenantControlPlane,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': readTenantControlPlane,
  'k0smotron.io Cluster': (source, _, classes) => readK0smotron(source, source.name, classes),
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': (source, sources, classes) => readK0smotron(source, clusterOf(source, sources)?.name, classes),
  'k0rdent.mirantis.com ClusterDeployment': source => readK0rdent(source),
  'hypershift.openshift.io HostedCluster': source => readHypershift(source),
};

interface Result {
  readonly controlPlane?: ControlPlane;
  readonly unread: Unread[];
}

/** The control planes of manifests, and what of them could not be read. */
export function readControlPlanes(sources: Source[], classes: IngressClasses): { readonly controlPlanes: ControlPlane[]; readonly unread: Unread[] } {
  const results = sources.map((source): Result => {
    const system = systemOf(source);
    if (system === undefined) return describesItself(source) ? readDescribed(source) : { unread: [] };
    if (!isKnownVersion(source, system)) return { unread: [unknownVersion(source, system)] };
    return { controlPlane: READERS[system](source, sources, classes), unread: [] };
  });
  return {
    controlPlanes: results.flatMap(({ controlPlane }) => controlPlane ?? []),
    unread: results.flatMap(({ unread }) => unread),
  };
}

function unknownVersion(source: Source, system: System): Unread {
  return {
    source,
    field: 'apiVersion',
    reason: `is ${source.apiVersion}, whose fields are not known here, so nothing of it was compared; known are ${SYSTEMS[system].join(' and ')}`,
    remedy: 'Use a newer version of this library, or a version of the API that it knows',
  };
}
