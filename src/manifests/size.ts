import { pick, pickText } from './fields';
import { Source } from './source';
import { System, systemOf } from './systems';

/** How large a control plane is, as its custom resource says, and what its status says is there. */
export interface Size {
  /** Version of Kubernetes without `v` and without the revision of k0s: what runs, where the status tells, else what is asked for. */
  readonly kubernetesVersion?: string;
  /** API servers that are asked for. */
  readonly replicas?: number;
  /** Those that are ready; of objects of a running cluster alone. */
  readonly readyReplicas?: number;
}

interface Paths {
  /** Where a version stands; the first that is there counts. */
  readonly versions: readonly string[];
  readonly replicas: string;
  /** What the API server writes where nothing stands: the default of the definition. */
  readonly otherwise?: number;
  readonly ready: string;
}

const TENANT_CONTROL_PLANE: Paths = {
  versions: ['status.kubernetesResources.version.version', 'spec.kubernetes.version'],
  replicas: 'spec.controlPlane.deployment.replicas',
  otherwise: 2,
  ready: 'status.kubernetesResources.deployment.readyReplicas',
};
const K0SMOTRON: Paths = { versions: ['status.version', 'spec.version'], replicas: 'spec.replicas', otherwise: 1, ready: 'status.readyReplicas' };

/** HyperShift's number follows from its policy, and its version from a release image. */
const PATHS: { readonly [system in System]?: Paths } = {
  'kamaji.clastix.io TenantControlPlane': TENANT_CONTROL_PLANE,
  'steward.butlerlabs.dev TenantControlPlane': TENANT_CONTROL_PLANE,
  'controlplane.cluster.x-k8s.io KamajiControlPlane': { ...K0SMOTRON, otherwise: 2 },
  'k0smotron.io Cluster': K0SMOTRON,
  'controlplane.cluster.x-k8s.io K0smotronControlPlane': K0SMOTRON,
  'k0rdent.mirantis.com ClusterDeployment': { versions: [], replicas: 'spec.config.controlPlane.replicas', ready: 'status.readyReplicas' },
};

/** Of a control plane of a known system; of another one nothing is known. */
export function sizeOf(source: Pick<Source, 'apiVersion' | 'kind' | 'object'>): Size {
  const { object } = source;
  const system = systemOf(source);
  if (system === 'hypershift.openshift.io HostedCluster') {
    return { replicas: pickText(object, 'spec.controllerAvailabilityPolicy') === 'SingleReplica' ? 1 : 3 };
  }
  const paths = system && PATHS[system];
  if (!paths) return {};
  const version = paths.versions.map(path => pickText(object, path)).find(text => text !== undefined && text !== '');
  return {
    kubernetesVersion: version === undefined ? undefined : /^v?(\d+\.\d+\.\d+)/.exec(version)?.[1] ?? version,
    replicas: count(object, paths.replicas) ?? paths.otherwise,
    readyReplicas: count(object, paths.ready),
  };
}

function count(object: unknown, path: string): number | undefined {
  const value = pick(object, path);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
