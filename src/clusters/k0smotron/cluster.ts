import { IngressExposedControlPlane } from '../../control-plane/ingress-exposed-control-plane';
import * as k0smotron from '../../imports/k0smotron.io';
import { K0sVersion } from '../../platforms/k0smotron/k0s-version';
import { K0smotronApiVersion } from '../../platforms/k0smotron/k0smotron-props';
import { invalidInput } from '../../validation/invalid-input';
import { required } from '../../validation/required';

/** What workers of a k0smotron Cluster must fit. */
export interface K0smotronCluster {
  readonly apiVersion: K0smotronApiVersion;
  readonly k0sVersion: K0sVersion;
}

/** Reads it from the custom resource of a control plane; refuses one of another platform. */
export function k0smotronClusterOf(controlPlane: IngressExposedControlPlane): K0smotronCluster {
  required('controlPlane', controlPlane, 'Give an IngressExposedControlPlane of ControlPlanePlatform.k0smotron()');
  const { apiVersion, kind, name } = controlPlane.platformObject;
  const [group, version] = apiVersion.split('/');
  if (group !== k0smotron.Cluster.GVK.apiVersion.split('/')[0] || kind !== k0smotron.Cluster.GVK.kind) {
    throw invalidInput('controlPlane', `${kind} ${name}`, 'is not a k0smotron Cluster, whose workers join so',
      'Give a control plane of ControlPlanePlatform.k0smotron(); under Cluster API workers join by themselves');
  }
  return {
    apiVersion: version as K0smotronApiVersion,
    k0sVersion: K0sVersion.parse('kubernetesVersion', controlPlane.platformObject.toJson().spec.version),
  };
}
