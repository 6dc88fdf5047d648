import { boundedCopy } from './bounded-copy';
import { Json } from './code/expression';
import { Description, Wishes } from './describe/description';
import { describeHostedCluster } from './describe/hypershift';
import { describeK0smotron } from './describe/k0smotron';
import { describeTenantControlPlane } from './describe/tenant-control-plane';
import { ConfigurationError } from '../../cli/configuration';
import { ControlPlane } from '../../src/manifests/control-plane';
import { readPlatform } from '../../src/manifests/platform';
import { Source } from '../../src/manifests/source';
import { System, systemOf } from '../../src/manifests/systems';

const MAX_CONTROL_PLANES = 1000;

type Describe = (controlPlane: ControlPlane, object: Json, wishes: Wishes, sources: Source[]) => Description;

/** Kinds of Cluster API and k0rdent that make another of these are described by that one. */
const DESCRIBERS: { readonly [system in System]?: Describe } = {
  'kamaji.clastix.io TenantControlPlane': describeTenantControlPlane,
  'steward.butlerlabs.dev TenantControlPlane': describeTenantControlPlane,
  'k0smotron.io Cluster': describeK0smotron,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': describeK0smotron,
  'hypershift.openshift.io HostedCluster': describeHostedCluster,
};

/** A control plane that is not described. */
export interface Left {
  readonly source: Source;
  /** Continues the sentence that begins with its name. */
  readonly reason: string;
}

export interface Tenants {
  readonly known: { readonly source: Source; readonly describe: (wishes: Wishes) => Description }[];
  readonly left: Left[];
}

/** Kinds that are looked at, and no others: a Secret of a dump is not. */
export function isLookedAt({ apiVersion, kind }: Pick<Source, 'apiVersion' | 'kind'>): boolean {
  return systemOf({ apiVersion, kind }) !== undefined || (kind === 'Cluster' && apiVersion.startsWith('cluster.x-k8s.io/'));
}

/**
 * The control planes among objects.
 *
 * @throws ConfigurationError when there is none, or too much
 */
export function tenantsAmong(dumped: Source[]): Tenants {
  const sources = dumped.filter(isLookedAt).map(source => ({ ...source, object: boundedCopy(source.object, `${source.kind} ${source.namespace}/${source.name}`) }));
  const { controlPlanes, unread } = readPlatform(sources);
  if (controlPlanes.length + unread.length === 0) {
    throw new ConfigurationError('no control plane is in there; dump them with kubectl get tenantcontrolplanes --all-namespaces --output yaml, and likewise for the kinds of other systems');
  }
  if (controlPlanes.length > MAX_CONTROL_PLANES) throw new ConfigurationError(`more than ${MAX_CONTROL_PLANES} control planes are in there: dump some of them, e.g. one namespace`);
  const [known, unknown] = [controlPlanes.filter(({ source }) => describerOf(source)), controlPlanes.filter(({ source }) => !describerOf(source))];
  return {
    known: known.map(controlPlane => ({
      source: controlPlane.source,
      describe: wishes => describerOf(controlPlane.source)!(controlPlane, controlPlane.source.object as Json, wishes, sources),
    })),
    left: [
      ...unread.map(({ source, reason }) => ({ source, reason })),
      ...unknown.map(({ source }) => ({ source, reason: `is not described by this command: write it with the constructs for ${source.kind}` })),
    ],
  };
}

function describerOf(source: Source): Describe | undefined {
  const system = systemOf(source);
  return system && DESCRIBERS[system];
}
