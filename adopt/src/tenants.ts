import { boundedCopy } from './bounded-copy';
import { Json } from './code/expression';
import { Description, Wishes } from './describe/description';
import { describeHostedCluster } from './describe/hypershift';
import { describeK0smotron } from './describe/k0smotron';
import { describeKamajiControlPlane } from './describe/kamaji-control-plane';
import { describeTenantControlPlane } from './describe/tenant-control-plane';
import { at, own } from './json';
import { ConfigurationError } from '../../cli/configuration';
import { ControlPlane } from '../../src/manifests/control-plane';
import { readPlatform } from '../../src/manifests/platform';
import { Source } from '../../src/manifests/source';
import { System, systemOf } from '../../src/manifests/systems';

const MAX_CONTROL_PLANES = 1000;
const K0RDENT: System = 'k0rdent.mirantis.com ClusterDeployment';

type Describe = (controlPlane: ControlPlane, object: Json, wishes: Wishes, sources: Source[]) => Description;

/** One of k0rdent is a chart, whose objects are its own. */
const DESCRIBERS: { readonly [system in System]?: Describe } = {
  'kamaji.clastix.io TenantControlPlane': describeTenantControlPlane,
  'steward.butlerlabs.dev TenantControlPlane': describeTenantControlPlane,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': describeKamajiControlPlane,
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
  const reasons = new Map(controlPlanes.map(({ source }) => [source, whyNot(source, sources)]));
  const known = controlPlanes.filter(({ source }) => reasons.get(source) === undefined);
  return {
    known: known.map(controlPlane => ({
      source: controlPlane.source,
      describe: wishes => describerOf(controlPlane.source)!(controlPlane, controlPlane.source.object as Json, wishes, sources),
    })),
    left: [
      ...unread.map(({ source, reason }) => ({ source, reason })),
      ...controlPlanes.flatMap(({ source }) => {
        const reason = reasons.get(source);
        return reason === undefined ? [] : [{ source, reason }];
      }),
    ],
  };
}

/** Why a control plane is not described; undefined where it is. */
function whyNot(source: Source, sources: Source[]): string | undefined {
  if (systemOf(source) === K0RDENT) {
    return `is a chart of k0rdent's, whose control plane is the chart's own: write new K0rdentClusterDeployment(management, ${JSON.stringify(source.name)}, `
      + '{ namespace, template, credential, config: K0rdentConfig.values(<its spec.config>) }), which takes all of it as it is. An ingress is in values of the template: docs/hetzner.md';
  }
  const deployment = sources.find(each => systemOf(each) === K0RDENT && each.namespace === source.namespace && each.name === releaseOf(source));
  if (deployment !== undefined) {
    return `is made by k0rdent, which would put back what a program of its own changes: write a K0rdentClusterDeployment for the ClusterDeployment ${deployment.namespace}/${deployment.name}`;
  }
  return describerOf(source) === undefined ? `is not described by this command: write it with the constructs for ${source.kind}` : undefined;
}

/** Flux, with which k0rdent applies charts, labels what is in a release with its name, and k0rdent names releases like ClusterDeployments. */
function releaseOf({ object }: Source): Json | undefined {
  return own(at(object as Json, 'metadata.labels'), 'helm.toolkit.fluxcd.io/name');
}

function describerOf(source: Source): Describe | undefined {
  const system = systemOf(source);
  return system && DESCRIBERS[system];
}
