import { ApiObject, Lazy } from 'cdk8s';
import { ConfigMapParts } from './config-map-parts';
import { AddTenant, DeliveryEngine, DeliveryScope, DeliveryTenant } from './delivery-engine';
import { yamlParts } from './parts';
import { ClusterResourceSet } from '../imports/addons.cluster.x-k8s.io';
import { ClusterApiVersion } from '../model/cluster-api-version';
import { Claims } from '../synthesis/claims';
import { claimObject } from '../synthesis/object-claims';
import { oncePerSynthesis } from '../synthesis/once-per-synthesis';
import { invalidInput } from '../validation/invalid-input';
import { validateLabels } from '../validation/labels';
import { Checks, checkProps, flag, oneOf, optional } from '../validation/props';
import { required } from '../validation/required';

/** A ClusterResourceSet names at most so many ConfigMaps. */
const MAX_PARTS = 100;

/** Delivery by Cluster API. */
export interface ClusterResourceSetDeliveryProps {
  /**
   * Version of the API of ClusterResourceSets.
   * @default ClusterApiVersion.V1BETA2
   */
  readonly apiVersion?: ClusterApiVersion;
  /**
   * Whether changed objects are applied again; otherwise each object is applied once. Objects are never deleted.
   * @default true
   */
  readonly reconcile?: boolean;
  /**
   * Labels of the ClusterResourceSets and ConfigMaps.
   * @default - none
   */
  readonly labels?: { [name: string]: string };
}

const CHECKS: Checks<ClusterResourceSetDeliveryProps> = {
  apiVersion: optional(oneOf(ClusterApiVersion)),
  reconcile: optional(flag),
  labels: optional(validateLabels),
};

/** One ClusterResourceSet (`addons.cluster.x-k8s.io`) with its ConfigMaps for each tenant, in the namespace of its Cluster. */
export class ClusterResourceSetDelivery implements DeliveryEngine {
  public readonly type = 'clusterResourceSet';
  public readonly syncs = false;
  public readonly writesFiles = false;
  public readonly besideControlPlanes = true;

  public constructor(private readonly props: ClusterResourceSetDeliveryProps) {
    checkProps('', required('props', props, 'Give {} for the defaults'), CHECKS);
  }

  public start(scope: DeliveryScope): AddTenant {
    return delivery => {
      const { tenant: { exposure: { name, namespace }, managementScope }, app } = delivery;
      const labels = this.props.labels ?? {};
      const title = `${namespace}/${name}`;
      const matchLabels = clusterSelector(delivery);
      Claims.of(managementScope).claim('clusterSelector', JSON.stringify(Object.entries(matchLabels).sort()), managementScope,
        'The Cluster would get the objects of both: name labels that the Cluster of each tenant has, and no other', { within: `${scope.managementCluster}/${namespace}`, inCluster: true });
      const parts = oncePerSynthesis(scope.app, () => yamlParts(title, requireObjects(title, app.objects())));
      const configMaps = new ConfigMapParts(managementScope, {
        namespace,
        labels,
        // No name of another tenant has a dot.
        nameOf: part => part === 1 ? `${name}.tenant-objects` : `${name}.tenant-objects.${part}`,
        data: () => parts().map(objects => ({ 'objects.yaml': objects })),
        managementCluster: scope.managementCluster,
      });
      claimObject(managementScope, new ApiObject(managementScope, 'cluster-resource-set', {
        apiVersion: `${ClusterResourceSet.GVK.apiVersion.split('/')[0]}/${this.props.apiVersion ?? ClusterApiVersion.V1BETA2}`,
        kind: ClusterResourceSet.GVK.kind,
        metadata: { name, namespace, labels },
        spec: {
          strategy: this.props.reconcile ?? true ? 'Reconcile' : 'ApplyOnce',
          clusterSelector: { matchLabels },
          resources: Lazy.any({ produce: () => configMaps.names.map(resource => ({ kind: 'ConfigMap', name: resource })) }),
        },
      }), scope.managementCluster);
      return () => errorsOf(title, configMaps);
    };
  }
}

function errorsOf(title: string, configMaps: ConfigMapParts): string[] {
  try {
    configMaps.prepare();
  } catch (error) {
    return [(error as Error).message];
  }
  const { length } = configMaps.names;
  return length <= MAX_PARTS ? [] : [invalidInput(title, length, `are more ConfigMaps than a ClusterResourceSet can name (${MAX_PARTS})`,
    'Deliver fewer objects, or deliver the tenant with TenantDelivery.manifests(), flux(), argoCd() or sync()').message];
}

function requireObjects(title: string, objects: any[]): any[] {
  if (objects.length === 0) {
    throw invalidInput(title, objects, 'has no objects, and a ClusterResourceSet needs some', 'Add objects to the chart of the tenant, or do not ask for it');
  }
  return objects;
}

/** What selects the Cluster of a tenant and no other. */
function clusterSelector({ controlPlane, options }: DeliveryTenant): { [name: string]: string } {
  const { exposure, clusterApiCluster } = controlPlane;
  const selector = options.clusterSelector ?? (clusterApiCluster === undefined ? undefined : { 'cluster.x-k8s.io/cluster-name': clusterApiCluster });
  if (selector === undefined) {
    throw invalidInput('clusterSelector', undefined, `is not given, and the platform of ${exposure.namespace}/${exposure.name} is not one of Cluster API's`,
      'Choose another delivery, or name the labels of the Cluster that has this control plane');
  }
  if (Object.keys(selector).length === 0) {
    throw invalidInput('clusterSelector', selector, 'is empty, so that it would select no Cluster', 'Name labels that the Cluster of this tenant has, and no other');
  }
  return validateLabels('clusterSelector', selector);
}
